import assert from "node:assert/strict";
import { test } from "node:test";
import { wireValue } from "./wire-value.ts";

test("each kind of value has one spelling", () => {
  assert.equal(wireValue("text"), "text");
  assert.equal(wireValue(1.5), "1.5");
  assert.equal(wireValue(9_007_199_254_740_993n), "9007199254740993");
  assert.equal(wireValue(true), "true");
  assert.equal(wireValue(null), null);
  assert.equal(wireValue(undefined), null);
  assert.equal(wireValue(new Date(0)), "1970-01-01T00:00:00.000Z");
  assert.deepEqual(wireValue(new Uint8Array([1, 2])), Buffer.from([1, 2]));
  assert.equal(wireValue({ a: [1] }), '{"a":[1]}');
  assert.equal(
    wireValue([1, null, "a,b", 'say "x\\"', "null", "", ["y"]]),
    '{1,NULL,"a,b","say \\"x\\\\\\"","null","",{y}}',
  );
  assert.equal(wireValue([Buffer.from([255])]), '{"\\\\xff"}');
});

test("an unstorable value is refused before anything is sent", () => {
  assert.throws(() => wireValue(() => 1), TypeError);
  assert.throws(() => wireValue(Symbol("s")), TypeError);
  assert.throws(() => wireValue({ big: 1n }), TypeError);
  assert.throws(() => wireValue(new Date(Number.NaN)), RangeError);
  assert.throws(() => wireValue(new Date(-1e15)), RangeError);
});
