import assert from "node:assert/strict";
import { test } from "node:test";
import { meanDifference, mostDifference } from "../../test/support/measure.ts";
import { portrait } from "../../test/support/portrait.ts";
import { type ClipRequest, renderClip } from "./clip.ts";

const [width, height] = [64, 48];
const frameBytes = width * height * 3;
const request: ClipRequest = {
  prompt: "waves of the sea",
  seed: "9007199254740993",
  width,
  height,
  frames: 6,
  framesPerSecond: 6,
  pictures: [],
};
const frame = (film: Uint8Array, index: number) => film.subarray(index * frameBytes, (index + 1) * frameBytes);
const face = { width, height, pixels: portrait(width, height) };
const grey = { width, height, pixels: new Uint8Array(frameBytes).fill(90) };

test("a video has as many frames as requested, moves, and is reproducible", () => {
  const film = renderClip(request);
  assert.equal(film.length, frameBytes * 6);
  for (let index = 1; index < 6; index++) assert.ok(meanDifference(frame(film, index), frame(film, index - 1)) > 0.2);
  assert.deepEqual(Buffer.from(renderClip(request)), Buffer.from(film));
});

test("all 64 bits of a seed count", () => {
  const [one, two] = [renderClip(request), renderClip({ ...request, seed: "9007199254740992" })];
  assert.ok(meanDifference(frame(one, 0), frame(two, 0)) > 3);
});

test("a picture is the very frame it conditions, and the frames after it move away from it", () => {
  for (const at of [0, 3]) {
    const film = renderClip({ ...request, pictures: [{ frame: at, picture: face }] });
    assert.equal(mostDifference(frame(film, at), face.pixels), 0);
    const away = meanDifference(frame(film, 5), face.pixels);
    assert.ok(away > 0.25 && away < 40, String(away));
  }
});

test("one key frame fades into the next", () => {
  const film = renderClip({
    ...request,
    pictures: [
      { frame: 5, picture: grey },
      { frame: 0, picture: face },
    ],
  });
  assert.equal(mostDifference(frame(film, 0), face.pixels), 0);
  assert.equal(mostDifference(frame(film, 5), grey.pixels), 0);
  const distances = [0, 1, 2, 3, 4, 5].map((index) => meanDifference(frame(film, index), grey.pixels));
  assert.ok(
    distances.every((distance, at) => at === 0 || distance < (distances[at - 1] ?? 0)),
    distances.join(" "),
  );
});

test("snow falls when the words ask for it", () => {
  const still = { ...request, framesPerSecond: 2, pictures: [{ frame: 0, picture: grey }] };
  const bright = (film: Uint8Array) => frame(film, 5).filter((value) => value > 130).length;
  assert.ok(
    bright(renderClip({ ...still, prompt: "static, snow" })) > bright(renderClip({ ...still, prompt: "static" })) + 30,
  );
});

test("one frame and the smallest size make a video too", () => {
  assert.equal(renderClip({ ...request, frames: 1, width: 16, height: 16 }).length, 16 * 16 * 3);
});
