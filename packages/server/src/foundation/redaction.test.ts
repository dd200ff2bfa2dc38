import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { createRedaction } from "./redaction.ts";

const secret = "sk-live+aB/9'x=quite&secret";
const { text, bytes } = createRedaction([secret]);
const blot = async (value: string) => (await bytes(Buffer.from(value))).toString();

describe("a secret is removed in every spelling", () => {
  const basic = (user: string) => Buffer.from(`${user}:${secret}`).toString("base64");
  const written: Readonly<Record<string, string>> = {
    "as it is": `Invalid key ${secret}!`,
    "in an address": `https://x.example/?key=${encodeURIComponent(secret)}`,
    "in an address, in small letters": `?key=${encodeURIComponent(secret).replace(/%../g, (one) => one.toLowerCase())}`,
    "in JSON": JSON.stringify({ detail: secret }),
    "in JSON with escaped slashes": JSON.stringify({ detail: secret }).replaceAll("/", "\\/"),
    "in JSON with escaped signs": JSON.stringify({ detail: secret }).replace(
      /[+&'=]/g,
      (one) => `\\u00${one.charCodeAt(0).toString(16)}`,
    ),
    "as base64": Buffer.from(secret).toString("base64"),
    "as base64 for addresses": Buffer.from(secret).toString("base64url"),
    "in hexadecimal": Buffer.from(secret).toString("hex"),
    "as basic authentication": `Basic ${basic("u")}`,
    "as basic authentication of a longer name": `Basic ${basic("us")}`,
    "as basic authentication of a still longer name": `Basic ${basic("use")}`,
  };
  for (const [how, said] of Object.entries(written)) {
    test(how, async () => {
      assert.notEqual(text(said), said);
      const blotted = await blot(said);
      assert.equal(Buffer.byteLength(blotted), Buffer.byteLength(said));
      // What remains reveals nothing of it, neither plain nor decoded.
      for (const left of [text(said), blotted]) {
        assert.ok(!left.includes(secret) && !left.includes("quite"), left);
        const decoded = Buffer.from(left.replace(/^Basic /, ""), "base64").toString("latin1");
        assert.ok(!decoded.includes("quite&secret"), decoded);
      }
      if (how.startsWith("in JSON")) assert.doesNotThrow(() => JSON.parse(blotted));
    });
  }
});

test("without a secret the same bytes and text come back", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), fc.string(), (given, said) => {
      const buffer = Buffer.from(given);
      assert.equal(bytes(buffer), buffer);
      assert.equal(text(said), said);
    }),
  );
});

test("a short value is not treated as a secret", () => {
  assert.equal(createRedaction(["a", "key", ""]).text("a key"), "a key");
});

test("a large body is looked through in pieces, also across their borders, and others have their turn", async () => {
  const large = Buffer.alloc(3 * 1024 * 1024 + 7, "x");
  large.write(secret, 1024 * 1024 - 5);
  large.write(secret, large.byteLength - secret.length);
  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  const clean = await bytes(large);
  clearInterval(counting);
  assert.equal(clean.indexOf(secret), -1);
  assert.equal(clean.byteLength, large.byteLength);
  assert.equal(clean.filter((byte) => byte === 0x2a).length, 2 * secret.length);
  assert.ok(turns > 0);
  const untouched = Buffer.alloc(2 * 1024 * 1024, "y");
  assert.equal(await bytes(untouched), untouched);
});
