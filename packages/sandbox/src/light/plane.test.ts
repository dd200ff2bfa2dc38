import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { blurred, boxBlurred, createPlane, guided, meanOf, type Plane, resized } from "./plane.ts";

const sizes = fc.tuple(
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 1, max: 40 }),
  fc.integer({ min: 0, max: 30 }),
);
const filled = (width: number, height: number, value: (x: number, y: number) => number): Plane => {
  const plane = createPlane(width, height);
  for (let at = 0; at < plane.values.length; at++) plane.values[at] = value(at % width, Math.floor(at / width));
  return plane;
};
const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 1e-3, `${value} for ${wanted}`);

test("an even plane stays even under every filter, at every size and radius", () => {
  fc.assert(
    fc.property(sizes, ([width, height, radius]) => {
      const even = filled(width, height, () => 0.625);
      for (const plane of [
        boxBlurred(even, radius),
        blurred(even, radius),
        guided(even, even, Math.max(1, radius), 0.2),
      ])
        for (const value of plane.values) near(value, 0.625);
      for (const value of resized(even, height, width).values) near(value, 0.625);
    }),
  );
});

test("a box blur is the mean of its box", () => {
  const plane = filled(9, 7, (x, y) => x * 3 + y * y);
  let sum = 0;
  for (let y = 1; y <= 5; y++) for (let x = 2; x <= 6; x++) sum += x * 3 + y * y;
  near(boxBlurred(plane, 2).values[3 * 9 + 4] ?? 0, sum / 25);
});

test("the guided filter removes noise and keeps a high step", () => {
  const noisy = filled(60, 60, (x, y) => (x < 30 ? 0 : 2) + ((x * 7 + y * 13) % 5) * 0.02);
  for (const radius of [2, 9]) {
    const smooth = guided(noisy, noisy, radius, 0.25);
    const at = (x: number, y: number) => smooth.values[y * 60 + x] ?? 0;
    assert.ok(Math.abs(at(12, 30) - at(13, 31)) < 0.02);
    assert.ok(at(33, 30) - at(26, 30) > 1.7);
  }
});

test("halving and doubling a size keeps the mean", () => {
  const slope = filled(64, 32, (x, y) => x + y);
  near(meanOf(resized(slope, 16, 8)), meanOf(slope));
  near(meanOf(resized(slope, 128, 64)), meanOf(slope));
});
