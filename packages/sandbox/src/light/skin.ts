// Enhances a portrait by frequencies: blotches and blemishes are between the pores and the shape of the face, so we reduce that
// middle band, on skin most; pores and edges stay. Then light, sharpness and grain as requested.
import { randomFrom, speckle } from "../pictures/random.ts";
import { blurred, createPlane, guided, mapped, meanOf, type Plane } from "./plane.ts";
import { byteOf, luminanceOf, luminanceShares, type Raster, readScenery, type Scenery, shown } from "./raster.ts";
import { wordsOf } from "./relight-order.ts";
import { skinOf } from "./subject.ts";

export const skinModes = ["flexible", "creative", "faithful"] as const;

export interface SkinOrder {
  readonly mode: (typeof skinModes)[number];
  readonly aim: keyof typeof aims;
  // From 0 to 100.
  readonly sharpen: number;
  readonly grain: number;
  readonly skinDetail: number;
}

// Shares from 0 to 1 unless noted otherwise.
interface Recipe {
  // How much of the middle band is removed on skin, and elsewhere.
  readonly smoothing: number;
  readonly everywhere: number;
  // How much of the pores stays; above 1 adds.
  readonly pores: number;
  readonly evenTone: number;
  readonly lifting: number;
  readonly clarity: number;
  // A factor.
  readonly saturation: number;
  readonly warmth: number;
  readonly glow: number;
  // How strongly colours other than the skin's are drawn to it.
  readonly bare: number;
}

const usual: Recipe = {
  smoothing: 0.85,
  everywhere: 0.1,
  pores: 0.8,
  evenTone: 0.65,
  lifting: 0.06,
  clarity: 0.05,
  saturation: 1,
  warmth: 0,
  glow: 0,
  bare: 0,
};

const aims = {
  enhance_skin: {},
  improve_lighting: { smoothing: 0.4, evenTone: 0.25, lifting: 0.55, warmth: 0.02, pores: 0.95 },
  enhance_everything: { everywhere: 0.3, lifting: 0.3, clarity: 0.4, saturation: 1.14, pores: 0.9 },
  transform_to_real: { smoothing: 0.3, pores: 1.7, evenTone: 0.15, saturation: 0.88, clarity: 0.22, lifting: 0 },
  no_make_up: { smoothing: 0.5, pores: 1.1, evenTone: 0.3, bare: 0.75, saturation: 0.97 },
} satisfies Record<string, Partial<Recipe>>;
export const skinAims = wordsOf("enhance_skin", aims);

function recipeOf(order: SkinOrder): Recipe {
  if (order.mode === "creative")
    return {
      ...usual,
      smoothing: 0.97,
      pores: 0.7,
      lifting: 0.22,
      clarity: 0.35,
      saturation: 1.1,
      warmth: 0.035,
      glow: 0.12,
    };
  if (order.mode === "flexible") return { ...usual, ...aims[order.aim] };
  // The request alone says how much of the skin stays.
  const kept = order.skinDetail / 100;
  return {
    ...usual,
    smoothing: 0.95 * (1 - kept),
    pores: 0.25 + 0.75 * kept,
    evenTone: 0.6 * (1 - kept),
    lifting: 0.03,
    everywhere: 0,
  };
}

const floor = 1 / 512;

export function enhanceSkin(image: Raster, order: SkinOrder): Uint8Array<ArrayBuffer> {
  const scenery = readScenery(image);
  const recipe = recipeOf(order);
  const side = Math.max(image.width, image.height);
  const luminance = luminanceOf(scenery);
  const stops = mapped(luminance, (value) => Math.log2(value + floor));
  const skin = skinOf(scenery, stops);
  const change = brightnessChange(stops, skin, recipe, side);
  const sharpened = order.sharpen > 0 ? mapped(stops, (value, at) => value + (change.values[at] ?? 0)) : null;
  const blurry = sharpened ? blurred(sharpened, Math.max(1, side / 700)) : null;
  if (sharpened && blurry)
    for (let at = 0; at < change.values.length; at++) {
      const edge = (sharpened.values[at] ?? 0) - (blurry.values[at] ?? 0);
      change.values[at] = (change.values[at] ?? 0) + Math.max(-1.2, Math.min(1.2, edge * (order.sharpen / 100) * 2.2));
    }
  return printed(scenery, luminance, skin, change, recipe, order, side);
}

// In stops: the change to each pixel's brightness.
function brightnessChange(stops: Plane, skin: Plane, recipe: Recipe, side: number): Plane {
  const fine = guided(stops, stops, Math.max(1, side / 320), 0.12);
  const shape = guided(stops, stops, Math.max(3, side / 40), 0.52);
  const wide = guided(stops, stops, Math.max(4, side / 12), 0.9);
  const mean = meanOf(wide);
  return mapped(stops, (value, at) => {
    const face = skin.values[at] ?? 0;
    const pores = value - (fine.values[at] ?? 0);
    const blotches = (fine.values[at] ?? 0) - (shape.values[at] ?? 0);
    const region = (wide.values[at] ?? 0) - mean;
    const smoothing = recipe.everywhere + (recipe.smoothing - recipe.everywhere) * face;
    // Dark regions are lifted more than bright ones are held back.
    const lift = recipe.lifting * (region < 0 ? -region * 0.75 : -region * 0.3) + recipe.lifting * 0.25;
    const clarity = recipe.clarity * ((shape.values[at] ?? 0) - (wide.values[at] ?? 0)) * 0.6 * (1 - face * 0.6);
    return -blotches * smoothing + pores * (recipe.pores - 1) * (0.15 + 0.85 * face) + lift + clarity;
  });
}

// The colour of each point relative to its brightness, smoothed: removes blotches of colour like those of light.
function evenColour(plane: Plane, luminance: Plane, side: number): Plane {
  const relative = mapped(plane, (value, at) => value / ((luminance.values[at] ?? 0) + 0.01));
  return guided(relative, mapped(luminance, shown), Math.max(3, side / 32), 0.18);
}

function printed(
  scenery: Scenery,
  luminance: Plane,
  skin: Plane,
  change: Plane,
  recipe: Recipe,
  order: SkinOrder,
  side: number,
): Uint8Array<ArrayBuffer> {
  const { width, height } = scenery;
  const channels = [scenery.red, scenery.green, scenery.blue] as const;
  const even = channels.map((plane) => evenColour(plane, luminance, side));
  const own = channels.map((plane) => weightedMean(plane, luminance, skin));
  const glow = recipe.glow > 0 ? blurred(luminance, side / 30) : null;
  const around = recipe.bare > 0 ? blurred(skin, side / 28) : null;
  const grain = grainOf(width, height, order.grain);
  const bytes = new Uint8Array(width * height * 3);
  const warm = [1 + recipe.warmth, 1 + recipe.warmth * 0.3, 1 - recipe.warmth] as const;
  for (let at = 0, offset = 0; at < width * height; at++, offset += 3) {
    const face = skin.values[at] ?? 0;
    const light = luminance.values[at] ?? 0;
    const factor = 2 ** (change.values[at] ?? 0);
    const halo = glow ? Math.max(0, (glow.values[at] ?? 0) - light) * recipe.glow : 0;
    const target = light * factor + halo;
    const bare = around
      ? recipe.bare *
        bareShare(around.values[at] ?? 0, light, scenery.red.values[at] ?? 0, scenery.blue.values[at] ?? 0)
      : 0;
    const noise = grain ? (grain.values[at] ?? 0) * grainShare(shown(target)) : 0;
    for (let channel = 0; channel < 3; channel++) {
      const seen = (channels[channel]?.values[at] ?? 0) / (light + 0.01);
      const smooth = even[channel]?.values[at] ?? seen;
      let relative = seen + (smooth - seen) * recipe.evenTone * face;
      relative += ((own[channel] ?? relative) - relative) * bare;
      const value =
        (target + (relative * (light + 0.01) * factor - light * factor) * recipe.saturation) * (warm[channel] ?? 1);
      bytes[offset + channel] = byteOf(shown(value) + noise);
    }
  }
  return bytes;
}

// Make-up is on and next to the skin. What is far darker than any skin or not warm at all (hair, eyes) keeps its colour.
function bareShare(around: number, light: number, red: number, blue: number): number {
  const warm = Math.min(1, Math.max(0, ((red - blue) / (light + 0.01) - 0.15) * 2));
  return Math.min(1, around * 1.6) * Math.min(1, Math.max(0, light - 0.02) * 9) * warm;
}

function weightedMean(plane: Plane, luminance: Plane, weight: Plane): number {
  let [sum, total] = [0, 1e-6];
  for (let at = 0; at < plane.values.length; at++) {
    const share = weight.values[at] ?? 0;
    sum += (share * (plane.values[at] ?? 0)) / ((luminance.values[at] ?? 0) + 0.01);
    total += share;
  }
  return total < 1 ? luminanceShares.reduce((all, share) => all + share, 0) : sum / total;
}

// Film shows its grain in the middle tones.
const grainShare = (value: number) => 0.35 + 2.6 * value * (1 - value);

function grainOf(width: number, height: number, amount: number): Plane | null {
  if (amount === 0) return null;
  const salt = Math.floor(randomFrom("grain", String(width), String(height)).next() * 1e6);
  const raw = createPlane(width, height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      const [one, two] = [speckle(column, row, salt), speckle(column, row, salt + 1)];
      raw.values[row * width + column] = one + two - 1;
    }
  // Mixing in the neighbours makes clumps, as silver does.
  const clumped = blurred(raw, 1.2);
  const strength = (amount / 100) * 0.11;
  return mapped(raw, (value, at) => (value * 0.6 + (clumped.values[at] ?? 0) * 1.1) * strength);
}
