import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { Secret } from "../../foundation/settings.ts";
import { hidden, redact } from "./redact.ts";

const uuid = "0190a000-0000-7000-8000-000000000001";

describe("what the audit shows", () => {
  test("numbers, switches, ids, moments and plain words under any name", () => {
    const thing = {
      limit: 600,
      open: true,
      owner: uuid,
      ended: "2026-01-01T00:00:00.000Z",
      mode: "suspended",
      none: null,
    };
    assert.deepEqual(redact(thing), thing);
  });

  test("text under names that are known to be harmless, in both spellings", () => {
    const thing = {
      name: "Ada's workspace",
      from_version: "1.2.3",
      fromVersion: "1.2.3",
      scopes: ["models", "account"],
    };
    assert.deepEqual(redact(thing), thing);
  });

  test("text under a name that the caller vouches for", () => {
    assert.deepEqual(redact({ color: "#FF0000" }), { color: hidden });
    assert.deepEqual(redact({ color: "#FF0000" }, ["color"]), { color: "#FF0000" });
  });

  test("dates and big integers, in words that JSON has", () => {
    const at = new Date("2026-01-01T00:00:00.000Z");
    assert.deepEqual(redact({ at, micros: 2n ** 60n }), { at: at.toISOString(), micros: String(2n ** 60n) });
  });
});

describe("what the audit hides", () => {
  for (const name of [
    "secret",
    "client_secret",
    "apiKey",
    "api-key",
    "key",
    "token",
    "accessToken",
    "password",
    "hash",
    "Authorization",
    "cookie",
    "private_key",
    "webhookSignature",
  ]) {
    test(`anything under "${name}", at any depth`, () => {
      for (const value of ["plain", "A9x-", 1234, { inner: "plain" }, ["plain"], uuid]) {
        const shown = JSON.stringify(redact({ outer: [{ [name]: value }] }));
        assert.ok(!/plain|A9x-|1234|0190a000/.test(shown), shown);
      }
    });
  }

  test("the id of a secret thing is no secret", () => {
    assert.deepEqual(redact({ token_id: uuid, keyId: uuid }), { token_id: uuid, keyId: uuid });
  });

  test("unknown text under an unknown name", () => {
    assert.deepEqual(redact({ note: "correct horse battery staple", x: "deadbeef01" }), { note: hidden, x: hidden });
  });

  test("credentials inside harmless text", () => {
    for (const credential of [
      "service-abcdefgh_0123456789abcdefghijklmnop",
      "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      "admin-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789_-abcde",
      "eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl",
      "v1.abcdef012345.AAAAAAAAAAAAAAAAAAAAAAAAAAAA",
      "-----BEGIN PRIVATE KEY-----\nMC4CAQAw",
      "postgres://ada:hunter2@db/atelier",
    ]) {
      const shown = JSON.stringify(redact({ name: `uses ${credential} today` }));
      assert.ok(!shown.includes(credential), shown);
      assert.ok(!shown.includes("hunter2") && !shown.includes("MC4CAQAw"), shown);
    }
  });

  test("things with a class of their own", () => {
    const shown = redact({
      name: new Secret("x"),
      value: Buffer.from("hunter2"),
      map: new Map([["name", "x"]]),
      run: () => 1,
    });
    assert.deepEqual(shown, { name: hidden, value: hidden, map: hidden, run: hidden });
  });

  test("what is too deep, too long or too many", () => {
    let deep: unknown = "word";
    for (let depth = 0; depth < 50; depth++) deep = { deep };
    assert.ok(JSON.stringify(redact(deep)).length < 200);
    assert.ok(JSON.stringify(redact({ name: "x y".repeat(10_000) })).length < 600);
    assert.ok(JSON.stringify(redact({ value: Array.from({ length: 10_000 }, () => 1) })).length < 600);
  });
});

test("half surrogates and NULs become the replacement character, in names too", () => {
  assert.deepEqual(redact({ name: "a\ud800b\0", "\udc00": 1 }), { name: "a\uFFFDb\uFFFD", "\uFFFD": 1 });
});

test("any input comes out as JSON that PostgreSQL can store", () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withTypedArray: true,
  });
  const name = fc.constantFrom("name", "value", "x");
  fc.assert(
    fc.property(
      fc.dictionary(fc.oneof(name, fc.string({ unit: "binary" })), fc.oneof(anything, fc.string({ unit: "binary" }))),
      (thing) => {
        const json = JSON.stringify(redact(thing));
        assert.ok(!json.includes("\\u0000"));
        assert.ok(!/\\ud[89ab]/i.test(json), "no half surrogate");
      },
    ),
  );
});
