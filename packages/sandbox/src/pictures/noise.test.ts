import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { noiseFrom } from "./noise.ts";
import { randomFrom, speckle } from "./random.ts";

const coordinate = fc.double({ min: -500, max: 500, noNaN: true });

test("noise is smooth and bounded everywhere, and zero on the lattice", () => {
  const noise = noiseFrom(randomFrom("noise"));
  fc.assert(
    fc.property(coordinate, coordinate, (x, y) => {
      assert.ok(Math.abs(noise.at(x, y)) <= 1.5);
      assert.ok(Math.abs(noise.fractal(x, y, 6)) <= 1.5);
      assert.ok(noise.ridged(x, y, 6) >= 0 && noise.ridged(x, y, 6) <= 1.8);
      assert.ok(Math.abs(noise.at(x, y) - noise.at(x + 1e-6, y)) < 1e-4);
      assert.equal(Math.abs(noise.at(Math.round(x), Math.round(y))), 0);
    }),
  );
});

test("a stream of choices depends on every part and on where the parts divide", () => {
  const firsts = [["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""]].map((parts) => randomFrom(...parts).next());
  assert.equal(new Set(firsts).size, firsts.length);
  assert.equal(randomFrom("a", "1").next(), randomFrom("a", "1").next());
});

test("choices and speckles are spread evenly over their range", () => {
  const random = randomFrom("even");
  const tenths = { chosen: new Array<number>(10).fill(0), speckled: new Array<number>(10).fill(0) };
  for (let index = 0; index < 10_000; index++) {
    const [a, b] = [Math.floor(random.next() * 10), Math.floor(speckle(index % 100, Math.floor(index / 100), 7) * 10)];
    tenths.chosen[a] = (tenths.chosen[a] ?? 0) + 1;
    tenths.speckled[b] = (tenths.speckled[b] ?? 0) + 1;
  }
  for (const counts of Object.values(tenths))
    for (const count of counts) assert.ok(count > 850 && count < 1150, String(counts));
});
