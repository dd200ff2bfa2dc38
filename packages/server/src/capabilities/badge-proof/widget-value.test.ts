import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { asClientsSee } from "./widget-value.ts";

const seen: readonly [type: string, value: unknown, as: unknown][] = [
  ["INT", 5, 5],
  ["INT", " 5 ", 5],
  ["FLOAT", "1e3", 1000],
  ["INT", "", null],
  ["INT", "five", null],
  ["INT", true, null],
  ["FLOAT", Number.POSITIVE_INFINITY, null],
  ["FLOAT", {}, null],
  ["BOOLEAN", true, true],
  ["BOOLEAN", " TRUE ", true],
  ["BOOLEAN", "false", false],
  ["BOOLEAN", 1, null],
  ["COMBO", "  Pro Max ", "pro max"],
  ["COMBO", 10, 10],
  ["COMBO", false, false],
  ["STRING", 10, "10"],
  ["DYNAMIC_COMBO", "A", "a"],
  ["STRING", null, null],
  ["COMBO", undefined, null],
];

for (const [type, value, as] of seen) {
  test(`a client sees ${JSON.stringify(value)} of ${type} as ${JSON.stringify(as)}`, () =>
    assert.equal(asClientsSee(type, value), as));
}

test("seeing a value twice changes nothing", () => {
  fc.assert(
    fc.property(fc.constantFrom("INT", "FLOAT", "BOOLEAN", "COMBO", "STRING"), fc.anything(), (type, value) => {
      const once = asClientsSee(type, typeof value === "object" ? null : typeof value === "symbol" ? "" : value);
      assert.deepEqual(asClientsSee(type, once), once);
    }),
  );
});
