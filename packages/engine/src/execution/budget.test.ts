import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Picture } from "../pictures/picture.ts";
import { Budget } from "./budget.ts";

const pictureOf = (data: Float32Array): Picture => ({
  kind: "image",
  batch: 1,
  height: 1,
  width: data.length,
  channels: 1,
  data,
});

test("an allocation beyond the budget, or of invalid size, is refused and not counted", () => {
  const budget = new Budget(400);
  budget.floats(60, "A");
  assert.throws(() => budget.floats(41, "B"), /B does not fit/);
  assert.throws(() => budget.floats(Number.NaN, "C"), /invalid size/);
  assert.throws(() => budget.floats(2 ** 60, "D"), /invalid size/);
  assert.equal(budget.used, 240);
});

test("a buffer counts once, however many values share it, until the last is released", () => {
  const budget = new Budget(4000);
  const whole = pictureOf(budget.floats(100, "A"));
  const view = pictureOf(whole.data.subarray(10, 20));
  budget.hold([whole]);
  budget.hold([view]);
  budget.dropUnheld();
  assert.equal(budget.used, 400);
  budget.release([whole]);
  assert.equal(budget.used, 400);
  budget.release([view]);
  assert.deepEqual([budget.used, budget.peak], [0, 400]);
});

test("memory that a node took and did not pass on is returned", () => {
  fc.assert(
    fc.property(fc.array(fc.record({ size: fc.integer({ min: 1, max: 50 }), isKept: fc.boolean() })), (takes) => {
      const budget = new Budget(1e6);
      for (const { size, isKept } of takes) {
        const taken = pictureOf(budget.floats(size, "A"));
        if (isKept) budget.hold([taken]);
      }
      budget.dropUnheld();
      assert.equal(
        budget.used,
        takes.reduce((sum, { size, isKept }) => sum + (isKept ? size * 4 : 0), 0),
      );
    }),
  );
});
