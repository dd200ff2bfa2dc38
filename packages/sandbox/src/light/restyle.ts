// Gives a picture the style of another: the other's colours and distribution of light, more or less of the picture's own detail,
// and the requested manner. On portraits skin is changed less.

import { type ColourChange, colourMap, recoloured, statisticsOf } from "./colour-map.ts";
import { blurred, guided, mapped, type Plane } from "./plane.ts";
import { byteOf, luminanceOf, type Raster, readScenery } from "./raster.ts";
import { wordsOf } from "./relight-order.ts";
import { enhanceSkin } from "./skin.ts";
import { skinOf } from "./subject.ts";

export interface StyleOrder {
  // From 0 to 1.
  readonly style: number;
  readonly structure: number;
  readonly flavor: keyof typeof flavors;
  readonly engine: keyof typeof manners;
  // Null if it is not a portrait.
  readonly portrait: { readonly look: keyof typeof portraitLooks; readonly beauty: keyof typeof beauties } | null;
}

interface Manner {
  readonly strength: number;
  readonly saturation: number;
  readonly turn: number;
  readonly contrast: number;
  readonly steps: number;
  // Detail added (above 0) or removed (below).
  readonly detail: number;
}

const usual: Manner = { strength: 1, saturation: 1, turn: 0, contrast: 1, steps: 0, detail: 0 };

const flavors = {
  faithful: {},
  gen_z: { saturation: 1.35, contrast: 1.06 },
  psychedelia: { saturation: 1.7, turn: 48, contrast: 1.1 },
  detaily: { detail: 0.8 },
  clear: { contrast: 1.14, detail: 0.25 },
  donotstyle: { strength: 0.25 },
  donotstyle_sharp: { strength: 0.25, detail: 0.9 },
} satisfies Record<string, Partial<Manner>>;

const manners = {
  balanced: {},
  definio: { detail: 0.6, contrast: 1.06 },
  illusio: { detail: -0.2, saturation: 1.12 },
  "3d_cartoon": { steps: 12, saturation: 1.2, detail: -0.3 },
  colorful_anime: { steps: 9, saturation: 1.45 },
  caricature: { steps: 7, detail: 0.7 },
  real: { saturation: 0.94 },
  super_real: { saturation: 0.96, detail: 0.5 },
  softy: { detail: -0.6, contrast: 0.94 },
} satisfies Record<string, Partial<Manner>>;

const portraitLooks = { standard: 1, pop: 1.2, super_pop: 1.45 };
const beauties = { none: 0, beautify_face: 40, beautify_face_max: 85 };

export const styleFlavors = wordsOf<keyof typeof flavors>("faithful", flavors);
export const styleEngines = wordsOf<keyof typeof manners>("balanced", manners);
export const portraitStyles = wordsOf<keyof typeof portraitLooks>("standard", portraitLooks);
export const portraitBeautifiers = wordsOf<keyof typeof beauties>("none", beauties);

export function restyle(image: Raster, reference: Raster, order: StyleOrder): Uint8Array<ArrayBuffer> {
  const manner = mannerOf(order);
  const strength = order.style * manner.strength;
  const change: ColourChange = {
    // Keeping the structure keeps the picture's own light and shade.
    brightness: strength * (1 - 0.6 * order.structure),
    colour: strength,
    saturation: 1 + (manner.saturation * (order.portrait ? portraitLooks[order.portrait.look] : 1) - 1) * strength,
    turn: manner.turn * strength,
    contrast: 1 + (manner.contrast - 1) * strength,
    steps: strength > 0.2 ? manner.steps : 0,
  };
  const map = colourMap(statisticsOf(image.pixels), statisticsOf(reference.pixels), change);
  const coloured = withSkin(image, recoloured(image, map), order.portrait !== null ? 0.45 : 0);
  const detailed = withDetail(coloured, manner.detail + (order.structure - 0.5) * 0.6);
  const beauty = order.portrait ? beauties[order.portrait.beauty] : 0;
  if (beauty === 0) return detailed.pixels;
  return enhanceSkin(detailed, {
    mode: "faithful",
    aim: "enhance_skin",
    sharpen: 0,
    grain: 0,
    skinDetail: 100 - beauty,
  });
}

function mannerOf({ flavor, engine }: StyleOrder): Manner {
  const [one, other]: Manner[] = [
    { ...usual, ...flavors[flavor] },
    { ...usual, ...manners[engine] },
  ];
  if (!one || !other) return usual;
  return {
    strength: one.strength * other.strength,
    saturation: one.saturation * other.saturation,
    turn: one.turn + other.turn,
    contrast: one.contrast * other.contrast,
    steps: Math.max(one.steps, other.steps),
    detail: one.detail + other.detail,
  };
}

function stopsOf(image: Raster): Plane {
  return mapped(luminanceOf(readScenery(image)), (value) => Math.log2(value + 1 / 512));
}

function withSkin(image: Raster, coloured: Raster, kept: number): Raster {
  if (kept === 0) return coloured;
  const skin = skinOf(readScenery(image), stopsOf(image));
  const pixels = coloured.pixels.map((value, at) => {
    const share = kept * (skin.values[Math.floor(at / 3)] ?? 0);
    return Math.round(value + ((image.pixels[at] ?? 0) - value) * share);
  });
  return { ...coloured, pixels };
}

// In stops, so that light and dark parts gain alike. Smoothing keeps edges.
function withDetail(image: Raster, amount: number): Raster {
  if (Math.abs(amount) < 0.02) return image;
  const stops = stopsOf(image);
  const radius = Math.max(1, Math.max(image.width, image.height) / (amount > 0 ? 400 : 160));
  const base = amount > 0 ? blurred(stops, radius) : guided(stops, stops, radius, 0.2);
  const strength = Math.max(-1, Math.min(1.6, amount));
  const pixels = image.pixels.map((value, at) => {
    const pixel = Math.floor(at / 3);
    const detail = (stops.values[pixel] ?? 0) - (base.values[pixel] ?? 0);
    const change = Math.max(-0.8, Math.min(0.8, detail * strength));
    // The screen's scale is close to a square root: half as many stops.
    return byteOf((value / 255) * 2 ** (change / 2.2));
  });
  return { ...image, pixels };
}
