// From words, seed and size to pixels. The same request gives the same bytes, and a moment of an animation is the same picture
// with its clouds, waves and lights moved on.
import { canvasOf, splat } from "./canvas.ts";
import { mix } from "./colour.ts";
import { paintFigures } from "./figures.ts";
import { finish } from "./finish.ts";
import { noiseFrom } from "./noise.ts";
import { paletteFor, type Tint } from "./palette.ts";
import { type Random, randomFrom } from "./random.ts";
import { type Reading, readPrompt, type SceneName } from "./read-prompt.ts";
import { paintCity } from "./scenes/city.ts";
import { paintFlow } from "./scenes/flow.ts";
import { paintForest } from "./scenes/forest.ts";
import { type Ground, paintLand } from "./scenes/land.ts";
import { paintPoster } from "./scenes/poster.ts";
import type { Scene } from "./scenes/scene.ts";
import { paintSea } from "./scenes/sea.ts";
import { paintSpace } from "./scenes/space.ts";

export interface PictureRequest {
  readonly prompt: string;
  // The seed's digits, of any length.
  readonly seed: string;
  readonly width: number;
  readonly height: number;
}

const anyScene = ["hills", "mountains", "sea", "city", "forest", "space", "flow", "poster", "meadow", "dunes"] as const;

// Red, green and blue bytes, row by row.
export function renderPicture(request: PictureRequest, seconds = 0): Uint8Array<ArrayBuffer> {
  const reading = readPrompt(request.prompt);
  const random = randomFrom(request.prompt, request.seed);
  // Words that name no scene still lead to one, and the seed does not change it.
  const name = reading.scene ?? randomFrom(request.prompt).pick(anyScene);
  const scene: Scene = {
    canvas: canvasOf(request.width, request.height),
    reading,
    random,
    noise: noiseFrom(random),
    palette: paletteFor(moodOf(reading, name, random), tintOf(reading, name), random),
    seconds,
  };
  const ground = painters[name](scene);
  if (ground) {
    paintFigures(scene, ground);
    if (reading.wantsSnow) paintFlakes(scene);
    if (reading.wantsRain) paintRain(scene);
  }
  const isPrint = name === "poster";
  return finish(scene.canvas, {
    bloom: isPrint ? 0 : 0.5,
    vignette: isPrint ? 0.08 : 0.5,
    grain: isPrint ? 1.6 : 1.9,
    salt: Math.floor(random.next() * 1e6) + Math.round(seconds * 100),
  });
}

function tintOf(reading: Reading, name: SceneName): Tint | null {
  if (reading.tint === null) return null;
  return { hue: reading.tint, isOfSubject: name === "meadow" || reading.figures.length > 0 };
}

function moodOf(reading: Reading, name: SceneName, random: Random): Reading["mood"] {
  if (reading.mood) return reading.mood;
  if (name === "dunes") return random.pick(["desert", "golden", "sunset"]);
  if (name === "city") return random.pick(["night", "sunset", "neon", "dawn"]);
  if (name === "meadow") return random.pick(["spring", "golden", "day", "dawn"]);
  if (name === "forest") return random.pick(["emerald", "dawn", "golden", "autumn"]);
  return null;
}

// A scene without ground has no figures and no weather.
const painters: Readonly<Record<SceneName, (scene: Scene) => Ground | null>> = {
  hills: (scene) => paintLand(scene, "hills"),
  mountains: (scene) => paintLand(scene, "mountains"),
  dunes: (scene) => paintLand(scene, "dunes"),
  meadow: (scene) => paintLand(scene, "meadow"),
  sea: paintSea,
  city: paintCity,
  forest: paintForest,
  space: paintSpace,
  flow: paintFlow,
  poster: paintPoster,
};

function paintFlakes({ canvas, random, seconds }: Scene): void {
  const count = Math.round(420 * canvas.right * canvas.bottom);
  for (let flake = 0; flake < count; flake++) {
    const near = random.next() ** 3;
    const x = random.next() * canvas.right + 0.02 * Math.sin(seconds * 1.3 + flake);
    const y = (random.next() * canvas.bottom + seconds * (0.05 + near * 0.12)) % canvas.bottom;
    splat(canvas, x, y, 0.0012 + near * 0.0042, [0.95, 0.97, 1], 0.4 + 0.4 * random.next());
  }
}

function paintRain({ canvas, random, palette, seconds }: Scene): void {
  const light = mix(palette.lights.horizon, [1, 1, 1], 0.4);
  const count = Math.round(260 * canvas.right);
  for (let drop = 0; drop < count; drop++) {
    const x = random.next() * canvas.right;
    const y = (random.next() * canvas.bottom + seconds * 1.6) % canvas.bottom;
    const long = random.between(0.02, 0.06);
    for (let step = 0; step < 7; step++)
      splat(canvas, x + (step / 7) * long * 0.18, y - (step / 7) * long, 0.0008, light, 0.16);
  }
}
