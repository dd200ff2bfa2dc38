import assert from "node:assert/strict";
import { test } from "node:test";
import { portrait } from "../../test/support/portrait.ts";
import { mapped, type Plane } from "./plane.ts";
import { luminanceOf, readScenery } from "./raster.ts";
import { skinOf, subjectOf } from "./subject.ts";

const [width, height] = [160, 192];
const scenery = readScenery({ width, height, pixels: portrait(width, height) });
const guide = mapped(luminanceOf(scenery), (value) => Math.log2(value + 1 / 512));
const at = (plane: Plane, x: number, y: number) =>
  plane.values[Math.round(y * (height - 1)) * width + Math.round(x * (width - 1))] ?? 0;

test("the head is the subject, the corners are not", () => {
  const subject = subjectOf(scenery, guide);
  assert.ok(at(subject, 0.5, 0.5) > 0.8 && at(subject, 0.5, 0.25) > 0.6);
  for (const x of [0.03, 0.97]) assert.ok(at(subject, x, 0.04) < 0.2);
});

test("the cheeks are skin; hair, backdrop, shirt and eyes are not", () => {
  const skin = skinOf(scenery, guide);
  assert.ok(at(skin, 0.4, 0.55) > 0.7 && at(skin, 0.6, 0.55) > 0.7);
  for (const [x, y] of [
    [0.5, 0.2],
    [0.05, 0.1],
    [0.5, 0.97],
    [0.6, 0.44],
  ] as const)
    assert.ok(at(skin, x, y) < 0.4, `${x} ${y}: ${at(skin, x, y)}`);
});
