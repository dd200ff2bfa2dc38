// How to light a picture: the words a relight request may use, and what each means in numbers.
import type { Light } from "../pictures/colour.ts";

export interface RelightOrder {
  readonly prompt: string;
  // Set if a light picture was given: light as in a photograph, or a map of where light falls.
  readonly source: "reference" | "lightmap" | null;
  // From 0, the original, to 1.
  readonly strength: number;
  readonly interpolates: boolean;
  readonly changesBackground: boolean;
  readonly preservesDetails: boolean;
  readonly style: keyof typeof styleLooks;
  readonly engine: keyof typeof engineLooks;
  readonly level: keyof typeof levelFactors;
  readonly curve: keyof typeof curveShapes;
  // From 0 to 100; 50 leaves everything as it is.
  readonly whites: number;
  readonly blacks: number;
  readonly brightness: number;
  readonly contrast: number;
  readonly saturation: number;
  // Moves the lamps a little; null leaves them exactly where the words say.
  readonly variation: string | null;
}

// A look: what style and engine add to the light. Stops, factors and shares, all neutral at 0 or 1.
export interface Look {
  readonly stops: number;
  readonly contrast: number;
  readonly saturation: number;
  // Above 0 is warmer.
  readonly warmth: number;
  // How much fine detail is added or, below 0, removed.
  readonly detail: number;
  // How much wide differences of brightness are evened out.
  readonly evening: number;
  readonly haze: number;
  readonly lamps: number;
  readonly ambient: number;
  readonly softness: number;
  // The share of colour removed from the light.
  readonly colourless: number;
  readonly shadows: Light | null;
  readonly highlights: Light | null;
}

const plainLook: Look = {
  stops: 0,
  contrast: 1,
  saturation: 1,
  warmth: 0,
  detail: 0,
  evening: 0,
  haze: 1,
  lamps: 1,
  ambient: 1,
  softness: 0,
  colourless: 0,
  shadows: null,
  highlights: null,
};

const styleLooks = {
  standard: {},
  darker_but_realistic: { stops: -0.7, contrast: 1.06, saturation: 0.94, ambient: 0.75 },
  clean: { stops: 0.18, contrast: 0.96, saturation: 0.95, detail: -0.25, haze: 0.2, ambient: 1.25 },
  smooth: { contrast: 0.92, detail: -0.6, softness: 0.6, haze: 1.4 },
  brighter: { stops: 0.6, contrast: 0.97, ambient: 1.2 },
  contrasted_n_hdr: { contrast: 1.18, saturation: 1.18, detail: 0.75, evening: 0.3 },
  just_composition: { colourless: 1, haze: 0.3 },
} satisfies Record<string, Partial<Look>>;

const engineLooks = {
  automatic: {},
  balanced: { lamps: 0.86, ambient: 1.25, contrast: 0.97 },
  cool: { warmth: -0.32, saturation: 0.95 },
  real: { saturation: 0.9, contrast: 1.05, haze: 0.4, detail: 0.12 },
  illusio: { shadows: [0.55, 0.75, 1.35], highlights: [1.16, 0.94, 1.02], saturation: 1.12, haze: 1.5 },
  fairy: { stops: 0.2, contrast: 0.86, haze: 3, detail: -0.3, highlights: [1.06, 0.98, 1.08], saturation: 1.06 },
  colorful_anime: { saturation: 1.6, contrast: 1.1, detail: -0.35, stops: 0.12 },
  hard_transform: { lamps: 1.75, ambient: 0.55, contrast: 1.12 },
  softy: { softness: 0.8, contrast: 0.85, detail: -0.5, haze: 2, stops: 0.1 },
} satisfies Record<string, Partial<Look>>;

export function lookOf(style: RelightOrder["style"], engine: RelightOrder["engine"]): Look {
  const [one, two] = [
    { ...plainLook, ...styleLooks[style] },
    { ...plainLook, ...engineLooks[engine] },
  ];
  return {
    stops: one.stops + two.stops,
    contrast: one.contrast * two.contrast,
    saturation: one.saturation * two.saturation,
    warmth: one.warmth + two.warmth,
    detail: one.detail + two.detail,
    evening: one.evening + two.evening,
    haze: one.haze * two.haze,
    lamps: one.lamps * two.lamps,
    ambient: one.ambient * two.ambient,
    softness: Math.max(one.softness, two.softness),
    colourless: Math.max(one.colourless, two.colourless),
    shadows: two.shadows,
    highlights: two.highlights,
  };
}

export const levelFactors = {
  automatic: 1,
  low: 0.45,
  medium: 0.75,
  normal: 1,
  high: 1.4,
  high_on_faces: 0.8,
} as const;

// For a light from 0 (the darkest point) to 1 (the brightest): how much of it arrives.
export const curveShapes = {
  automatic: (t) => t,
  composition: (t) => t,
  straight: (t) => t * 0.94 + 0.03,
  smooth_in: (t) => t ** 1.8,
  smooth_out: (t) => 1 - (1 - t) ** 1.8,
  smooth_both: (t) => t * t * (3 - 2 * t),
  reverse_both: (t) => t + (t - t * t * (3 - 2 * t)) * 1.2,
  soft_in: (t) => t ** 1.35,
  soft_out: (t) => 1 - (1 - t) ** 1.35,
  soft_mid: (t) => t + 0.35 * (0.5 - t) * 4 * t * (1 - t),
  strong_mid: (t) => t - 0.8 * (0.5 - t) * 4 * t * (1 - t),
  style_shift: (t) => t * 0.85 + 0.1,
  strong_shift: (t) => t ** 1.15,
} satisfies Record<string, (light: number) => number>;

export const styles = wordsOf("standard", styleLooks);
export const engines = wordsOf("automatic", engineLooks);
export const transferLevels = wordsOf("automatic", levelFactors);
export const transferCurves = wordsOf("automatic", curveShapes);

// The words a request may use, from a table of meanings; the default comes first.
export function wordsOf<Word extends string>(
  usual: Word,
  table: Readonly<Record<Word, unknown>>,
): readonly [Word, ...Word[]] {
  const others: Word[] = [];
  for (const word in table) if (word !== usual) others.push(word);
  return [usual, ...others];
}
