import assert from "node:assert/strict";
import { test } from "node:test";
import { assertPicture, picture, pixel, runClass, runForImage } from "../../test/support/run-class.ts";
import { toBytes } from "../pictures/colours/eight-bits.ts";
import { bayerMatrix } from "../pictures/colours/quantize.ts";
import type { Picture } from "../pictures/picture.ts";
import { normals } from "../pictures/random.ts";

// Published figures for the application's generator with seed 0, to four decimals.
test("noise equals that of the application's generator, for few and for many numbers", () => {
  const rounded = (values: Float32Array) => Array.from(values, (value) => Number(value.toFixed(4)));
  assert.deepEqual(rounded(normals(0n, 6)), [1.541, -0.2934, -2.1788, 0.5684, -1.0845, -1.3986]);
  assert.deepEqual(
    rounded(normals(0n, 16)).slice(0, 8),
    [-1.1258, -1.1524, -0.2506, -0.4339, 0.8487, 0.692, -0.316, -2.1152],
  );
});

test("adding noise is picture + strength × noise, clipped; the seed's upper bits do not matter", async () => {
  const image = picture(9, 7, { seed: 3 });
  const out = await runForImage("ImageAddNoise", { image, seed: 42, strength: 0.2 });
  const noise = normals(42n, image.data.length);
  assertPicture(out, image, (x, y, channel) => {
    const value = pixel(image, x, y, channel) + 0.2 * (noise[(y * 9 + x) * 3 + channel] ?? 0);
    return Math.min(1, Math.max(0, value));
  });
  const again = await runForImage("ImageAddNoise", { image, seed: 42n + (7n << 32n), strength: 0.2 });
  assert.deepEqual(again.data, out.data);
});

test("noise of many numbers has mean 0 and deviation 1", () => {
  const values = normals(7n, 100_003);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  assert.ok(Math.abs(mean) < 0.02 && Math.abs(variance - 1) < 0.03, `${mean} and ${variance}`);
});

const colourCount = (image: Picture) => {
  const bytes = toBytes(image.data);
  return new Set(Array.from({ length: bytes.length / 3 }, (_, at) => bytes.subarray(at * 3, at * 3 + 3).join(",")))
    .size;
};

test("few colours are kept exactly, with any dithering", async () => {
  const colours = [0x000000, 0xff0000, 0x00ff00, 0x1234ab];
  const data = Float32Array.from({ length: 8 * 8 * 3 }, (_, at) => {
    const colour = colours[Math.floor(at / 3) % 4] ?? 0;
    return ((colour >> (16 - 8 * (at % 3))) & 255) / 255;
  });
  const image: Picture = { ...picture(8, 8), data };
  for (const dither of ["none", "floyd-steinberg"]) {
    assert.deepEqual((await runForImage("ImageQuantize", { image, colors: 4, dither })).data, data, dither);
  }
});

test("there are never more colours than asked for, and each is the nearest to its cell's darkest corner", async () => {
  const image = picture(24, 24, { seed: 5 });
  for (const dither of ["none", "floyd-steinberg", "bayer-2", "bayer-4", "bayer-8", "bayer-16"]) {
    for (const colors of [1, 2, 7, 16]) {
      const out = await runForImage("ImageQuantize", { image, colors, dither });
      assert.ok(colourCount(out) <= colors, `${dither} ${colors}`);
    }
  }
  const out = await runForImage("ImageQuantize", { image, colors: 8, dither: "none" });
  const palette = new Map<string, number[]>();
  for (let at = 0; at < out.data.length; at += 3) {
    const colour = [...out.data.subarray(at, at + 3)];
    palette.set(colour.join(), colour);
  }
  const distance = (one: ArrayLike<number>, other: ArrayLike<number>) =>
    [0, 1, 2].reduce((sum, channel) => sum + ((one[channel] ?? 0) - (other[channel] ?? 0)) ** 2, 0);
  for (let at = 0; at < out.data.length; at += 3) {
    const corner = image.data
      .subarray(at, at + 3)
      .map((value) => Math.floor(Math.round(value * 255) / 4) * 4 * (1 / 255));
    const [before, after] = [corner, out.data.subarray(at, at + 3)];
    const least = Math.min(...[...palette.values()].map((colour) => distance(before, colour)));
    assert.ok(distance(before, after) <= least + 1e-6);
  }
});

test("one colour is the mean of the picture", async () => {
  const image = picture(10, 10, { seed: 5 });
  const out = await runForImage("ImageQuantize", { image, colors: 1, dither: "none" });
  const bytes = toBytes(image.data);
  for (let channel = 0; channel < 3; channel++) {
    const sum = bytes.reduce((total, level, at) => (at % 3 === channel ? total + level : total), 0);
    assert.equal(toBytes(out.data)[channel], Math.round(sum / 100));
  }
});

test("the Bayer pattern of order 2 and 4 is the known one", () => {
  const ranks = (matrix: number[][]) => {
    const sorted = matrix.flat().sort((one, other) => one - other);
    return matrix.map((row) => row.map((value) => sorted.indexOf(value)));
  };
  assert.deepEqual(ranks(bayerMatrix(2)), [
    [0, 2],
    [3, 1],
  ]);
  assert.deepEqual(ranks(bayerMatrix(4)), [
    [0, 8, 2, 10],
    [12, 4, 14, 6],
    [3, 11, 1, 9],
    [15, 7, 13, 5],
  ]);
});

test("a picture with alpha is refused", async () => {
  await assert.rejects(
    runClass("ImageQuantize", { image: picture(2, 2, { channels: 4 }), colors: 2, dither: "none" }),
    /alpha/,
  );
});
