import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { countColours } from "./count-colours.ts";
import { nearestColour } from "./nearest-colour.ts";

const level = fc.integer({ min: 0, max: 255 });
const colour = fc.tuple(level, level, level);

test("the nearest colour equals a full search from the cell's darkest corner, and of several the first", () => {
  // Few levels, so that many are equally near.
  const coarse = fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 64, 128, 192)));
  fc.assert(
    fc.property(
      fc.array(fc.oneof(colour, coarse), { minLength: 1, maxLength: 60 }),
      fc.array(colour, { minLength: 1, maxLength: 30 }),
      (palette, asked) => {
        const nearest = nearestColour({ levels: Uint8Array.from(palette.flat()) });
        for (const [red, green, blue] of [...asked, ...asked]) {
          const [atRed, atGreen, atBlue] = [red, green, blue].map((level) => level - (level % 4));
          const distances = palette.map(
            ([r = 0, g = 0, b = 0]) => (r - (atRed ?? 0)) ** 2 + (g - (atGreen ?? 0)) ** 2 + (b - (atBlue ?? 0)) ** 2,
          );
          assert.equal(nearest(red, green, blue), distances.indexOf(Math.min(...distances)) * 3);
        }
      },
    ),
  );
});

test("every colour is counted, in the order of first appearance", () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(level, fc.constantFrom(0, 255), fc.constantFrom(0, 7))), (pixels) => {
      const counted = countColours(Uint8Array.from(pixels.flat()));
      const wanted = new Map<number, number>();
      for (const [red, green, blue] of pixels) {
        const key = red * 65536 + green * 256 + blue;
        wanted.set(key, (wanted.get(key) ?? 0) + 1);
      }
      assert.deepEqual([...counted.keys], [...wanted.keys()]);
      assert.deepEqual([...counted.counts], [...wanted.values()]);
    }),
  );
});
