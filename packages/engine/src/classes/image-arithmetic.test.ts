import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assertPicture, maskOf, picture, pixel, runClass, runForImage } from "../../test/support/run-class.ts";
import type { Picture } from "../pictures/picture.ts";

const one = picture(19, 13, { seed: 1 });
const two = picture(19, 13, { seed: 2 });

test("inverting is 1 − colour, and inverting twice differs at most in the last bit", async () => {
  const out = await runForImage("ImageInvert", { image: one });
  assertPicture(out, one, (x, y, channel) => Math.fround(1 - pixel(one, x, y, channel)));
  const back = await runForImage("ImageInvert", { image: out });
  for (const [at, value] of back.data.entries()) assert.ok(Math.abs(value - (one.data[at] ?? 0)) <= 2 ** -24);
});

// a is the first picture, b the second.
const formulas: Readonly<Record<string, (a: number, b: number) => number>> = {
  normal: (_a, b) => b,
  multiply: (a, b) => a * b,
  screen: (a, b) => a + b - a * b,
  overlay: (a, b) => (a <= 0.5 ? 2 * a * b : 1 - 2 * (1 - a) * (1 - b)),
  soft_light: (a, b) => {
    if (b <= 0.5) return a - (1 - 2 * b) * a * (1 - a);
    const g = a <= 0.25 ? ((16 * a - 12) * a + 4) * a : Math.sqrt(a);
    return a + (2 * b - 1) * (g - a);
  },
  difference: (a, b) => a - b,
};

for (const [mode, formula] of Object.entries(formulas)) {
  test(`${mode} obeys its formula on random pixels and factors`, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        async (seed, factor) => {
          const [image1, image2] = [picture(16, 16, { seed }), picture(16, 16, { seed: seed + 1 })];
          const out = await runForImage("ImageBlend", { image1, image2, blend_factor: factor, blend_mode: mode });
          for (const [at, got] of out.data.entries()) {
            const [a, b] = [image1.data[at] ?? 0, image2.data[at] ?? 0];
            const wanted = Math.min(1, Math.max(0, a * (1 - factor) + formula(a, b) * factor));
            assert.ok(Math.abs(got - wanted) < 1e-6, `${a} and ${b}: ${got}, not ${wanted}`);
          }
        },
      ),
      { numRuns: 20 },
    );
    const out = await runForImage("ImageBlend", { image1: one, image2: two, blend_factor: 0.37, blend_mode: mode });
    assertPicture(out, one, (x, y, channel) => {
      const [a, b] = [pixel(one, x, y, channel), pixel(two, x, y, channel)];
      return Math.min(1, Math.max(0, a * 0.63 + formula(a, b) * 0.37));
    });
  });
}

test("the second picture of a blend is scaled to the first, and one picture blends with a batch", async () => {
  const small: Picture = { ...picture(4, 4), data: new Float32Array(48).fill(0.5) };
  const batch = picture(19, 13, { batch: 2 });
  const out = await runForImage("ImageBlend", {
    image1: batch,
    image2: small,
    blend_factor: 0.5,
    blend_mode: "normal",
  });
  assertPicture(out, batch, (x, y, channel, index) => pixel(batch, x, y, channel, index) * 0.5 + 0.25);
});

test("blur is the two-dimensional gaussian over a mirrored picture", async () => {
  for (const [radius, sigma] of [
    [1, 1],
    [3, 0.4],
    [5, 2.5],
  ] as const) {
    const out = await runForImage("ImageBlur", { image: one, blur_radius: radius, sigma });
    assertPicture(out, one, (x, y, channel) => gauss(one, x, y, channel, radius, sigma));
  }
});

// Samples of exp(−d² ÷ 2σ²) on a grid from −1 to 1 in both directions, divided by their sum.
function gauss(image: Picture, x: number, y: number, channel: number, radius: number, sigma: number): number {
  const mirror = (at: number, length: number) => (at < 0 ? -at : at >= length ? 2 * length - 2 - at : at);
  let [sum, total] = [0, 0];
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const weight = Math.exp(-((dx / radius) ** 2 + (dy / radius) ** 2) / (2 * sigma ** 2));
      total += weight;
      sum += weight * pixel(image, mirror(x + dx, image.width), mirror(y + dy, image.height), channel);
    }
  }
  return sum / total;
}

test("sharpening is the kernel −10·alpha·gauss whose middle brings its sum to 1", async () => {
  for (const [radius, sigma, alpha] of [
    [1, 1, 0.1],
    [4, 0.7, 0.35],
    [2, 1, 0],
  ] as const) {
    const out = await runForImage("ImageSharpen", { image: one, sharpen_radius: radius, sigma, alpha });
    assertPicture(out, one, (x, y, channel) => {
      const value =
        pixel(one, x, y, channel) * (1 + 10 * alpha) - 10 * alpha * gauss(one, x, y, channel, radius, sigma);
      return Math.min(1, Math.max(0, value));
    });
  }
});

test("a radius that does not fit into the picture is refused", async () => {
  await assert.rejects(
    runClass("ImageBlur", { image: picture(5, 40), blur_radius: 5, sigma: 1 }),
    /smaller than the picture/,
  );
});

test("a composite is mask × source + (1 − mask) × destination, where the source lies", async () => {
  const destination = picture(20, 15, { seed: 8 });
  const source = picture(9, 7, { seed: 9 });
  const mask = maskOf(9, 7, { seed: 10 });
  const out = await runForImage("ImageCompositeMasked", {
    destination,
    source,
    x: 14,
    y: 4,
    resize_source: false,
    mask,
  });
  assertPicture(out, destination, (x, y, channel) => {
    const below = pixel(destination, x, y, channel);
    if (x < 14 || y < 4 || y >= 11) return below;
    const share = pixel(mask, x - 14, y - 4);
    return share * pixel(source, x - 14, y - 4, channel) + (1 - share) * below;
  });
});

test("without a mask the source covers; resized it covers everything; a mask is fitted to the source", async () => {
  const destination = picture(12, 8, { seed: 3, isSmooth: true });
  const source = picture(6, 4, { seed: 4 });
  const covered = await runForImage("ImageCompositeMasked", { destination, source, x: 0, y: 0, resize_source: false });
  assertPicture(covered, destination, (x, y, channel) =>
    x < 6 && y < 4 ? pixel(source, x, y, channel) : pixel(destination, x, y, channel),
  );
  const mask = { kind: "mask", batch: 1, width: 2, height: 2, data: new Float32Array(4).fill(0.25) };
  const flat: Picture = { ...source, data: new Float32Array(source.data.length).fill(1) };
  const whole = await runForImage("ImageCompositeMasked", {
    destination,
    source: flat,
    x: 0,
    y: 0,
    resize_source: true,
    mask,
  });
  assertPicture(whole, destination, (x, y, channel) => 0.25 + 0.75 * pixel(destination, x, y, channel));
});

test("a source beyond the edge changes nothing, and alpha is added or dropped as the destination needs", async () => {
  const destination = picture(5, 5, { seed: 3 });
  const source = picture(3, 3, { seed: 4, channels: 4 });
  const away = await runForImage("ImageCompositeMasked", { destination, source, x: 50, y: 2, resize_source: false });
  assert.deepEqual(away.data, destination.data);
  const opaque = await runForImage("ImageCompositeMasked", {
    destination: picture(5, 5, { channels: 4 }),
    source: picture(3, 3),
    x: 0,
    y: 0,
    resize_source: false,
  });
  assert.equal(pixel(opaque, 0, 0, 3), 1);
});

test("a batch of two gives what two single runs give", async () => {
  const both: Picture = { ...one, batch: 2, data: Float32Array.of(...one.data, ...two.data) };
  const cases: readonly [string, string, object][] = [
    ["ImageInvert", "image", {}],
    ["ImageBlur", "image", { blur_radius: 2, sigma: 1 }],
    ["ImageSharpen", "image", { sharpen_radius: 2, sigma: 1, alpha: 0.5 }],
    ["ImageQuantize", "image", { colors: 8, dither: "floyd-steinberg" }],
    ["ImageFlip", "image", { flip_method: "x-axis: vertically" }],
    ["ImageRotate", "image", { rotation: "90 degrees" }],
    ["ImageCrop", "image", { width: 5, height: 4, x: 2, y: 3 }],
  ];
  for (const [name, input, others] of cases) {
    const [first, second, batch] = await Promise.all(
      [one, two, both].map((image) => runForImage(name, { [input]: image, ...others })),
    );
    assert.deepEqual(batch?.data, Float32Array.of(...(first?.data ?? []), ...(second?.data ?? [])), name);
  }
});
