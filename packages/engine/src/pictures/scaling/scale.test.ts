import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertPicture, picture, pixel, runClass, runForImage, testContext } from "../../../test/support/run-class.ts";
import { scaleMethods } from "../../graph/describe-inputs.ts";
import type { Picture } from "../picture.ts";
import { scaled } from "./scale.ts";

const source = picture(23, 17, { seed: 5, isSmooth: true });
const sizes = [
  { width: 46, height: 34 },
  { width: 11, height: 8 },
  { width: 31, height: 9 },
  { width: 7, height: 40 },
];

const clamp = (value: number, most: number) => Math.min(Math.max(value, 0), most);
const at = (from: Picture, x: number, y: number, channel: number) =>
  pixel(from, clamp(x, from.width - 1), clamp(y, from.height - 1), channel);

for (const size of sizes) {
  const name = `${source.width} × ${source.height} to ${size.width} × ${size.height}`;
  const across = source.width / size.width;
  const down = source.height / size.height;

  test(`nearest-exact takes the pixel whose area holds the centre: ${name}`, async () => {
    const out = await runForImage("ImageScale", {
      image: source,
      upscale_method: "nearest-exact",
      ...size,
      crop: "disabled",
    });
    assertPicture(out, size, (x, y, channel) =>
      at(source, Math.floor((x + 0.5) * across), Math.floor((y + 0.5) * down), channel),
    );
  });

  test(`bilinear weighs the four pixels around the centre, without antialias: ${name}`, async () => {
    const out = await runForImage("ImageScale", {
      image: source,
      upscale_method: "bilinear",
      ...size,
      crop: "disabled",
    });
    assertPicture(out, size, (x, y, channel) => {
      const sx = Math.max(0, (x + 0.5) * across - 0.5);
      const sy = Math.max(0, (y + 0.5) * down - 0.5);
      const [left, top] = [Math.floor(sx), Math.floor(sy)];
      const [u, v] = [sx - left, sy - top];
      const upper = at(source, left, top, channel) * (1 - u) + at(source, left + 1, top, channel) * u;
      const lower = at(source, left, top + 1, channel) * (1 - u) + at(source, left + 1, top + 1, channel) * u;
      return upper * (1 - v) + lower * v;
    });
  });

  test(`bicubic is the convolution with a = −0.75 over sixteen pixels: ${name}`, async () => {
    const weight = (distance: number) => {
      const d = Math.abs(distance);
      if (d <= 1) return 1.25 * d ** 3 - 2.25 * d ** 2 + 1;
      return d < 2 ? -0.75 * d ** 3 + 3.75 * d ** 2 - 6 * d + 3 : 0;
    };
    const out = await runForImage("ImageScale", {
      image: source,
      upscale_method: "bicubic",
      ...size,
      crop: "disabled",
    });
    assertPicture(out, size, (x, y, channel) => {
      const sx = (x + 0.5) * across - 0.5;
      const sy = (y + 0.5) * down - 0.5;
      let sum = 0;
      for (let row = Math.floor(sy) - 1; row <= Math.floor(sy) + 2; row++) {
        for (let column = Math.floor(sx) - 1; column <= Math.floor(sx) + 2; column++) {
          sum += weight(sx - column) * weight(sy - row) * at(source, column, row, channel);
        }
      }
      return sum;
    });
  });

  test(`area is the mean of all pixels a target pixel touches: ${name}`, async () => {
    const out = await runForImage("ImageScale", { image: source, upscale_method: "area", ...size, crop: "disabled" });
    assertPicture(out, size, (x, y, channel) => {
      const values: number[] = [];
      for (
        let row = Math.floor((y * source.height) / size.height);
        row < Math.ceil(((y + 1) * source.height) / size.height);
        row++
      ) {
        for (
          let column = Math.floor((x * source.width) / size.width);
          column < Math.ceil(((x + 1) * source.width) / size.width);
          column++
        ) {
          values.push(at(source, column, row, channel));
        }
      }
      return values.reduce((sum, value) => sum + value, 0) / values.length;
    });
  });

  test(`lanczos has three lobes, widened when reducing, on bytes: ${name}`, async () => {
    const out = await runForImage("ImageScale", {
      image: source,
      upscale_method: "lanczos",
      ...size,
      crop: "disabled",
    });
    const middle = lanczosAxis(source.width, size.width, (x, channel, y) =>
      Math.floor(Math.fround(at(source, x, y, channel) * 255)),
    );
    const whole = lanczosAxis(source.height, size.height, (y, channel, x) => middle(x, channel, y));
    assertPicture(out, size, (x, y, channel) => whole(y, channel, x) / 255);
  });
}

// One axis by definition: Σ weight × value ÷ Σ weight, rounded to a byte.
function lanczosAxis(from: number, to: number, read: (position: number, channel: number, other: number) => number) {
  const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));
  const kernel = (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0);
  const scale = from / to;
  const wide = Math.max(1, scale);
  return (target: number, channel: number, other: number): number => {
    let [sum, total] = [0, 0];
    for (let position = 0; position < from; position++) {
      const weight = kernel((position + 0.5 - (target + 0.5) * scale) / wide);
      sum += weight * read(position, channel, other);
      total += weight;
    }
    return clamp(Math.floor(sum / total + 0.5), 255);
  };
}

test("scaling by 1 changes nothing, with any method", async () => {
  for (const method of scaleMethods) {
    const image = picture(23, 17);
    const out = await runForImage("ImageScaleBy", { image, upscale_method: method, scale_by: 1 });
    assert.deepEqual(out.data, image.data, method);
  }
});

// The application's shares are 32-bit numbers that do not always add up to exactly 1, and neither do ours.
test("a flat colour stays that colour: exactly without interpolation, else to a hundred-thousandth", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...scaleMethods),
      fc.integer({ min: 0, max: 255 }),
      fc.integer({ min: 1, max: 40 }),
      fc.integer({ min: 1, max: 40 }),
      async (method, level, width, height) => {
        const flat: Picture = {
          kind: "image",
          batch: 1,
          width: 9,
          height: 13,
          channels: 3,
          data: new Float32Array(351).fill(level / 255),
        };
        const out = await scaled(flat, { width, height }, method, "disabled", testContext());
        const allowed = method === "nearest-exact" || method === "lanczos" ? 0 : 1e-5;
        const wanted = Math.fround(level / 255);
        assert.ok(out.data.every((value) => Math.abs(value - wanted) <= allowed));
      },
    ),
    { numRuns: 100 },
  );
});

test("a batch of two is scaled like two single pictures", async () => {
  const [one, two] = [picture(12, 9, { seed: 1 }), picture(12, 9, { seed: 2 })];
  const both: Picture = { ...one, batch: 2, data: Float32Array.of(...one.data, ...two.data) };
  for (const upscale_method of scaleMethods) {
    const inputs = { upscale_method, width: 20, height: 5, crop: "center" };
    const [first, second, batch] = await Promise.all(
      [one, two, both].map((image) => runForImage("ImageScale", { image, ...inputs })),
    );
    assert.deepEqual(batch?.data, Float32Array.of(...(first?.data ?? []), ...(second?.data ?? [])), upscale_method);
  }
});

test("0 keeps the aspect ratio on that side, and 0 on both sides keeps the picture", async () => {
  const sizeOf = async (width: number, height: number) => {
    const out = await runForImage("ImageScale", {
      image: source,
      upscale_method: "area",
      width,
      height,
      crop: "disabled",
    });
    return [out.width, out.height];
  };
  assert.deepEqual(await sizeOf(0, 34), [46, 34]);
  assert.deepEqual(await sizeOf(10, 0), [10, 7]);
  assert.deepEqual(await sizeOf(0, 0), [23, 17]);
});

test("cropping to the centre cuts the same from both sides before scaling", async () => {
  const size = { width: 17, height: 17 };
  const out = await runForImage("ImageScale", {
    image: source,
    upscale_method: "nearest-exact",
    ...size,
    crop: "center",
  });
  assertPicture(out, size, (x, y, channel) => pixel(source, x + 3, y, channel));
});

test("sizes follow from factor, megapixels and longest side, halves rounding to even", async () => {
  const sizeOf = async (name: string, inputs: object, image = source) => {
    const out = await runForImage(name, { image, upscale_method: "nearest-exact", ...inputs });
    return [out.width, out.height];
  };
  assert.deepEqual(await sizeOf("ImageScaleBy", { scale_by: 0.5 }), [12, 8]);
  assert.deepEqual(await sizeOf("ImageScaleToMaxDimension", { largest_size: 46 }), [46, 34]);
  assert.deepEqual(await sizeOf("ImageScaleToMaxDimension", { largest_size: 10 }, picture(5, 20)), [2, 10]);
  const total = 0.01 * 1024 * 1024;
  const by = Math.sqrt(total / (23 * 17));
  assert.deepEqual(await sizeOf("ImageScaleToTotalPixels", { megapixels: 0.01, resolution_steps: 1 }), [
    Math.round(23 * by),
    Math.round(17 * by),
  ]);
  assert.deepEqual(await sizeOf("ImageScaleToTotalPixels", { megapixels: 0.01, resolution_steps: 16 }), [112, 96]);
});

test("resizing with padding fits the picture into the middle of white or black", async () => {
  const image = picture(10, 5, { seed: 3 });
  for (const [padding_color, ground] of [
    ["white", 1],
    ["black", 0],
  ] as const) {
    const inputs = { target_width: 20, target_height: 16, padding_color, interpolation: "nearest-exact" };
    const out = await runForImage("ResizeAndPadImage", { image, ...inputs });
    assertPicture(out, { width: 20, height: 16 }, (x, y, channel) => {
      const inside = y >= 3 && y < 13;
      return inside ? pixel(image, Math.floor(x / 2), Math.floor((y - 3) / 2), channel) : ground;
    });
  }
});

test("a picture without pixels is refused", async () => {
  await assert.rejects(
    runClass("ImageScaleBy", { image: picture(2, 2), upscale_method: "area", scale_by: 0.01 }),
    /empty/,
  );
});

test("lanczos keeps the colour beside transparent pixels", async () => {
  const image: Picture = {
    kind: "image",
    batch: 1,
    width: 2,
    height: 1,
    channels: 4,
    data: Float32Array.of(1, 0, 0, 1, 0, 1, 0, 0),
  };
  const out = await runForImage("ImageScale", {
    image,
    upscale_method: "lanczos",
    width: 8,
    height: 1,
    crop: "disabled",
  });
  for (let x = 0; x < 8; x++)
    if (pixel(out, x, 0, 3) > 0.1) assert.ok(pixel(out, x, 0, 1) < 0.02, `no green bleeds in at ${x}`);
});
