import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { boundedJson } from "./bounded-json.ts";

function countOf(value: unknown): number {
  const inside = typeof value === "object" && value !== null ? Object.values(value) : [];
  return inside.reduce<number>((sum, one) => sum + countOf(one), 1);
}

test("JSON with few values is read, whatever its strings contain", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const body = Buffer.from(JSON.stringify(value));
      // An empty list counts as if it held a value.
      assert.deepEqual(boundedJson(body, 2 * countOf(value)), JSON.parse(body.toString()));
    }),
  );
  const text = JSON.stringify({ a: '[,{\\",[[[[,,,,' });
  assert.deepEqual(boundedJson(Buffer.from(text), 2), JSON.parse(text));
});

test("JSON with too many values is refused without being parsed", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue(), { minLength: 5 }), (value) => {
      assert.throws(() => boundedJson(Buffer.from(JSON.stringify(value)), 3), RangeError);
    }),
  );
  assert.throws(() => boundedJson(Buffer.from("[".repeat(5_000_000))), RangeError);
  assert.throws(() => boundedJson(Buffer.from(`[${"[],".repeat(5_000_000)}0]`)), RangeError);
});

test("invalid JSON is refused, however it ends", () => {
  for (const text of ["", "{", '"', '"\\', "<html>", "\u0000"])
    assert.throws(() => boundedJson(Buffer.from(text), 0), Error);
});
