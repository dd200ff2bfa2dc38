import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../foundation/ids.ts";
import { callbackAddresses, callbackBase } from "./callback-address.ts";

const key = { id: "k1", secret: Buffer.alloc(32, 7) };
const addresses = callbackAddresses({ current: () => key, verifying: () => [key] });

test("an address is genuine for its partner and task only, in one spelling", () => {
  const id = newId<"call">();
  const token = addresses.pathOf("partner-a", id).split("/").at(-1) ?? "";
  assert.ok(addresses.isGenuine("partner-a", id, token));
  assert.ok(!addresses.isGenuine("partner-b", id, token));
  assert.ok(!addresses.isGenuine("partner-a", newId<"call">(), token));
  assert.ok(!addresses.isGenuine("partner-a", id, ""));
  for (const other of ["k2", ""]) assert.ok(!addresses.isGenuine("partner-a", id, token.replace("k1", other)));
  // 43 characters hold two bits more than 32 bytes.
  const last = token.at(-1) ?? "";
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  for (const character of alphabet)
    assert.equal(addresses.isGenuine("partner-a", id, token.slice(0, -1) + character), character === last);
});

test("addresses made with a dropped key are no longer genuine", () => {
  const id = newId<"call">();
  const token = addresses.pathOf("partner-a", id).split("/").at(-1) ?? "";
  const later = callbackAddresses({ current: () => key, verifying: () => [] });
  assert.ok(!later.isGenuine("partner-a", id, token));
});

test("a partner elsewhere is given no address that only this machine knows", () => {
  assert.equal(callbackBase("http://127.0.0.1:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://localhost:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://[::1]:8080", "https://partner.example"), null);
  assert.equal(callbackBase("http://127.0.0.1:8080", "http://127.0.0.1:9000/a"), "http://127.0.0.1:8080");
  assert.equal(callbackBase("https://studio.example/", "https://partner.example"), "https://studio.example");
});
