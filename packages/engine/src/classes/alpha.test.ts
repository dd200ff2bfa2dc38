import assert from "node:assert/strict";
import { test } from "node:test";
import {
  assertPicture,
  maskOf,
  picture,
  pixel,
  runClass,
  runForImage,
  testContext,
} from "../../test/support/run-class.ts";

const image = picture(9, 6, { seed: 2, channels: 4 });

test("splitting gives colours and 1 − alpha; without alpha nothing is transparent", async () => {
  const [colours, mask] = await runClass("SplitImageWithAlpha", { image });
  assert.ok(
    typeof colours === "object" && colours.kind === "image" && typeof mask === "object" && mask.kind === "mask",
  );
  assertPicture(colours, image, (x, y, channel) => pixel(image, x, y, channel));
  assertPicture(mask, image, (x, y) => Math.fround(1 - pixel(image, x, y, 3)));
  const [, none] = await runClass("SplitImageWithAlpha", { image: picture(2, 2) });
  assert.ok(typeof none === "object" && none.kind === "mask" && none.data.every((value) => value === 0));
});

test("joining puts 1 − mask into the alpha, fitted to the picture", async () => {
  const alpha = maskOf(9, 6, { seed: 5 });
  const out = await runForImage("JoinImageWithAlpha", { image, alpha });
  assertPicture(out, image, (x, y, channel) =>
    channel === 3 ? Math.fround(1 - pixel(alpha, x, y)) : pixel(image, x, y, channel),
  );
  const flat = { kind: "mask", batch: 1, width: 2, height: 2, data: new Float32Array(4).fill(0.25) };
  const fitted = await runForImage("JoinImageWithAlpha", { image, alpha: flat });
  assert.ok([0, 1, 2].every((x) => Math.abs(pixel(fitted, x, 0, 3) - 0.75) < 1e-6));
});

test("of two batches 0.7 takes the shorter, 0.30 repeats it to the longer", async () => {
  const several = picture(3, 2, { seed: 4, batch: 3 });
  const alpha = maskOf(3, 2, { seed: 6 });
  for (const [profile, batch] of [
    ["0.7", 1],
    ["0.30", 3],
  ] as const) {
    const [out] = await runClass("JoinImageWithAlpha", { image: several, alpha }, testContext({ profile }));
    assert.ok(typeof out === "object" && out.kind === "image");
    assert.equal(out.batch, batch);
    const alphas = Array.from({ length: batch * 6 }, (_, at) => out.data[at * 4 + 3]);
    assert.deepEqual(
      alphas,
      alphas.map((_, at) => Math.fround(1 - (alpha.data[at % 6] ?? 0))),
    );
  }
});

// The operators by their definition: result alpha and premultiplied colour, from premultiplied s, d and alphas a, b.
type Rule = (s: number, a: number, d: number, b: number) => readonly [alpha: number, colour: number];
const rules: Readonly<Record<string, Rule>> = {
  ADD: (s, a, d, b) => [Math.min(1, a + b), Math.min(1, s + d)],
  CLEAR: () => [0, 0],
  DARKEN: (s, a, d, b) => [a + b - a * b, (1 - b) * s + (1 - a) * d + Math.min(s, d)],
  DST: (_s, _a, d, b) => [b, d],
  DST_ATOP: (s, a, d, b) => [a, a * d + (1 - b) * s],
  DST_IN: (_s, a, d, b) => [a * b, a * d],
  DST_OUT: (_s, a, d, b) => [(1 - a) * b, (1 - a) * d],
  DST_OVER: (s, a, d, b) => [b + a * (1 - b), d + (1 - b) * s],
  LIGHTEN: (s, a, d, b) => [a + b - a * b, (1 - b) * s + (1 - a) * d + Math.max(s, d)],
  MULTIPLY: (s, a, d, b) => [a * b, s * d],
  OVERLAY: (s, a, d, b) => [a + b - a * b, 2 * d < b ? 2 * s * d : a * b - 2 * (b - s) * (a - d)],
  SCREEN: (s, a, d, b) => [a + b - a * b, s + d - s * d],
  SRC: (s, a) => [a, s],
  SRC_ATOP: (s, a, d, b) => [b, b * s + (1 - a) * d],
  SRC_IN: (s, a, _d, b) => [a * b, b * s],
  SRC_OUT: (s, a, _d, b) => [(1 - b) * a, (1 - b) * s],
  SRC_OVER: (s, a, d, b) => [a + b * (1 - a), s + (1 - a) * d],
  XOR: (s, a, d, b) => [a * (1 - b) + b * (1 - a), (1 - b) * s + (1 - a) * d],
};

for (const [mode, rule] of Object.entries(rules)) {
  test(`Porter-Duff ${mode} obeys its rule, in masks of what is transparent`, async () => {
    const [source, destination] = [
      picture(8, 5, { seed: 1, isSmooth: true }),
      picture(8, 5, { seed: 2, isSmooth: true }),
    ];
    const [source_alpha, destination_alpha] = [maskOf(8, 5, { seed: 3 }), maskOf(8, 5, { seed: 4 })];
    const [out, mask] = await runClass("PorterDuffImageComposite", {
      source,
      source_alpha,
      destination,
      destination_alpha,
      mode,
    });
    assert.ok(typeof out === "object" && out.kind === "image" && typeof mask === "object" && mask.kind === "mask");
    const at = (x: number, y: number, channel: number) => {
      const [a, b] = [1 - pixel(source_alpha, x, y), 1 - pixel(destination_alpha, x, y)];
      return rule(pixel(source, x, y, channel) * a, a, pixel(destination, x, y, channel) * b, b);
    };
    assertPicture(out, source, (x, y, channel) => {
      const [alpha, colour] = at(x, y, channel);
      return alpha > 1e-5 ? Math.min(1, Math.max(0, colour / alpha)) : 0;
    });
    for (const [index, value] of mask.data.entries()) {
      const [alpha] = at(index % 8, Math.floor(index / 8), 0);
      assert.ok(Math.abs(value - (1 - alpha)) < 1e-6);
    }
  });
}

test("pictures with another number of channels are refused", async () => {
  const [mask, source] = [maskOf(2, 2), picture(2, 2, { channels: 4 })];
  const inputs = { source, source_alpha: mask, destination: picture(2, 2), destination_alpha: mask, mode: "SRC" };
  await assert.rejects(runClass("PorterDuffImageComposite", inputs), /channels/);
});
