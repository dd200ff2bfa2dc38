import assert from "node:assert/strict";
import { test } from "node:test";
import { runClass } from "../../../test/support/run-class.ts";
import type { DecodedClip } from "../../pictures/picture.ts";

// Ten frames of one pixel at 5 per second, each with its number, and a sound of two channels at 10 per second.
const clip: DecodedClip = {
  kind: "video",
  frames: {
    kind: "image",
    batch: 10,
    width: 1,
    height: 1,
    channels: 1,
    data: Float32Array.from({ length: 10 }, (_, at) => at),
  },
  framesPerSecond: 5,
  sound: {
    kind: "audio",
    batch: 1,
    channels: 2,
    length: 20,
    sampleRate: 10,
    data: Float32Array.from({ length: 40 }, (_, at) => at),
  },
};

async function slice(inputs: Readonly<Record<string, unknown>>, video: DecodedClip = clip) {
  const [made] = await runClass("Video Slice", {
    video,
    start_time: 0,
    duration: 0,
    strict_duration: false,
    ...inputs,
  });
  assert.ok(typeof made === "object" && made.kind === "video" && made.frames !== null);
  return { frames: [...made.frames.data], sound: made.sound && [...made.sound.data], length: made.sound?.length };
}

test("frames that begin within the time are kept, and the sound is cut at the same points", async () => {
  assert.deepEqual((await slice({})).frames, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const { frames, sound, length } = await slice({ start_time: 0.6, duration: 0.4 });
  assert.deepEqual([frames, length], [[3, 4], 4]);
  assert.deepEqual(sound, [6, 7, 8, 9, 26, 27, 28, 29]);
  assert.deepEqual((await slice({ start_time: 0.5, duration: 0.5 })).frames, [3, 4]);
  assert.deepEqual((await slice({ start_time: -0.4 })).frames, [8, 9]);
  assert.deepEqual((await slice({ start_time: -9, duration: 0.2 })).frames, [0]);
  assert.deepEqual((await slice({ start_time: 1.8, duration: 5 })).frames, [9]);
  assert.equal((await slice({ duration: 1 }, { ...clip, sound: null })).sound, null);
});

test("a part that is not there is refused", async () => {
  await assert.rejects(() => slice({ start_time: 2 }), /no frame from 2 s on/);
  await assert.rejects(() => slice({ start_time: 1, duration: 2, strict_duration: true }), /2 s are not possible/);
  assert.equal((await slice({ start_time: 1, duration: 1, strict_duration: true })).frames.length, 5);
});
