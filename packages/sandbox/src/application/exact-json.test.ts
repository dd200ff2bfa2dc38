import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { readExact, writeExact } from "./exact-json.ts";

test("integers of any size come out unchanged", () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }), (seed) => {
      const text = `{"seed":${seed},"list":[${seed}]}`;
      assert.equal(writeExact(readExact(text)), text);
    }),
  );
});

test("all other JSON is written as it was read", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      assert.equal(writeExact(readExact(text)), text);
    }),
  );
});
