import assert from "node:assert/strict";
import { test } from "node:test";
import { paletteFor } from "./palette.ts";
import { randomFrom } from "./random.ts";

const hueDistance = (a: number, b: number) => Math.abs(((a - b + 540) % 360) - 180);

test("a named colour sets the mood of the picture", () => {
  for (const hue of [25, 145, 258, 305]) {
    const palette = paletteFor("day", { hue, isOfSubject: false }, randomFrom(String(hue)));
    assert.ok(hueDistance(palette.middle[2], hue) < 45, `${hue}: ${palette.middle[2]}`);
  }
});

test("the colour of a subject goes to the accent and leaves the sky alone", () => {
  const plain = paletteFor("day", null, randomFrom("x"));
  const subject = paletteFor("day", { hue: 25, isOfSubject: true }, randomFrom("x"));
  assert.equal(subject.accent[2], 25);
  assert.ok(hueDistance(subject.top[2], plain.top[2]) < 20);
});

test("the same mood varies with the seed, and night stays dark", () => {
  const nights = [1, 2, 3].map((seed) => paletteFor("night", null, randomFrom(String(seed))));
  assert.equal(new Set(nights.map((night) => night.top[2])).size, 3);
  for (const night of nights) assert.ok(night.top[0] < 0.25 && night.darkness === 1);
});
