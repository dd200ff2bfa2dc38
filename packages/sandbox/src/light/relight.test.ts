import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import {
  brightness,
  fineEnergy,
  meanDifference,
  mostDifference,
  type Part,
  saturation,
  spread,
  warmth,
} from "../../test/support/measure.ts";
import { portrait } from "../../test/support/portrait.ts";
import type { Raster } from "./raster.ts";
import { relight } from "./relight.ts";
import { engines, type RelightOrder, styles, transferCurves, transferLevels } from "./relight-order.ts";

const [width, height] = [120, 140];
const original: Raster = { width, height, pixels: portrait(width, height) };
const plain: RelightOrder = {
  prompt: "",
  source: null,
  strength: 1,
  interpolates: false,
  changesBackground: true,
  preservesDetails: true,
  style: "standard",
  engine: "automatic",
  level: "automatic",
  curve: "automatic",
  whites: 50,
  blacks: 50,
  brightness: 50,
  contrast: 50,
  saturation: 50,
  variation: null,
};
const lit = (order: Partial<RelightOrder>, light: Raster | null = null): Raster => ({
  width,
  height,
  pixels: relight(original, light, { ...plain, ...order }),
});
// How much one half gained on the other.
const gain = (picture: Raster, here: Part, there: Part) =>
  Math.log2(brightness(picture, here) / brightness(original, here)) -
  Math.log2(brightness(picture, there) / brightness(original, there));

// Skin only: no eyes, hair or lips.
const cheeks = { left: 0.36, top: 0.5, right: 0.64, bottom: 0.58 };

const halves = (left: readonly number[], right: readonly number[]): Raster => {
  const pixels = new Uint8Array(32 * 32 * 3);
  for (let at = 0; at < 32 * 32; at++) pixels.set(at % 32 < 16 ? left : right, at * 3);
  return { width: 32, height: 32, pixels };
};

describe("the words", () => {
  test("light comes from the named side", () => {
    assert.ok(gain(lit({ prompt: "light from the left" }), "left", "right") > 0.3);
    assert.ok(gain(lit({ prompt: "light from the right" }), "right", "left") > 0.3);
    assert.ok(gain(lit({ prompt: "hard light from above" }), "top", "bottom") > 0.3);
    assert.ok(gain(lit({ prompt: "a lamp from below" }), "bottom", "top") > 0.3);
  });

  test("light has the named colour, and the hour its brightness", () => {
    const neutral = warmth(lit({ prompt: "soft white light from the left" }));
    assert.ok(warmth(lit({ prompt: "warm light from the left" })) > neutral + 8);
    assert.ok(warmth(lit({ prompt: "cold light from the left" })) < neutral - 8);
    assert.ok(warmth(lit({ prompt: "golden hour" })) > neutral + 15);
    assert.ok(brightness(lit({ prompt: "moonlight" })) < brightness(original) * 0.75);
    assert.ok(warmth(lit({ prompt: "moonlight" })) < warmth(original));
    assert.ok(brightness(lit({ prompt: "noon sun" })) > brightness(lit({ prompt: "sunset" })));
  });

  test("two lamps light two sides in two colours", () => {
    const neon = lit({ prompt: "red light from the left and blue light from the right" });
    assert.ok(warmth(neon, "left") > warmth(neon, "right") + 40);
  });

  test("an emphasised phrase is lit more strongly", () => {
    const once = gain(lit({ prompt: "light from the left" }), "left", "right");
    assert.ok(gain(lit({ prompt: "(light from the left:1.4)" }), "left", "right") > once + 0.05);
  });
});

describe("the strength", () => {
  test("0 returns the original within one level, for any words", () => {
    const orders = fc.record({
      prompt: fc.constantFrom("neon", "sunset from the right", "candlelight", ""),
      style: fc.constantFrom(...styles),
      engine: fc.constantFrom(...engines),
      level: fc.constantFrom(...transferLevels),
      curve: fc.constantFrom(...transferCurves),
      preservesDetails: fc.boolean(),
      changesBackground: fc.boolean(),
      interpolates: fc.boolean(),
      whites: fc.constant(50),
    });
    fc.assert(
      fc.property(orders, (order) => {
        assert.ok(mostDifference(lit({ ...order, strength: 0 }).pixels, original.pixels) <= 1);
      }),
      { numRuns: 25 },
    );
  });

  test("drawn towards the original, 0 returns it even when every control is turned", () => {
    const turned = { whites: 90, blacks: 10, brightness: 80, contrast: 90, saturation: 5 };
    assert.ok(
      mostDifference(lit({ ...turned, prompt: "neon", interpolates: true, strength: 0 }).pixels, original.pixels) <= 1,
    );
  });

  test("more strength is further from the original, in both ways of blending", () => {
    for (const interpolates of [false, true]) {
      const away = [0.25, 0.5, 0.75, 1].map((strength) =>
        meanDifference(lit({ prompt: "sunset", strength, interpolates }).pixels, original.pixels),
      );
      assert.ok(
        away.every((distance, at) => at === 0 || distance > (away[at - 1] ?? 0) + 0.5),
        away.join(" "),
      );
    }
    const [scaled, blended] = [false, true].map((interpolates) =>
      lit({ prompt: "moonlight", strength: 0.5, interpolates }),
    );
    assert.ok(scaled && blended && meanDifference(scaled.pixels, blended.pixels) > 0.3);
  });
});

describe("light from a picture", () => {
  test("a map lights the half that it marks, in its colour", () => {
    const right = lit({ source: "lightmap" }, halves([12, 12, 40], [255, 190, 80]));
    assert.ok(gain(right, "right", "left") > 1);
    assert.ok(warmth(right, "right") > warmth(right, "left") + 20);
    assert.ok(gain(lit({ source: "lightmap" }, halves([250, 250, 250], [10, 10, 10])), "left", "right") > 1);
  });

  test("a reference gives its brightness and its colours", () => {
    const solid = (colour: readonly number[]) => halves(colour, colour);
    const warm = lit({ source: "reference" }, solid([230, 150, 70]));
    const cold = lit({ source: "reference" }, solid([60, 110, 220]));
    assert.ok(warmth(warm) > warmth(original) + 15 && warmth(cold) < warmth(original) - 15);
    const dark = lit({ source: "reference" }, solid([20, 20, 24]));
    assert.ok(brightness(dark) < brightness(lit({ source: "reference" }, solid([235, 235, 235]))) * 0.7);
    assert.ok(gain(lit({ source: "reference" }, halves([240, 240, 240], [20, 20, 20])), "left", "right") > 0.3);
  });
});

describe("the controls", () => {
  const both = (name: "whites" | "blacks" | "brightness" | "contrast" | "saturation") =>
    [lit({ prompt: "golden", [name]: 10 }), lit({ prompt: "golden", [name]: 90 })] as const;

  test("brightness, contrast and saturation follow their numbers", () => {
    const [dark, bright] = both("brightness");
    assert.ok(brightness(bright) > brightness(dark) * 1.5);
    const [flat, hard] = both("contrast");
    assert.ok(spread(hard) > spread(flat) * 1.3);
    const [pale, vivid] = both("saturation");
    assert.ok(saturation(vivid) > saturation(pale) * 3);
    assert.ok(saturation(lit({ prompt: "golden", saturation: 0 })) < 1);
  });

  test("whites move the bright end and blacks the dark one", () => {
    const levels = ({ pixels }: Raster) => [...pixels].sort((a, b) => a - b);
    const at = (picture: Raster, share: number) => levels(picture)[Math.floor(picture.pixels.length * share)] ?? 0;
    const [dull, shining] = both("whites");
    assert.ok(at(shining, 0.98) > at(dull, 0.98) + 20 && at(shining, 0.02) - at(dull, 0.02) < 6);
    const [deep, lifted] = both("blacks");
    assert.ok(at(lifted, 0.02) > at(deep, 0.02) + 15 && at(lifted, 0.98) - at(deep, 0.98) < 6);
  });

  test("styles look like their names", () => {
    const styled = (style: RelightOrder["style"]) => lit({ prompt: "golden hour", style });
    const standard = styled("standard");
    assert.ok(brightness(styled("darker_but_realistic")) < brightness(standard) * 0.9);
    assert.ok(brightness(styled("brighter")) > brightness(standard) * 1.08);
    assert.ok(fineEnergy(styled("smooth"), cheeks) < fineEnergy(standard, cheeks) * 0.85);
    assert.ok(fineEnergy(styled("contrasted_n_hdr"), cheeks) > fineEnergy(standard, cheeks) * 1.2);
    assert.ok(warmth(styled("just_composition")) < warmth(standard) - 8);
    assert.ok(meanDifference(styled("clean").pixels, standard.pixels) > 1);
  });

  test("no two engines, levels or curves are alike", () => {
    const prompt = "golden hour from the left";
    const apart = (pictures: readonly Raster[]) => {
      for (const [index, one] of pictures.entries())
        for (const two of pictures.slice(index + 1)) assert.ok(meanDifference(one.pixels, two.pixels) > 0.25);
    };
    apart(engines.map((engine) => lit({ prompt, engine })));
    apart((["low", "medium", "normal", "high", "high_on_faces"] as const).map((level) => lit({ prompt, level })));
    apart(transferCurves.filter((curve) => curve !== "automatic").map((curve) => lit({ prompt, curve })));
  });

  test("details vanish when they are not to be kept, and a background that must not change stays closer", () => {
    assert.ok(fineEnergy(lit({ preservesDetails: false }), cheeks) < fineEnergy(lit({}), cheeks) * 0.8);
    const corner = (picture: Raster) => picture.pixels.subarray(0, 60);
    const [may, not] = [lit({ prompt: "neon" }), lit({ prompt: "neon", changesBackground: false })];
    assert.ok(meanDifference(corner(not), corner(original)) < meanDifference(corner(may), corner(original)));
  });
});

test("fixed, the same order gives the same bytes; varied, every take differs a little", () => {
  const once = lit({ prompt: "sunset" });
  assert.deepEqual(Buffer.from(lit({ prompt: "sunset" }).pixels), Buffer.from(once.pixels));
  const take = lit({ prompt: "sunset", variation: "one" });
  const difference = meanDifference(take.pixels, lit({ prompt: "sunset", variation: "two" }).pixels);
  assert.ok(difference > 0.2 && difference < 12, String(difference));
});

test("any size works, and so do black, white and one-coloured pictures", () => {
  const sizes = fc.tuple(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 0, max: 255 }),
  );
  fc.assert(
    fc.property(sizes, ([wide, tall, level]) => {
      const image = { width: wide, height: tall, pixels: new Uint8Array(wide * tall * 3).fill(level) };
      const pixels = relight(image, null, {
        ...plain,
        prompt: "neon",
        style: "contrasted_n_hdr",
        preservesDetails: false,
      });
      assert.equal(pixels.length, image.pixels.length);
    }),
    { numRuns: 30 },
  );
});
