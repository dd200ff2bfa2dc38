// Against a real NATS: what is delivered, what is lost, and what is reported about it.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, test } from "node:test";
import * as client from "@nats-io/transport-node";
import { hasNats, type TestNats, testNats } from "../../../test/support/test-nats-server.ts";
import { systemClock } from "../clock.ts";
import { silentLog } from "../log.ts";
import type { Bus } from "./bus.ts";
import { type NatsBusOptions, natsBus } from "./nats-bus.ts";
import { sharedTopic } from "./shared-topic.ts";

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function started(...words: readonly string[]): Promise<TestNats> {
  const nats = await testNats();
  closing.push(() => nats.kill());
  await nats.start(...words);
  return nats;
}

function open({ url }: TestNats, more: Partial<NatsBusOptions> = {}): Bus {
  const common = { credentials: null, authority: null, client, clock: systemClock, log: silentLog };
  const bus = natsBus({ servers: [url], prefix: "test", ...common, ...more });
  closing.push(() => bus.close());
  return bus;
}

async function until(what: string, isSo: () => boolean): Promise<void> {
  for (let tries = 0; !isSo(); tries += 1) {
    assert.ok(tries < 3_000, what);
    await systemClock.sleep(10);
  }
}

// Publishes until the other side has received it: a subscription is made in the background, and earlier messages are lost.
async function untilHeard(from: Bus, topic: string, heard: () => boolean): Promise<void> {
  await until(`${topic} is heard`, () => {
    if (!heard()) from.publish(topic, "hello");
    return heard();
  });
}

describe("a bus on NATS", { skip: !hasNats && "this machine has no nats-server" }, () => {
  test("what one process publishes reaches the subscribers of another in order, its own exactly once, and no other topic", async () => {
    const nats = await started();
    const [here, there, elsewhere] = [open(nats), open(nats), open(nats, { prefix: "other" })];
    const [own, other, foreign]: unknown[][] = [[], [], []];
    here.subscribe("calls", (message) => own?.push(message));
    there.subscribe("calls", (message) => other?.push(message));
    there.subscribe("jobs", (message) => foreign?.push(message));
    elsewhere.subscribe("calls", (message) => foreign?.push(message));
    await untilHeard(here, "calls", () => (other?.length ?? 0) > 0);
    for (let index = 0; index < 300; index += 1) here.publish("calls", index);
    const numbers = (messages: readonly unknown[] = []) => messages.filter((message) => typeof message === "number");
    await until("all came", () => numbers(other).length >= 300);
    const expected = Array.from({ length: 300 }, (_, index) => index);
    assert.deepEqual([numbers(other), numbers(own), foreign], [expected, expected, []]);
  });

  test("a process hears of its own shares, and one that attends to all of everything, once", async () => {
    const nats = await started();
    const [here, there] = [open(nats), open(nats)];
    const got: { some: string[]; all: string[] } = { some: [], all: [] };
    const sender = sharedTopic(here, "calls.ended", () => undefined);
    const some = sharedTopic(there, "calls.ended", (ids) => got.some.push(...ids));
    const all = sharedTopic(there, "calls.ended", (ids) => got.all.push(...ids));
    const leave = [some.attend("…0a"), all.attendAll()];
    await until("both are told", () => {
      if (!got.some.includes("hello-0a")) sender.publish(["hello-0a"]);
      return got.some.includes("hello-0a") && got.all.includes("hello-0a");
    });
    sender.publish(["1-0a", "2-0b", "3-0a", "4-ff"]);
    await until("the last came", () => got.all.includes("4-ff"));
    const news = (ids: readonly string[]) => ids.filter((id) => !id.startsWith("hello")).sort();
    assert.deepEqual(
      [news(got.some), news(got.all)],
      [
        ["1-0a", "3-0a"],
        ["1-0a", "2-0b", "3-0a", "4-ff"],
      ],
    );
    for (const end of leave) end();
  });

  test("a dead server is reported as a problem, messages are dropped meanwhile, and the bus recovers once it is back", async () => {
    const nats = await started();
    const [here, there] = [open(nats), open(nats)];
    const got: unknown[] = [];
    there.subscribe("calls", (message) => got.push(message));
    await untilHeard(here, "calls", () => got.length > 0);
    await nats.kill();
    await until("the loss is seen", () => here.problem() !== null && there.problem() !== null);
    for (let index = 0; index < 1_000; index += 1) here.publish("calls", "meanwhile");
    await nats.start();
    await until("both are back", () => here.problem() === null && there.problem() === null);
    got.length = 0;
    await untilHeard(here, "calls", () => got.includes("hello"));
    assert.ok(!got.includes("meanwhile"), "memory does not grow with an outage");
  });

  test("a missing server is waited for, and refused credentials are reported without being shown", async () => {
    const nats = await testNats();
    closing.push(() => nats.kill());
    const early = open(nats, { credentials: "atelier:right-password" });
    await until("the problem is told", () => /not available/.test(early.problem() ?? ""));
    await nats.start("--user", "atelier", "--pass", "right-password");
    await until("it is reached", () => early.problem() === null);
    const wrong = open(nats, { credentials: "atelier:wrong-password" });
    await until("the refusal is told", () => /authorization/i.test(wrong.problem() ?? ""));
    assert.doesNotMatch(wrong.problem() ?? "", /wrong-password/);
  });

  test("over TLS it believes the authority that it was given and no other", async () => {
    const folder = mkdtempSync(join(tmpdir(), "atelier-nats-"));
    closing.push(async () => rmSync(folder, { recursive: true }));
    const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
    const words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"];
    execFileSync("openssl", [...words, ...subject, "-keyout", key, "-out", certificate], { stdio: "ignore" });
    const nats = await started("--tls", "--tlscert", certificate, "--tlskey", key);
    const servers = [nats.url.replace("nats:", "tls:")];
    const known = open(nats, { servers, authority: readFileSync(certificate, "utf8") });
    await until("it is reached", () => known.problem() === null);
    const unknown = open(nats, { servers });
    await until("it is refused", () => /certificate/i.test(unknown.problem() ?? ""));
  });
});
