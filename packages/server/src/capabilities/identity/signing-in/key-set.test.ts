import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { keySetLimits, remoteKeySet } from "./key-set.ts";

const hourMs = 3_600_000;

function publicKey(id: string) {
  const { publicKey } = generateKeyPairSync("ed25519");
  return { ...publicKey.export({ format: "jwk" }), kid: id, alg: "EdDSA", use: "sig" };
}

// An issuer whose document and health the test controls; it counts fetches.
function issuer(keys: object[]) {
  const state = { document: JSON.stringify({ keys }), isDown: false, fetches: 0 };
  const clock = handClock();
  const source = remoteKeySet({
    url: "https://issuer.example/jwks.json",
    clock,
    fetchKeySet: async () => {
      state.fetches += 1;
      if (state.isDown) throw new Error("connection refused");
      return new TextEncoder().encode(state.document);
    },
  });
  const find = (kid: string) => source.find({ alg: "EdDSA", kid }, { payload: "", signature: "" });
  return { state, clock, source, find };
}

test("one fetch serves every token that arrives meanwhile", async () => {
  const { state, find } = issuer([publicKey("one")]);
  await Promise.all(Array.from({ length: 20 }, () => find("one")));
  assert.equal(state.fetches, 1);
});

test("ten thousand invented key ids cause at most one fetch per thirty seconds", async () => {
  const { state, clock, find } = issuer([publicKey("one")]);
  await find("one");
  for (let round = 0; round < 100; round += 1) {
    await Promise.all(Array.from({ length: 100 }, (_, at) => assert.rejects(find(`invented-${round}-${at}`))));
    await clock.advance(1_000);
  }
  assert.ok(state.fetches <= 1 + Math.ceil(100_000 / keySetLimits.cooldownMs), String(state.fetches));
});

test("a new key is found as soon as the cool-down allows", async () => {
  const { state, clock, find } = issuer([publicKey("one")]);
  await find("one");
  state.document = JSON.stringify({ keys: [publicKey("one"), publicKey("two")] });
  await assert.rejects(find("two"));
  await clock.advance(keySetLimits.cooldownMs);
  await find("two");
});

test("a removed key is refused after ten minutes", async () => {
  const { state, clock, find, source } = issuer([publicKey("one"), publicKey("two")]);
  await find("one");
  state.document = JSON.stringify({ keys: [publicKey("two")] });
  await clock.advance(keySetLimits.freshMs - 1);
  await find("one");
  assert.ok(source.freshUntilMs() <= clock.monotonicMs() + 1);
  await clock.advance(1);
  await assert.rejects(find("one"));
});

test("while the issuer is down its keys stay valid for 24 hours, and we ask at most every thirty seconds", async () => {
  const { state, clock, find } = issuer([publicKey("one")]);
  await find("one");
  state.isDown = true;
  await clock.advance(hourMs);
  for (let second = 0; second < 60; second += 1) {
    await find("one");
    await clock.advance(1_000);
  }
  assert.ok(state.fetches <= 4, String(state.fetches));
  await clock.advance(22 * hourMs);
  await find("one");
  await clock.advance(hourMs);
  await assert.rejects(find("one"), { code: "service_unavailable", retryAfterSeconds: 30 });
  state.isDown = false;
  await clock.advance(keySetLimits.cooldownMs);
  await find("one");
});

test("an issuer that was never reached counts as our outage, not as a bad token", async () => {
  const { state, find } = issuer([publicKey("one")]);
  state.isDown = true;
  await assert.rejects(find("one"), { code: "service_unavailable" });
});

const unusable: [string, string][] = [
  ["no JSON", "<html>"],
  ["no keys", "{}"],
  ["keys that are no list", '{"keys":{}}'],
  ["an empty list", '{"keys":[]}'],
  ["only a symmetric key", JSON.stringify({ keys: [{ kty: "oct", k: "c2VjcmV0", kid: "one" }] })],
  ["a private key", JSON.stringify({ keys: [{ ...publicKey("one"), d: "c2VjcmV0" }] })],
  ["33 keys", JSON.stringify({ keys: Array.from({ length: 33 }, (_, at) => publicKey(`key-${at}`)) })],
  ["more than 256 KiB", JSON.stringify({ keys: [publicKey("one")], padding: "x".repeat(keySetLimits.bytesMax) })],
];

for (const [what, document] of unusable) {
  test(`a document with ${what} is not adopted; the earlier keys stay`, async () => {
    const { state, clock, find } = issuer([publicKey("one")]);
    await find("one");
    state.document = document;
    await clock.advance(keySetLimits.freshMs);
    await find("one");
    assert.equal(state.fetches, 2);
  });
}
