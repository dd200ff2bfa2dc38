import assert from "node:assert/strict";
import { test } from "node:test";
import { isAccepted } from "../../test/support/verdicts.ts";
import { ImageToVideoRequest, InferenceParams, TextToVideoRequest } from "./partner-b.ts";

const image_url = "https://images.example/a.png";

// Decisions, section 4.
test("a text is 1 to 5000 characters unless there is an image", () => {
  const longest = "x".repeat(5_000);
  for (const body of [{ prompt_text: "x" }, { prompt_text: longest }, { image_url }, { image_url, prompt_text: "" }]) {
    assert.equal(isAccepted(TextToVideoRequest, body), true);
  }
  for (const body of [
    {},
    { prompt_text: "" },
    { prompt_text: `${longest}x` },
    { image_url, prompt_text: `${longest}x` },
  ]) {
    assert.equal(isAccepted(TextToVideoRequest, body), false);
  }
});

test("an image video needs an image or key frames", () => {
  assert.equal(isAccepted(ImageToVideoRequest, { image_url }), true);
  assert.equal(isAccepted(ImageToVideoRequest, { keyframes: { "0": { image_url } } }), true);
  assert.equal(isAccepted(ImageToVideoRequest, { prompt_text: "a fox" }), false);
});

test("each bounded parameter accepts its bounds and refuses anything beyond", () => {
  const bounds = {
    guidance_scale: [1, 20],
    steps: [1, 100],
    num_frames: [1, 128],
    fps: [1, 60],
    width: [64, 2_560],
    height: [64, 2_560],
  };
  for (const [name, [least = 0, most = 0]] of Object.entries(bounds)) {
    for (const value of [least, most]) assert.equal(isAccepted(InferenceParams, { [name]: value }), true, name);
    for (const value of [least - 1, most + 1])
      assert.equal(isAccepted(InferenceParams, { [name]: value }), false, name);
  }
});

test("a seed may have all 64 bits", () => {
  for (const seed of [0, -1, 2 ** 53, 2 ** 63, -(2 ** 63)]) assert.equal(isAccepted(InferenceParams, { seed }), true);
  assert.equal(isAccepted(InferenceParams, { seed: 0.5 }), false);
});
