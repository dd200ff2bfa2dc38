import assert from "node:assert/strict";
import { test } from "node:test";
import { brightness, edgeContrast, fineEnergy, meanDifference, saturation } from "../../test/support/measure.ts";
import { portrait } from "../../test/support/portrait.ts";
import type { Raster } from "./raster.ts";
import { enhanceSkin, type SkinOrder, skinAims } from "./skin.ts";

const [width, height] = [200, 240];
const original: Raster = { width, height, pixels: portrait(width, height) };
const plain: SkinOrder = { mode: "flexible", aim: "enhance_skin", sharpen: 0, grain: 0, skinDetail: 80 };
const enhanced = (order: Partial<SkinOrder>): Raster => ({
  width,
  height,
  pixels: enhanceSkin(original, { ...plain, ...order }),
});
// The forehead and cheeks: skin, without eyes, hair or lips.
const cheeks = { left: 0.36, top: 0.5, right: 0.64, bottom: 0.58 };

test("skin gets smoother while the edges of the face stay", () => {
  const smooth = enhanced({});
  assert.ok(fineEnergy(smooth, cheeks) < fineEnergy(original, cheeks) * 0.75);
  assert.ok(edgeContrast(smooth) > edgeContrast(original) * 0.8);
});

test("sharpening raises the contrast of edges, step by step", () => {
  const steps = [0, 30, 70, 100].map((sharpen) => edgeContrast(enhanced({ sharpen })));
  assert.ok(
    steps.every((step, at) => at === 0 || step > (steps[at - 1] ?? 0)),
    steps.join(" "),
  );
});

test("grain raises the difference from pixel to pixel, step by step", () => {
  const steps = [0, 10, 40, 100].map((grain) => fineEnergy(enhanced({ grain })));
  assert.ok(
    steps.every((step, at) => at === 0 || step > (steps[at - 1] ?? 0) * 1.04),
    steps.join(" "),
  );
  const [clean, grainy] = [brightness(enhanced({})), brightness(enhanced({ grain: 60 }))];
  assert.ok(Math.abs(clean - grainy) < 1.5);
});

test("every aim looks different, and each like its name", () => {
  const pictures = skinAims.map((aim) => enhanced({ aim }));
  for (const [index, one] of pictures.entries())
    for (const two of pictures.slice(index + 1)) assert.ok(meanDifference(one.pixels, two.pixels) > 0.3);
  assert.ok(brightness(enhanced({ aim: "improve_lighting" })) > brightness(enhanced({})) * 1.04);
  assert.ok(fineEnergy(enhanced({ aim: "transform_to_real" }), cheeks) > fineEnergy(enhanced({}), cheeks) * 1.5);
  assert.ok(saturation(enhanced({ aim: "enhance_everything" })) > saturation(enhanced({})));
});

test("without make-up the lips come closer to the skin", () => {
  const redness = ({ pixels }: Raster) => {
    const at = (Math.round(height * 0.665) * width + width / 2) * 3;
    return (pixels[at] ?? 0) / Math.max(1, pixels[at + 1] ?? 0);
  };
  assert.ok(redness(enhanced({ aim: "no_make_up" })) < redness(enhanced({})) - 0.1);
});

test("the faithful mode keeps as much of the skin as requested", () => {
  const steps = [0, 40, 80, 100].map((skinDetail) => fineEnergy(enhanced({ mode: "faithful", skinDetail }), cheeks));
  assert.ok(
    steps.every((step, at) => at === 0 || step > (steps[at - 1] ?? 0)),
    steps.join(" "),
  );
  const whole = enhanced({ mode: "faithful", skinDetail: 100 });
  assert.ok(meanDifference(whole.pixels, original.pixels) < 3);
  assert.ok(
    meanDifference(enhanced({ mode: "creative" }).pixels, original.pixels) >
      meanDifference(whole.pixels, original.pixels) * 2,
  );
});

test("the same order gives the same bytes", () => {
  assert.deepEqual(
    Buffer.from(enhanced({ grain: 50, sharpen: 20 }).pixels),
    Buffer.from(enhanced({ grain: 50, sharpen: 20 }).pixels),
  );
});
