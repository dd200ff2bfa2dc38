import assert from "node:assert/strict";
import { test } from "node:test";
import { fitZoom, gridFrom, pixelsFrom, zoomMax } from "./zoom.ts";

test("single pixels show before any lines between them, and no picture is fitted at a scale that has lines", () => {
  assert.ok(pixelsFrom < gridFrom && gridFrom <= zoomMax);
  assert.ok(gridFrom >= 8, "from 400 % on, lines veil the picture");
  for (const side of [1, 16, 64, 1_024])
    assert.ok(fitZoom({ width: 3_840, height: 2_160 }, { width: side, height: side }) < gridFrom, `${side} pixels`);
});
