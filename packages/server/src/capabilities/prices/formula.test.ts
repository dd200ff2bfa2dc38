import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { lower, toFineUnits } from "./formula.ts";

test("every fraction of a definition is taken into one scale, as small as it can be", () => {
  assert.deepEqual(lower({ usd: "0.110" }), { formula: { kind: "constant", value: 11n }, scale: 2 });
  const { formula, scale } = lower({ usd: { kind: "sum", parts: ["2", "0.015", "0.3"] } });
  assert.equal(scale, 3);
  assert.deepEqual(formula.kind === "sum" && formula.parts.map((part) => part.kind === "constant" && part.value), [
    2000n,
    15n,
    300n,
  ]);
});

test("half seconds, pixels and millionths of tokens each add their own places", () => {
  const side = (from: string) => ({ from, default: 1, most: 1 });
  const scaleOf = (usd: Parameters<typeof lower>[0]["usd"]) => lower({ usd }).scale;
  assert.equal(
    scaleOf({ kind: "per_second", seconds: { from: "/d", default: 1, most: 9, step: 0.5 }, each: "0.05" }),
    3,
  );
  assert.equal(scaleOf({ kind: "per_megapixel", width: side("/w"), height: side("/h"), each: "0.03" }), 8);
  assert.equal(scaleOf({ kind: "per_megapixel", width: side("/w"), height: side("/h"), step: 1, each: "0.03" }), 2);
  const rate = { usd_per_million: "0.15", reported: "tokens", default: 0, most: 1 };
  assert.equal(scaleOf({ kind: "tokens", rates: [rate] }), 8);
});

test("a table of one case asks nothing", () => {
  const { formula } = lower({ usd: { kind: "table", by: "/mode", cases: { any: "1" }, otherwise: "any" } });
  assert.deepEqual(formula, { kind: "constant", value: 1n });
});

test("an amount is rounded up to whole ones, or to the nearest millionth", () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
      const whole = Number(toFineUnits(value, "whole"));
      assert.ok(whole >= value && whole - 1 < value);
      // Half a millionth, plus the rounding error of the comparison at this size.
      assert.ok(Math.abs(Number(toFineUnits(value, "millionths")) - value * 1e6) <= 0.5 + value * 1e6 * 2 ** -51);
    }),
  );
  assert.equal(toFineUnits(0.1 + 0.2, "millionths"), 300_000n);
  assert.equal(toFineUnits(0.0000005, "millionths"), 0n);
  assert.equal(toFineUnits(0.0000015, "millionths"), 2n);
  assert.equal(toFineUnits(5e-324, "millionths"), 0n);
  assert.equal(toFineUnits(5e-324, "whole"), 1n);
});
