import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertPicture,
  maskOf,
  picture,
  pixel,
  runClass,
  runForImage,
  runForMask,
} from "../../test/support/run-class.ts";
import type { Mask, Picture } from "../pictures/picture.ts";

const mask = maskOf(11, 8, { seed: 4 });
const ones = (width: number, height: number): Mask => ({
  kind: "mask",
  batch: 1,
  width,
  height,
  data: new Float32Array(width * height).fill(1),
});

test("a solid mask has one value everywhere", async () => {
  assertPicture(await runForMask("SolidMask", { value: 0.3, width: 7, height: 5 }), { width: 7, height: 5 }, () => 0.3);
});

test("an inverted mask is 1 − mask, a threshold makes it 0 or 1", async () => {
  assertPicture(await runForMask("InvertMask", { mask }), mask, (x, y) => Math.fround(1 - pixel(mask, x, y)));
  assertPicture(await runForMask("ThresholdMask", { mask, value: 0.5 }), mask, (x, y) =>
    pixel(mask, x, y) > 0.5 ? 1 : 0,
  );
});

test("cropping a mask cuts a rectangle, up to the edge", async () => {
  const out = await runForMask("CropMask", { mask, x: 8, y: 2, width: 10, height: 3 });
  assertPicture(out, { width: 3, height: 3 }, (x, y) => pixel(mask, x + 8, y + 2));
});

test("feathering multiplies ramps; the far ramps begin at the first column or row", async () => {
  const edges = { left: 4, top: 0, right: 3, bottom: 2 };
  const out = await runForMask("FeatherMask", { mask: ones(10, 6), ...edges });
  // left: columns 0..3 × 1/4..4/4; right: column 0 × 1/3, then 9 × 2/3, 8 × 3/3; bottom: row 0 × 1/2, row 5 × 2/2
  const columns = [1 / 4 / 3, 2 / 4, 3 / 4, 1, 1, 1, 1, 1, 1, 2 / 3];
  const rows = [1 / 2, 1, 1, 1, 1, 1];
  assertPicture(out, { width: 10, height: 6 }, (x, y) => (columns[x] ?? 0) * (rows[y] ?? 0));
});

test("feathering wider than the mask stops at its size", async () => {
  const out = await runForMask("FeatherMask", { mask: ones(4, 1), left: 100, top: 0, right: 0, bottom: 0 });
  assertPicture(out, { width: 4, height: 1 }, (x) => (x + 1) / 4);
});

test("growing takes the largest value within that many steps, shrinking the smallest", async () => {
  const dot: Mask = { ...ones(9, 9), data: new Float32Array(81) };
  dot.data[4 * 9 + 4] = 1;
  const diamond = await runForMask("GrowMask", { mask: dot, expand: 3, tapered_corners: true });
  assertPicture(diamond, dot, (x, y) => (Math.abs(x - 4) + Math.abs(y - 4) <= 3 ? 1 : 0));
  const square = await runForMask("GrowMask", { mask: dot, expand: 2, tapered_corners: false });
  assertPicture(square, dot, (x, y) => (Math.max(Math.abs(x - 4), Math.abs(y - 4)) <= 2 ? 1 : 0));
  const shrunk = await runForMask("GrowMask", { mask, expand: -2, tapered_corners: false });
  assertPicture(shrunk, mask, (x, y) => extreme(x, y, Math.min));
  const grown = await runForMask("GrowMask", { mask, expand: 2, tapered_corners: false });
  assertPicture(grown, mask, (x, y) => extreme(x, y, Math.max));
});

function extreme(x: number, y: number, choose: (one: number, other: number) => number): number {
  let best = pixel(mask, x, y);
  for (let row = Math.max(0, y - 2); row <= Math.min(mask.height - 1, y + 2); row++) {
    for (let column = Math.max(0, x - 2); column <= Math.min(mask.width - 1, x + 2); column++) {
      best = choose(best, pixel(mask, column, row));
    }
  }
  return best;
}

const operations: Readonly<Record<string, (destination: number, source: number) => number>> = {
  multiply: (d, s) => d * s,
  add: (d, s) => d + s,
  subtract: (d, s) => d - s,
  and: (d, s) => Math.round(d) & Math.round(s),
  or: (d, s) => Math.round(d) | Math.round(s),
  xor: (d, s) => Math.round(d) ^ Math.round(s),
};

for (const [operation, formula] of Object.entries(operations)) {
  test(`masks combine by ${operation} where they overlap`, async () => {
    const source = maskOf(6, 6, { seed: 7 });
    const out = await runForMask("MaskComposite", { destination: mask, source, x: 7, y: 1, operation });
    assertPicture(out, mask, (x, y) => {
      const before = pixel(mask, x, y);
      const isOver = x >= 7 && y >= 1 && y < 7;
      return Math.min(1, Math.max(0, isOver ? formula(before, pixel(source, x - 7, y - 1)) : before));
    });
  });
}

test("masks become grey pictures, and channels become masks", async () => {
  const image = await runForImage("MaskToImage", { mask });
  assertPicture(image, mask, (x, y) => pixel(mask, x, y));
  const colours = picture(5, 4, { channels: 4 });
  for (const [at, channel] of ["red", "green", "blue", "alpha"].entries()) {
    assertPicture(await runForMask("ImageToMask", { image: colours, channel }), colours, (x, y) =>
      pixel(colours, x, y, at),
    );
  }
  await assert.rejects(runClass("ImageToMask", { image: picture(2, 2), channel: "alpha" }), /no alpha/);
});

test("a colour becomes a mask of the pixels with exactly that colour", async () => {
  const image: Picture = { ...picture(3, 1), data: Float32Array.of(1, 0.5, 0, 1, 0.499, 0, 254 / 255, 128 / 255, 0) };
  const out = await runForMask("ImageColorToMask", { image, color: 0xff8000 });
  // 0.5 × 255 = 127.5 goes to the even level 128; 0.499 × 255 to 127; the third has another red.
  assert.deepEqual([...out.data], [1, 0, 0]);
});
