import assert from "node:assert/strict";
import { test } from "node:test";
import { busSettings } from "./bus-settings.ts";
import { natsAddressOf } from "./foundation/bus/nats-address.ts";

test("an address of NATS names servers and a prefix, and never a credential", () => {
  const read = (text: string) => {
    const parsed = busSettings.bus.parse(text);
    return "problem" in parsed ? "refused" : natsAddressOf(parsed.value);
  };
  assert.deepEqual(read("nats://bus:4222"), { servers: ["nats://bus:4222"], prefix: "atelier" });
  assert.deepEqual(read("tls://a.example:4222,tls://b.example:4222/studio-2"), {
    servers: ["tls://a.example:4222", "tls://b.example:4222"],
    prefix: "studio-2",
  });
  assert.deepEqual(read("nats://[::1]:4222/x"), { servers: ["nats://[::1]:4222"], prefix: "x" });
  for (const other of ["auto", "in-process", "postgres"]) assert.equal(read(other), null);
  for (const wrong of [
    "nats://user:pass@bus:4222",
    "nats:",
    "nats://",
    "redis://a",
    "nats://a/b/c",
    "nats://a/b.c",
    "",
  ])
    assert.equal(read(wrong), "refused", wrong);
});

test("credentials may be given as the text of a file, and are never shown", () => {
  const creds = "-----BEGIN NATS USER JWT-----\neyJ0\n------END NATS USER JWT------\n";
  const parsed = busSettings.busCredentials.parse(creds);
  assert.ok("value" in parsed && parsed.value !== null);
  assert.deepEqual([parsed.value.reveal(), String(parsed.value)], [creds, "***"]);
});
