import assert from "node:assert/strict";
import { test } from "node:test";
import { withFileMarks, withFileNames } from "./file-choices.ts";

const names = { image: ["$&.png", 'a "b".png'], video: ["c.mp4"], audio: [], file: ["d.glb"] };
const filled = (description: unknown, inputs: readonly string[]): unknown =>
  JSON.parse(withFileNames(JSON.stringify(withFileMarks(description, inputs)), names));

test("inputs that name a file offer the caller's files of their kind, and nothing else changes", () => {
  const description = {
    input: {
      required: {
        image: [["of the machine.png"], { image_upload: true }],
        film: ["COMBO", { options: ["x.mp4"], video_upload: true, tooltip: "t" }],
        sound: [[], { audio_upload: true }],
        mesh: [["y.glb"]],
        mode: [["fast", "slow"]],
      },
      optional: { prompt: ["STRING", { default: "" }] },
    },
    output: ["IMAGE"],
  };
  assert.deepEqual(filled(description, ["image", "film", "sound", "mesh"]), {
    input: {
      required: {
        image: [names.image, { image_upload: true }],
        film: ["COMBO", { options: ["c.mp4"], video_upload: true, tooltip: "t" }],
        sound: [[], { audio_upload: true }],
        mesh: [["d.glb"]],
        mode: [["fast", "slow"]],
      },
      optional: { prompt: ["STRING", { default: "" }] },
    },
    output: ["IMAGE"],
  });
  for (const odd of [null, 7, { input: null }, { input: { required: { image: "wrong" } } }])
    assert.deepEqual(filled(odd, ["image"]), odd);
});
