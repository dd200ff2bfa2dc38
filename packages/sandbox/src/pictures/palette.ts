// The colours of a picture: a mood (time of day, weather, season), shifted towards the colours that the prompt names, and varied
// a little by the seed so that two sunsets differ.
import { between, type Light, type Tone, toLight } from "./colour.ts";
import type { Random } from "./random.ts";

type SkyTone = "top" | "middle" | "horizon" | "light";
type LandTone = "far" | "near" | "accent";
type Tones<Colour> = Readonly<Record<SkyTone | LandTone, Colour>>;

interface MoodTones {
  readonly sky: Readonly<Record<SkyTone, Tone>>;
  readonly land: Readonly<Record<LandTone, Tone>>;
  // 0 at noon, 1 at midnight: stars, lit windows, moon instead of sun.
  readonly darkness: number;
}

const moods = {
  day: {
    sky: { top: [0.56, 0.12, 252], middle: [0.75, 0.085, 238], horizon: [0.93, 0.035, 215], light: [0.99, 0.03, 100] },
    land: { far: [0.7, 0.055, 232], near: [0.3, 0.075, 150], accent: [0.7, 0.17, 45] },
    darkness: 0,
  },
  dawn: {
    sky: { top: [0.5, 0.09, 275], middle: [0.72, 0.1, 345], horizon: [0.9, 0.085, 60], light: [0.98, 0.06, 85] },
    land: { far: [0.62, 0.075, 320], near: [0.2, 0.05, 285], accent: [0.75, 0.14, 20] },
    darkness: 0.15,
  },
  sunset: {
    sky: { top: [0.33, 0.1, 285], middle: [0.6, 0.17, 22], horizon: [0.86, 0.15, 72], light: [0.97, 0.11, 92] },
    land: { far: [0.5, 0.13, 12], near: [0.13, 0.05, 310], accent: [0.72, 0.19, 40] },
    darkness: 0.25,
  },
  golden: {
    sky: { top: [0.58, 0.075, 230], middle: [0.8, 0.09, 82], horizon: [0.93, 0.11, 88], light: [0.99, 0.08, 98] },
    land: { far: [0.68, 0.1, 72], near: [0.24, 0.065, 58], accent: [0.66, 0.17, 42] },
    darkness: 0.05,
  },
  night: {
    sky: { top: [0.14, 0.055, 272], middle: [0.25, 0.08, 264], horizon: [0.44, 0.085, 246], light: [0.95, 0.03, 95] },
    land: { far: [0.33, 0.07, 258], near: [0.06, 0.025, 268], accent: [0.83, 0.14, 80] },
    darkness: 1,
  },
  winter: {
    sky: { top: [0.66, 0.06, 250], middle: [0.82, 0.04, 245], horizon: [0.94, 0.03, 45], light: [0.99, 0.03, 75] },
    land: { far: [0.78, 0.04, 248], near: [0.36, 0.055, 252], accent: [0.62, 0.16, 25] },
    darkness: 0.05,
  },
  spring: {
    sky: { top: [0.72, 0.075, 245], middle: [0.86, 0.055, 300], horizon: [0.95, 0.055, 70], light: [0.99, 0.04, 90] },
    land: { far: [0.78, 0.07, 190], near: [0.42, 0.1, 148], accent: [0.74, 0.16, 350] },
    darkness: 0,
  },
  autumn: {
    sky: { top: [0.58, 0.07, 232], middle: [0.8, 0.055, 85], horizon: [0.93, 0.07, 78], light: [0.98, 0.06, 88] },
    land: { far: [0.66, 0.085, 62], near: [0.27, 0.09, 38], accent: [0.64, 0.19, 42] },
    darkness: 0.05,
  },
  storm: {
    sky: { top: [0.24, 0.03, 250], middle: [0.42, 0.035, 240], horizon: [0.74, 0.04, 200], light: [0.93, 0.04, 190] },
    land: { far: [0.45, 0.035, 230], near: [0.12, 0.025, 245], accent: [0.8, 0.1, 95] },
    darkness: 0.35,
  },
  neon: {
    sky: { top: [0.15, 0.08, 288], middle: [0.34, 0.18, 308], horizon: [0.7, 0.23, 352], light: [0.9, 0.13, 350] },
    land: { far: [0.36, 0.16, 300], near: [0.08, 0.05, 285], accent: [0.84, 0.15, 195] },
    darkness: 0.85,
  },
  desert: {
    sky: { top: [0.52, 0.09, 243], middle: [0.76, 0.06, 225], horizon: [0.93, 0.06, 75], light: [0.99, 0.06, 90] },
    land: { far: [0.8, 0.085, 65], near: [0.45, 0.12, 45], accent: [0.6, 0.15, 35] },
    darkness: 0,
  },
  emerald: {
    sky: { top: [0.4, 0.075, 200], middle: [0.68, 0.085, 175], horizon: [0.94, 0.08, 115], light: [0.98, 0.08, 108] },
    land: { far: [0.62, 0.08, 170], near: [0.17, 0.05, 168], accent: [0.82, 0.15, 95] },
    darkness: 0.05,
  },
} as const satisfies Record<string, MoodTones>;

export type Mood = keyof typeof moods;

const prettiest = ["sunset", "dawn", "golden", "night", "day", "spring", "emerald", "autumn"] as const;

export interface Palette extends Tones<Tone>, Pick<MoodTones, "darkness"> {
  readonly lights: Tones<Light>;
}

// A colour that belongs to a subject (red poppies, a blue boat) goes to the accent and hardly to the air.
export interface Tint {
  readonly hue: number;
  readonly isOfSubject: boolean;
}

export function paletteFor(mood: Mood | null, tint: Tint | null, random: Random): Palette {
  const { sky, land, darkness }: MoodTones = moods[mood ?? random.pick(prettiest)];
  const turn = random.between(-14, 14);
  const lift = random.between(-0.025, 0.025);
  const bend = (tone: Tone): Tone => {
    const shifted: Tone = [Math.min(0.99, Math.max(0.02, tone[0] + lift)), tone[1], (tone[2] + turn + 360) % 360];
    if (tint === null) return shifted;
    // Towards the named colour, with at least some of it if the mood was pale.
    return between(
      shifted,
      [shifted[0], Math.max(shifted[1], 0.13 * Math.min(1, 2.4 * (1 - shifted[0]) + 0.25)), tint.hue],
      tint.isOfSubject ? 0.12 : 0.72,
    );
  };
  const bent = each({ ...sky, ...land }, bend);
  const accent: Tone = tint?.isOfSubject ? [0.62, 0.2, tint.hue] : tint ? land.accent : bent.accent;
  const tones = { ...bent, accent };
  return { ...tones, darkness, lights: each(tones, toLight) };
}

function each<Colour>(tones: Tones<Tone>, change: (tone: Tone) => Colour): Tones<Colour> {
  const { top, middle, horizon, light, far, near, accent } = tones;
  return {
    top: change(top),
    middle: change(middle),
    horizon: change(horizon),
    light: change(light),
    far: change(far),
    near: change(near),
    accent: change(accent),
  };
}
