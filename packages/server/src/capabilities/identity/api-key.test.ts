import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { displayPrefix, generateKey, hashSecret, isRandomToken, keyShape, randomToken } from "./api-key.ts";

const scannerPattern = /^service-[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/;

test("a generated key has the published shape and its own checksum, and no two are equal", () => {
  const keys = Array.from({ length: 500 }, generateKey);
  for (const key of keys) {
    assert.match(key, scannerPattern);
    assert.equal(keyShape(key), "issued");
  }
  assert.equal(new Set(keys).size, keys.length);
});

test("every character of the alphabet is drawn about equally often", () => {
  const counts = new Map<string, number>();
  for (let round = 0; round < 1000; round += 1) {
    for (const character of generateKey().slice(17, 49)) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  // 32,000 draws over 62 characters: 516 each; six standard deviations are about 136.
  assert.equal(counts.size, 62);
  for (const count of counts.values()) assert.ok(Math.abs(count - 516) < 140, String(count));
});

test("one changed character of an issued key is always noticed", () => {
  const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const position = fc.integer({ min: 8, max: 54 }).filter((at) => at !== 16);
  fc.assert(
    fc.property(position, fc.constantFrom(...alphabet), (at, character) => {
      const key = generateKey();
      const changed = key.slice(0, at) + character + key.slice(at + 1);
      assert.equal(keyShape(changed), changed === key ? "issued" : "bad_checksum");
    }),
  );
});

test("any other service- string may be an operator's own key", () => {
  for (const key of ["service-", "service-my-own-key-of-thirty-two-chars!", `service-${"x".repeat(200)}`]) {
    assert.equal(keyShape(key), "chosen");
  }
});

test("text without the prefix, with hidden characters or without end is not a key", () => {
  for (const key of [
    "",
    "servic",
    " service-a",
    "service-a b",
    "service-\u00e9",
    "service-a\n",
    `service-${"x".repeat(300)}`,
  ]) {
    assert.equal(keyShape(key), "not_a_key");
  }
});

test("the stored hash is SHA-256 of the whole key", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      assert.deepEqual(hashSecret(text), createHash("sha256").update(text, "utf8").digest());
    }),
  );
});

test("lists show nothing of a key's secret part", () => {
  const key = generateKey();
  assert.equal(displayPrefix(key), key.slice(0, 16));
  assert.equal(displayPrefix("service-my-own-key-of-thirty-two-chars!"), "service-my-o");
});

test("a random token has 256 bits and is recognised", () => {
  const token = randomToken();
  assert.equal(Buffer.from(token, "base64url").length, 32);
  assert.ok(isRandomToken(token));
  for (const text of ["", token.slice(1), `${token}a`, `${token.slice(1)}=`, `${token}\n`])
    assert.ok(!isRandomToken(text));
});
