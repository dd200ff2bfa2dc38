import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { between, screenSteps, screenValue, toLight } from "./colour.ts";

test("black is black, white is white, grey has no colour", () => {
  for (const [lightness, expected] of [
    [0, 0],
    [1, 1],
  ] as const)
    for (const channel of toLight([lightness, 0, 0])) assert.ok(Math.abs(channel - expected) < 0.001);
  const [red, green, blue] = toLight([0.5, 0, 123]);
  assert.ok(Math.abs(red - green) < 0.001 && Math.abs(green - blue) < 0.001);
});

test("no tone makes negative light", () => {
  const tone = fc.tuple(
    fc.double({ min: 0, max: 1, noNaN: true }),
    fc.double({ min: 0, max: 0.3, noNaN: true }),
    fc.double({ min: 0, max: 360, noNaN: true }),
  );
  fc.assert(fc.property(tone, (one) => toLight(one).every((channel) => channel >= 0)));
});

test("a blend of two tones begins at one and ends at the other", () => {
  const [from, to] = [
    [0.2, 0.1, 30],
    [0.9, 0.05, 250],
  ] as const;
  for (const [share, end] of [
    [0, from],
    [1, to],
  ] as const)
    for (const [index, part] of between(from, to, share).entries())
      assert.ok(Math.abs(part - (end[index] ?? 0)) < 1e-6);
});

test("brighter light never looks darker", () => {
  for (let step = 1; step <= screenSteps; step++) assert.ok((screenValue[step] ?? 0) >= (screenValue[step - 1] ?? 0));
  assert.equal(screenValue[0], 0);
  assert.equal(Math.round(screenValue[screenSteps] ?? 0), 255);
});
