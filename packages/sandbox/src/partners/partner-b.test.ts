import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { frameDelays } from "../pictures/film-file.ts";
import { filmSize } from "./partner-b.ts";

const sides = fc.integer({ min: 64, max: 2560 });

test("every requested size fits, keeps its aspect ratio, and small ones stay as they are", () => {
  fc.assert(
    fc.property(sides, sides, (width, height) => {
      const film = filmSize(width, height);
      assert.ok(Math.max(film.width, film.height) <= 480 && Math.min(film.width, film.height) >= 12);
      if (Math.max(width, height) <= 480) assert.deepEqual(film, { width, height });
      // Rounding moves a side by at most half a pixel, unless it is at its minimum.
      if (Math.min(film.width, film.height) > 16)
        assert.ok(Math.abs(film.width * height - film.height * width) <= (width + height) / 2 + 1);
    }),
  );
});

test("delays are whole milliseconds that add up to the video's length", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 128 }), fc.integer({ min: 1, max: 60 }), (frames, framesPerSecond) => {
      const delays = frameDelays(frames, framesPerSecond);
      assert.equal(delays.length, frames);
      assert.equal(
        delays.reduce((sum, delay) => sum + delay, 0),
        Math.round((frames * 1000) / framesPerSecond),
      );
      assert.ok(delays.every((delay) => Number.isInteger(delay) && delay >= 16));
    }),
  );
});
