import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { coloursOf, isMixedHere } from "./film-colours.ts";
import { bitDepthOf } from "./probe-media.ts";

interface Case {
  readonly width: number;
  readonly height: number;
  readonly pixelFormat: string;
  readonly chromaLocation: string;
  readonly colorSpace: string;
  readonly isFullRange: boolean;
  readonly hash: string;
}

const { cases }: { readonly cases: readonly Case[] } = JSON.parse(
  readFileSync(new URL("../../references/film-colours.json", import.meta.url), "utf8"),
);

function frameOf({ width, height, pixelFormat }: Case): Buffer {
  const depth = bitDepthOf(pixelFormat);
  const planes = [0, 1, 2].flatMap((plane) => {
    const [wide, high] = plane === 0 ? [width, height] : [Math.ceil(width / 2), Math.ceil(height / 2)];
    return Array.from({ length: wide * high }, (_, at) => {
      const [x, y] = [at % wide, Math.floor(at / wide)];
      return (x * 37 + y * 101 + plane * 59 + x * y * 13) % 2 ** depth;
    });
  });
  return depth > 8 ? Buffer.from(Uint16Array.from(planes).buffer) : Buffer.from(planes);
}

test("videos of 10 and 12 bits and odd rows have the colours of the application's video library", () => {
  assert.ok(cases.length >= 12, `${cases.length}`);
  for (const one of cases) {
    assert.ok(isMixedHere(one), one.pixelFormat);
    const hash = createHash("sha256")
      .update(coloursOf(frameOf(one), one))
      .digest("hex")
      .slice(0, 16);
    assert.equal(hash, one.hash, JSON.stringify(one));
  }
});

test("each frame of a video is computed separately, and an incomplete frame is dropped", () => {
  const one = cases.find(({ pixelFormat }) => pixelFormat === "yuv420p10le");
  assert.ok(one);
  const frame = frameOf(one);
  const twice = coloursOf(Buffer.concat([frame, frame, frame.subarray(0, 100)]), one);
  assert.deepEqual(twice, Buffer.concat([coloursOf(frame, one), coloursOf(frame, one)]));
});

test("videos of 8 bits and even rows are left to ffmpeg, and so are those with more colours", () => {
  const layout = { width: 90, height: 70, chromaLocation: "left", colorSpace: "", isFullRange: false };
  for (const pixelFormat of ["yuv420p", "yuvj420p", "yuv422p10le", "yuv444p10le", "gbrp", "yuv420p10be"])
    assert.equal(isMixedHere({ ...layout, pixelFormat }), false, pixelFormat);
});
