import assert from "node:assert/strict";
import { test } from "node:test";
import { readPrompt } from "./read-prompt.ts";

test("words choose scene, mood, colour and figures, in any case and with any punctuation", () => {
  const cases = [
    ["A LIGHTHOUSE, at dusk!", { scene: "sea", mood: "sunset", figures: ["lighthouse"] }],
    ["red fox in the snow", { mood: "winter", tint: 25, figures: ["fox"], wantsSnow: true }],
    ["Tokyo at night", { scene: "city", mood: "night" }],
    ["purple nebula", { scene: "space", tint: 305 }],
    ["mountains by a lake", { scene: "mountains", wantsWater: true }],
  ] as const;
  for (const [prompt, expected] of cases) assert.partialDeepStrictEqual(readPrompt(prompt), expected, prompt);
});

test("only whole words count: a scatterbrain is no cat and a carpet no car", () => {
  const reading = readPrompt("scatterbrained carpets");
  assert.equal(reading.scene, null);
  assert.deepEqual(reading.figures, []);
});
