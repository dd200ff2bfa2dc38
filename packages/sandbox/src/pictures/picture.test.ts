import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { frameCount, renderAnimation } from "./animation.ts";
import { renderPicture } from "./picture.ts";

const prompts = [
  "misty mountains at dawn with a lake",
  "rolling hills and a balloon",
  "desert dunes at sunset",
  "a boat near a lighthouse at night",
  "tokyo skyline, neon",
  "a quiet forest",
  "a ringed planet",
  "abstract silk",
  "bauhaus poster",
  "a meadow of red poppies",
  "a winter cabin under the aurora, rain",
  "a cat, a fox, a castle",
  "a wanderer and a tree and birds",
];
const request = { prompt: "a lighthouse at dusk", seed: "42", width: 96, height: 96 };

// Bits per pixel of the brightness: 0 for a blank picture, 8 for noise.
function entropyOf(pixels: Uint8Array): number {
  const counts = new Array<number>(256).fill(0);
  for (let at = 0; at < pixels.length; at += 3) {
    const brightness = Math.round(((pixels[at] ?? 0) + (pixels[at + 1] ?? 0) + (pixels[at + 2] ?? 0)) / 3);
    counts[brightness] = (counts[brightness] ?? 0) + 1;
  }
  const total = pixels.length / 3;
  return counts.reduce((sum, count) => (count === 0 ? sum : sum - (count / total) * Math.log2(count / total)), 0);
}

function meanDifference(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, value, index) => sum + Math.abs(value - (b[index] ?? 0)), 0) / a.length;
}

test("the same prompt, seed and size make the same bytes", () => {
  for (const prompt of prompts) {
    const once = renderPicture({ ...request, prompt });
    assert.deepEqual(Buffer.from(renderPicture({ ...request, prompt })), Buffer.from(once), prompt);
  }
});

test("another seed makes a visibly different picture of every scene", () => {
  for (const prompt of prompts) {
    const difference = meanDifference(
      renderPicture({ ...request, prompt, seed: "1" }),
      renderPicture({ ...request, prompt, seed: "2" }),
    );
    assert.ok(difference > 6, `${prompt}: ${difference}`);
  }
});

test("seeds that only differ beyond 2^53 make different pictures", () => {
  const a = renderPicture({ ...request, seed: "18446744073709551615" });
  const b = renderPicture({ ...request, seed: "18446744073709551614" });
  const c = renderPicture({ ...request, seed: String(2n ** 200n) });
  const d = renderPicture({ ...request, seed: String(2n ** 200n + 1n) });
  assert.ok(meanDifference(a, b) > 3);
  assert.ok(meanDifference(c, d) > 3);
});

test("another prompt makes another picture", () => {
  assert.ok(meanDifference(renderPicture(request), renderPicture({ ...request, prompt: "a forest in autumn" })) > 10);
});

test("no scene is blank, noisy, too dark or burnt out", () => {
  for (const prompt of prompts)
    for (const seed of ["1", "7"]) {
      const pixels = renderPicture({ prompt, seed, width: 128, height: 128 });
      const entropy = entropyOf(pixels);
      const mean = pixels.reduce((sum, value) => sum + value, 0) / pixels.length;
      assert.ok(entropy > 3 && entropy < 7.95, `${prompt} ${seed}: ${entropy} bits`);
      assert.ok(mean > 12 && mean < 243, `${prompt} ${seed}: mean ${mean}`);
    }
});

test("every size within the bounds is filled to the last pixel", () => {
  const sizes = fc.tuple(fc.integer({ min: 8, max: 40 }), fc.integer({ min: 8, max: 40 }));
  fc.assert(
    fc.property(sizes, fc.constantFrom(...prompts), ([across, down], prompt) => {
      const [width, height] = [across * 8, down * 8];
      const pixels = renderPicture({ prompt, seed: "5", width, height });
      assert.equal(pixels.length, width * height * 3);
      assert.ok(pixels.subarray(-width * 3).some((value) => value > 0));
    }),
    { numRuns: 25 },
  );
});

test("any words and any seed make a picture, and none throws", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, maxLength: 60, unit: "binary" }), fc.bigInt(), (prompt, seed) => {
      assert.equal(renderPicture({ prompt, seed: String(seed), width: 64, height: 64 }).length, 64 * 64 * 3);
    }),
    { numRuns: 40 },
  );
});

test("a scene keeps its place at another size: the large one shrinks to the small one", () => {
  const small = renderPicture({ ...request, width: 64, height: 64 });
  const large = renderPicture({ ...request, width: 256, height: 256 });
  const shrunk = new Uint8Array(small.length);
  for (let y = 0; y < 64; y++)
    for (let x = 0; x < 64; x++)
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0;
        for (let sub = 0; sub < 16; sub++)
          sum += large[((y * 4 + (sub >> 2)) * 256 + x * 4 + (sub & 3)) * 3 + channel] ?? 0;
        shrunk[(y * 64 + x) * 3 + channel] = sum / 16;
      }
  assert.ok(meanDifference(small, shrunk) < 12, String(meanDifference(small, shrunk)));
});

test("a clip moves, begins with the still picture, and has as many frames as its length says", () => {
  const clip = renderAnimation({ ...request, prompt: "waves of the sea", width: 64, height: 64, seconds: 1 });
  const frameBytes = 64 * 64 * 3;
  assert.equal(clip.length, frameBytes * frameCount(1));
  const still = renderPicture({ ...request, prompt: "waves of the sea", width: 64, height: 64 });
  assert.deepEqual(Buffer.from(clip.subarray(0, frameBytes)), Buffer.from(still));
  assert.ok(meanDifference(clip.subarray(0, frameBytes), clip.subarray(-frameBytes)) > 1);
});
