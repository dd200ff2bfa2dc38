// What a prompt says about light: lamps with a position, a colour and a weight, and what stays in the shade. We read clause by
// clause, so that "pink neon from the left and cyan from the right" are two lamps. `(phrase:1.3)` stresses a clause.
import { type Light, mix, scaled } from "../pictures/colour.ts";

export interface Lamp {
  // In half sides from the middle: left and up are negative.
  readonly x: number;
  readonly y: number;
  // In front of the picture, or behind it if negative.
  readonly z: number;
  readonly colour: Light;
  readonly strength: number;
  // From 0, a point, to 1, a wide soft source.
  readonly softness: number;
}

export interface LightPlan {
  readonly lamps: readonly Lamp[];
  // Light from everywhere; its colour is the colour of the shade.
  readonly ambient: Light;
  // The mean brightness; 1 leaves it unchanged.
  readonly exposure: number;
  // How much of the old light is removed first.
  readonly flatten: number;
  readonly haze: number;
}

interface Hour {
  readonly words: string;
  // `other`: a second colour from the other side.
  readonly lamp: Pick<Lamp, "colour" | "softness"> & {
    readonly position: readonly [number, number];
    readonly other?: Light;
  };
  readonly air: Pick<LightPlan, "ambient" | "exposure" | "haze">;
}

const hours: readonly Hour[] = [
  {
    words: "neon cyberpunk synthwave club disco nightclub",
    lamp: { colour: [1, 0.12, 0.62], position: [-1.15, -0.1], softness: 0.45, other: [0.06, 0.62, 1] },
    air: { ambient: [0.16, 0.1, 0.3], exposure: 0.72, haze: 0.16 },
  },
  {
    words: "moonlight moonlit moon night midnight nocturnal starlight nighttime",
    lamp: { colour: [0.5, 0.68, 1], position: [0.7, -1.2], softness: 0.5 },
    air: { ambient: [0.12, 0.18, 0.36], exposure: 0.42, haze: 0.05 },
  },
  {
    words: "candle candlelight candlelit fire firelight campfire fireplace ember lantern",
    lamp: { colour: [1, 0.5, 0.16], position: [-0.35, 1.15], softness: 0.35 },
    air: { ambient: [0.2, 0.11, 0.1], exposure: 0.62, haze: 0.12 },
  },
  {
    words: "sunset sundown",
    lamp: { colour: [1, 0.46, 0.2], position: [1.25, 0.1], softness: 0.4 },
    air: { ambient: [0.34, 0.25, 0.38], exposure: 0.86, haze: 0.2 },
  },
  {
    words: "golden honey amber",
    lamp: { colour: [1, 0.68, 0.32], position: [-1.25, -0.15], softness: 0.5 },
    air: { ambient: [0.4, 0.34, 0.3], exposure: 1.02, haze: 0.18 },
  },
  {
    words: "dusk twilight evening blue-hour",
    lamp: { colour: [0.86, 0.6, 0.82], position: [1.2, -0.2], softness: 0.7 },
    air: { ambient: [0.22, 0.28, 0.5], exposure: 0.62, haze: 0.1 },
  },
  {
    words: "dawn sunrise morning",
    lamp: { colour: [1, 0.76, 0.58], position: [-1.2, -0.3], softness: 0.7 },
    air: { ambient: [0.4, 0.42, 0.52], exposure: 0.98, haze: 0.16 },
  },
  {
    words: "storm stormy overcast cloudy fog foggy mist misty gloomy",
    lamp: { colour: [0.86, 0.92, 1], position: [0, -1.2], softness: 1 },
    air: { ambient: [0.55, 0.6, 0.66], exposure: 0.74, haze: 0.14 },
  },
  {
    words: "noon midday daylight day sunny sunlight sun summer",
    lamp: { colour: [1, 0.95, 0.86], position: [-0.5, -1.25], softness: 0.3 },
    air: { ambient: [0.4, 0.46, 0.54], exposure: 1.14, haze: 0.06 },
  },
];

const studio: Hour = {
  words: "",
  lamp: { colour: [1, 0.97, 0.93], position: [-1, -0.85], softness: 0.7 },
  air: { ambient: [0.42, 0.43, 0.45], exposure: 1.04, haze: 0.03 },
};

const colours: readonly (readonly [words: string, light: Light])[] = [
  ["warm tungsten cosy cozy", [1, 0.72, 0.42]],
  ["cold cool icy winter frosty", [0.58, 0.78, 1]],
  ["golden gold honey amber yellow", [1, 0.68, 0.3]],
  ["sunset orange", [1, 0.46, 0.18]],
  ["magenta pink fuchsia", [1, 0.14, 0.62]],
  ["cyan teal turquoise aqua", [0.08, 0.8, 0.95]],
  ["blue azure cobalt", [0.16, 0.4, 1]],
  ["red crimson scarlet", [1, 0.1, 0.08]],
  ["green emerald lime", [0.2, 0.95, 0.35]],
  ["purple violet lilac", [0.56, 0.2, 1]],
  ["moonlight moonlit silver", [0.55, 0.72, 1]],
  ["white neutral", [1, 1, 1]],
];

const across = { left: -1.2, right: 1.2 } as const;
const upWords = "top above overhead upper up ceiling";
const downWords = "below beneath under underneath bottom lower underlit";
const behindWords = "behind back backlit backlight backlighting rim silhouette contre";
const hardWords = "hard harsh dramatic spotlight spot strong chiaroscuro noir contrasty beam";
const softWords = "soft softly softbox diffuse diffused gentle subtle dreamy";
const dimWords = "dim dark darker low-key lowkey moody shadowy noir";
const brightWords = "bright brighter high-key highkey radiant brilliant";

const promptCharactersMax = 4000;

interface Clause {
  readonly says: (words: string) => boolean;
  readonly weight: number;
}

export function planLight(prompt: string): LightPlan {
  const clauses = clausesOf(prompt);
  const says = (words: string) => clauses.some((clause) => clause.says(words));
  const { lamp, air } = hours.find(({ words }) => says(words)) ?? studio;
  const general = clauses.find((clause) => positionOf(clause) === null && colourOf(clause) !== null);
  const colour = (general && colourOf(general)) ?? lamp.colour;
  const stress = Math.max(1, ...clauses.map(({ weight }) => weight));
  const softness = says(hardWords) ? 0.12 : says(softWords) ? 0.9 : lamp.softness;
  const placed = clauses.flatMap((clause) => {
    const position = positionOf(clause);
    return position
      ? [{ ...position, colour: colourOf(clause) ?? colour, strength: 1.5 * clause.weight, softness }]
      : [];
  });
  const level = (says(dimWords) ? 0.66 : 1) * (says(brightWords) ? 1.3 : 1);
  // Shade takes a little of the light's colour: a red lamp in a small room has no grey shade.
  const tinted = colour === lamp.colour ? air.ambient : mix(air.ambient, scaled(colour, 0.4), 0.3);
  return {
    lamps: placed.length > 0 ? placed : lampsOf(lamp, colour, softness, 1.5 * stress),
    ambient: scaled(tinted, says(hardWords) ? 0.6 : says(softWords) ? 1.2 : 1),
    exposure: air.exposure * level,
    flatten: 0.5,
    haze: air.haze * (says("haze hazy mist misty fog foggy dreamy glow glowing rays") ? 2 : 1),
  };
}

function lampsOf(lamp: Hour["lamp"], colour: Light, softness: number, strength: number): readonly Lamp[] {
  const [x, y] = lamp.position;
  const key: Lamp = { x, y, z: 0.55, colour, strength, softness };
  if (!lamp.other) return [key];
  return [key, { x: -x, y: y + 0.1, z: 0.4, colour: lamp.other, strength: strength * 0.95, softness }];
}

type LampPosition = Pick<Lamp, "x" | "y" | "z">;

function positionOf({ says }: Clause): LampPosition | null {
  const x = says("left") ? across.left : says("right") ? across.right : 0;
  const y = says(upWords) ? -1.2 : says(downWords) ? 1.2 : 0;
  if (says(behindWords)) return { x, y: y === 0 ? -0.35 : y, z: -0.6 };
  if (x === 0 && y === 0) return says("front frontal camera") ? { x: 0, y: -0.15, z: 1.3 } : null;
  return x !== 0 && y === 0 ? { x, y: -0.2, z: 0.5 } : { x, y, z: 0.5 };
}

function colourOf({ says }: Clause): Light | null {
  return colours.find(([words]) => says(words))?.[1] ?? null;
}

function clausesOf(prompt: string): readonly Clause[] {
  return prompt
    .slice(0, promptCharactersMax)
    .toLowerCase()
    .split(/[,;\n]|\.(?!\d)|\band\b|\bwith\b|\bplus\b/u)
    .map((text) => {
      const weight = Number(/:\s*(\d(?:\.\d+)?)\s*\)/u.exec(text)?.[1] ?? 1);
      const words = new Set(text.match(/\p{L}+(?:-\p{L}+)*/gu) ?? []);
      return {
        says: (list: string) => list.split(" ").some((word) => words.has(word)),
        // Limited to what the syntax allows; a stress should be visible.
        weight: 1 + (Math.min(1.4, Math.max(1, weight)) - 1) * 2.5,
      };
    });
}
