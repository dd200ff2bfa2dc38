import assert from "node:assert/strict";
import { test } from "node:test";
import { newRing, rotateRing } from "./ring.ts";
import { formatRing, parseRing, RingUnreadable } from "./ring-text.ts";

const now = new Date("2026-01-01T00:00:00.000Z");
const ring = rotateRing(newRing(now), { purposes: ["cursor"], leadSeconds: 300, now });
const entry = {
  id: "abc",
  purpose: "cursor",
  secret: Buffer.alloc(32, 7).toString("base64url"),
  sign_from: "2026-01-01T00:00:00Z",
};
const textWith = (changes: object) => JSON.stringify({ version: 1, keys: [{ ...entry, ...changes }] });

test("a written ring reads back the same", () => {
  assert.deepEqual(parseRing(formatRing(ring)), ring);
});

test("an entry written by hand is read", () => {
  assert.equal(parseRing(textWith({}))[0]?.secret.length, 32);
});

test("a purpose of a newer version is kept", () => {
  assert.equal(parseRing(textWith({ purpose: "not-yet-known" }))[0]?.purpose, "not-yet-known");
});

for (const [what, text] of [
  ["no JSON", "{"],
  ["an array", "[]"],
  ["another version", '{"version":2,"keys":[]}'],
  ["no keys", '{"version":1,"keys":[]}'],
  ["an entry that is no object", '{"version":1,"keys":[null]}'],
  ["an id with a dot, which would split envelopes", textWith({ id: "a.b" })],
  ["no id", textWith({ id: undefined })],
  ["no purpose", textWith({ purpose: "" })],
  ["a short secret", textWith({ secret: Buffer.alloc(31).toString("base64url") })],
  ["a secret in base64 with padding", textWith({ secret: Buffer.alloc(32, 255).toString("base64") })],
  ["a secret with stray bits", textWith({ secret: `${entry.secret.slice(0, -1)}d` })],
  ["no secret", textWith({ secret: undefined })],
  ["no sign_from", textWith({ sign_from: undefined })],
  ["a time without zone", textWith({ sign_from: "2026-01-01T00:00:00" })],
  ["a day that does not exist", textWith({ verify_until: "2026-13-01T00:00:00Z" })],
  ["a number as time", textWith({ sign_until: 5 })],
  ["one id twice", JSON.stringify({ version: 1, keys: [entry, entry] })],
] as const) {
  test(`a ring with ${what} is refused, and the refusal shows no secret`, () => {
    assert.throws(
      () => parseRing(text),
      (thrown) =>
        thrown instanceof RingUnreadable && !thrown.message.includes(entry.secret) && thrown.cause === undefined,
    );
  });
}
