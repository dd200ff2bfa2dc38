import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseJson, writeJson } from "./exact-json.ts";

test("integers above 2^53 survive in and out, at any depth", () => {
  fc.assert(
    fc.property(
      fc.jsonValue({ maxDepth: 4 }),
      fc.array(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), { maxLength: 5 }),
      fc.array(fc.string(), { maxLength: 4 }),
      (value, large, texts) => {
        const whole = { value: parseJson(JSON.stringify(value)), large: large.map(asRead), texts };
        assert.deepEqual(parseJson(writeJson({ ...whole, large })), whole);
      },
    ),
    { numRuns: 500 },
  );
});

// Integers that fit a number are read as numbers.
const asRead = (value: bigint) => (Number.isSafeInteger(Number(value)) ? Number(value) : value);

test("digits in a text, after a decimal point or with an exponent are no integers", () => {
  const text =
    '{"a":"12345678901234567890","b":0.12345678901234567890,"c":1e30,"d":"\\"9007199254740993","e":9007199254740991}';
  assert.deepEqual(parseJson(text), JSON.parse(text));
  assert.deepEqual(parseJson("[9007199254740993,-18446744073709551616]"), [9007199254740993n, -18446744073709551616n]);
});

test("a text that looks like our own mark stays a text", () => {
  const text = writeJson({ seed: 2n ** 64n, text: "~00000000-0000-4000-8000-000000000000~5" });
  assert.deepEqual(parseJson(text), { seed: 2n ** 64n, text: "~00000000-0000-4000-8000-000000000000~5" });
});
