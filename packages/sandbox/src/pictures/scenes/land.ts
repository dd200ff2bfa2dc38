// Layered land under a wide sky: hills, mountains, dunes and meadows, sometimes with still water in front.
import { blend, fill, fillBelow, splat } from "../canvas.ts";
import { between, type Light, mix, scaled, smooth, toLight } from "../colour.ts";
import { speckle } from "../random.ts";
import { coveredFrom, type Ridge, type RidgeKind, ridgeLine, withFirs } from "./ridge.ts";
import type { Scene } from "./scene.ts";
import { paintReflection, paintSky, type SkyLight } from "./sky.ts";

type LandKind = "hills" | "mountains" | "dunes" | "meadow";

// Where a figure may stand: the line of the ground, in units from the top.
export interface Ground {
  readonly line: Float32Array;
  readonly skyLight: SkyLight;
}

interface Layer {
  // 0 far, 1 near.
  readonly nearness: number;
  readonly ridge: Ridge;
  readonly hasFirs: boolean;
}

export function paintLand(scene: Scene, kind: LandKind): Ground {
  const { canvas, random, reading, palette } = scene;
  const hasWater = kind !== "dunes" && kind !== "meadow" && (reading.wantsWater || random.chance(0.3));
  const horizon = canvas.bottom * (hasWater ? random.between(0.5, 0.56) : random.between(0.5, 0.64));
  const skyLight = paintSky(scene, { horizon: horizon + 0.04 });
  const foot = hasWater ? canvas.bottom * random.between(0.64, 0.7) : canvas.bottom;
  const layers = layersOf(scene, kind, horizon, foot);
  let line: Float32Array = new Float32Array(canvas.width).fill(foot);
  const shapes = layers.map((layer) => shapeOf(scene, layer));
  const covers = coveredFrom(
    canvas,
    shapes.map((shape) => shape.line),
  );
  for (const [index, shape] of shapes.entries()) {
    paintLayer(scene, kind, shape, skyLight, covers[index]);
    line = shape.ground;
  }
  if (!hasWater) {
    if (kind === "meadow") paintFlowers(scene, line);
    return { line, skyLight };
  }
  paintReflection(scene, foot, { ripple: 0.02, tint: mix(palette.lights.top, palette.lights.near, 0.4) });
  return { line: paintShoreline(scene), skyLight };
}

function layersOf(scene: Scene, kind: LandKind, horizon: number, foot: number): Layer[] {
  const { random, reading, seconds } = scene;
  const count = kind === "dunes" ? 5 : kind === "mountains" ? 6 : 6;
  const wantsFirs =
    kind !== "dunes" && kind !== "meadow" && random.chance(kind === "mountains" || reading.wantsSnow ? 0.85 : 0.55);
  const drift = seconds * 0.045;
  return Array.from({ length: count }, (_, index) => {
    const nearness = index / (count - 1);
    const ridgeKind = ridgeKindOf(kind, nearness);
    const tall = { mountain: 0.34 - nearness * 0.16, hill: 0.1 + 0.05 * (1 - nearness), dune: 0.15 + 0.08 * nearness }[
      ridgeKind
    ];
    return {
      nearness,
      // Figures need clear ground.
      hasFirs: wantsFirs && nearness > 0.45 && !(nearness === 1 && reading.figures.length > 0),
      ridge: {
        kind: ridgeKind,
        base: horizon + (foot - horizon) * nearness ** 1.25 * 0.86 + (ridgeKind === "mountain" ? 0.06 : 0.05),
        tall: tall * random.between(0.8, 1.2),
        frequency: { mountain: 1.7 + nearness, hill: 2.6 - nearness * 1.3, dune: 2.1 - nearness * 1.1 }[ridgeKind],
        offset: random.between(0, 200) + drift * (0.3 + nearness * 2),
        lane: index * 7.3 + random.between(0, 3),
      },
    };
  });
}

function ridgeKindOf(kind: LandKind, nearness: number): RidgeKind {
  if (kind === "dunes") return "dune";
  return kind === "mountains" && nearness < 0.65 ? "mountain" : "hill";
}

interface LayerTones {
  readonly body: Light;
  readonly lit: Light;
  readonly haze: Light;
  readonly snow: Light;
  readonly snowShade: Light;
}

function tonesOf({ palette }: Scene, nearness: number): LayerTones {
  const haze = mix(palette.lights.horizon, palette.lights.far, 0.25);
  const body = mix(toLight(between(palette.far, palette.near, nearness ** 0.85)), haze, 0.62 * (1 - nearness));
  const day = 1 - palette.darkness * 0.62;
  const white = scaled(mix([0.88, 0.91, 0.97], palette.lights.light, 0.4), day);
  const snow = mix(mix(white, palette.lights.horizon, 0.45 * palette.darkness), haze, 0.35 * (1 - nearness));
  return {
    body,
    haze,
    snow,
    lit: mix(body, palette.lights.light, (0.25 + 0.12 * (1 - nearness)) * (1 - 0.6 * palette.darkness)),
    // Snow in the shade shows the colour of the sky.
    snowShade: mix(scaled(snow, 0.42), palette.lights.middle, 0.42),
  };
}

interface LayerShape extends Layer {
  readonly ground: Float32Array;
  // The ground with its trees.
  readonly line: Float32Array;
}

function shapeOf({ canvas, noise }: Scene, layer: Layer): LayerShape {
  const ground = ridgeLine(canvas, noise, layer.ridge);
  const firs = { tall: 0.035 + 0.085 * layer.nearness ** 1.5, density: 4.2, salt: Math.floor(layer.ridge.lane * 100) };
  return { ...layer, ground, line: layer.hasFirs ? withFirs(canvas, ground, firs) : ground };
}

function paintLayer(
  scene: Scene,
  kind: LandKind,
  layer: LayerShape,
  skyLight: SkyLight,
  until: Float32Array | undefined,
): void {
  const { canvas, reading } = scene;
  const { nearness, hasFirs, ridge, ground, line } = layer;
  const tones = tonesOf(scene, nearness);
  const facing = facingOf(scene, ground, skyLight);
  const surface = surfaceOf(scene, kind, layer, tones);
  const isWooded = hasFirs && !(reading.wantsSnow && nearness < 0.7);
  const light = (x: number, y: number, depth: number, column: number): Light => {
    const below = depth - ((ground[column] ?? 0) - (line[column] ?? 0));
    const fog = smooth(0, ridge.tall * 1.9, below) * (0.72 - 0.66 * nearness);
    if (hasFirs && below < 0.012)
      return mix(isWooded ? scaled(tones.body, 0.78) : mix(tones.body, tones.snowShade, 0.3), tones.haze, fog);
    return mix(surface(x, y, depth, facing(column, depth)), tones.haze, fog);
  };
  fillBelow(canvas, line, light, until);
}

// How much a slope faces the light, from −1 to 1. Crests are followed downwards and sideways, so that light and shade run down
// the slope in curves instead of columns.
function facingOf(
  { canvas }: Scene,
  ground: Float32Array,
  skyLight: SkyLight,
): (column: number, depth: number) => number {
  const reach = Math.max(2, Math.round(canvas.unit * 0.012));
  const slopes = new Float32Array(canvas.width);
  const isFromRight = skyLight.x > canvas.right / 2;
  for (let column = 0; column < canvas.width; column++) {
    const before = ground[Math.max(0, column - reach)] ?? 0;
    const after = ground[Math.min(canvas.width - 1, column + reach)] ?? 0;
    slopes[column] = Math.max(-1, Math.min(1, ((after - before) * canvas.unit) / reach / (isFromRight ? -1.1 : 1.1)));
  }
  return (column, depth) => {
    const followed = Math.round(column + (depth * 0.9 + Math.sin(depth * 9) * 0.03) * canvas.unit);
    return slopes[followed < canvas.width ? followed : canvas.width - 1] ?? 0;
  };
}

type Surface = (x: number, y: number, depth: number, facing: number) => Light;

function surfaceOf(scene: Scene, kind: LandKind, layer: Layer, tones: LayerTones): Surface {
  const { noise, reading } = scene;
  const { ridge, nearness } = layer;
  if (ridge.kind === "dune") return duneSurface(scene, layer, tones);
  if (ridge.kind === "mountain") return mountainSurface(scene, layer, tones, kind === "mountains" || reading.wantsSnow);
  const isWhite = reading.wantsSnow && kind !== "meadow";
  return (x, y, depth, facing) => {
    const rolling = 0.5 + 0.5 * noise.fractal(x * 4 + ridge.offset, y * 11, 3);
    const side = rolling * 0.4 + smooth(-0.2, 0.8, facing) * 0.35 * Math.exp(-depth * 5);
    if (isWhite) return mix(tones.snowShade, tones.snow, Math.min(1, 0.25 + side));
    return mix(scaled(tones.body, 0.84), tones.lit, side * (1 - nearness * 0.35));
  };
}

function duneSurface({ noise }: Scene, { ridge }: Layer, tones: LayerTones): Surface {
  const shade = scaled(tones.body, 0.66);
  return (x, y, depth, facing) => {
    const ripple = noise.at(x * 24 + noise.at(x * 5, y * 9) * 2, (y + x * 0.25) * 130 + ridge.offset);
    const side = smooth(-0.22, 0.3, facing + ripple * 0.07);
    const fade = smooth(0.05, ridge.tall * 3.2, depth);
    return mix(mix(shade, tones.lit, side), mix(shade, tones.lit, 0.42 + ripple * 0.05), fade * 0.75);
  };
}

function mountainSurface({ noise }: Scene, { ridge }: Layer, tones: LayerTones, isSnowy: boolean): Surface {
  const dark = scaled(tones.body, 0.7);
  const { base, tall, offset, frequency } = ridge;
  return (x, y, depth, facing) => {
    // Spurs: ridges that run down from the crest, wider towards the foot.
    const u = x * frequency + offset;
    const bend = noise.at(u * 2, y * 5) * 0.35;
    const spur = noise.ridged(u * 2.1 + bend + depth * 0.8, y * 2.4 + bend, 3) - 0.55;
    const beyond = noise.ridged(u * 2.1 + bend + depth * 0.8 + 0.09, y * 2.4 + bend - 0.03, 3) - 0.55;
    const side = smooth(-0.16, 0.16, (spur - beyond) * 1.5 + facing * 0.14 * Math.exp(-depth * 9));
    const rock = mix(dark, tones.lit, side * 0.8);
    if (!isSnowy) return rock;
    const cover = smooth(-0.03, 0.07, base - tall * 0.34 - y + spur * 0.12);
    return mix(rock, mix(tones.snowShade, tones.snow, side), cover);
  };
}

// A dark bank in front of the water, for depth and for figures to stand on.
function paintShoreline(scene: Scene): Float32Array {
  const { canvas, noise, random, palette, seconds } = scene;
  const line = ridgeLine(canvas, noise, {
    kind: "hill",
    base: canvas.bottom * 0.965,
    tall: 0.09,
    frequency: 1.5,
    offset: random.between(0, 90) + seconds * 0.12,
    lane: 77,
  });
  const dark = scaled(palette.lights.near, 0.75);
  const edge = mix(dark, palette.lights.light, 0.16);
  fillBelow(canvas, line, (_x, _y, depth) => mix(edge, dark, smooth(0, 0.022, depth)));
  paintGrass(scene, line, dark);
  return line;
}

export function paintGrass(scene: Scene, line: Float32Array, light: Light): void {
  const { canvas, seconds } = scene;
  const blades = Math.round(260 * canvas.right);
  for (let blade = 0; blade < blades; blade++) {
    const x = speckle(blade, 1, 5) * canvas.right;
    const foot = (line[Math.min(canvas.width - 1, Math.floor(x * canvas.unit))] ?? 0) + 0.01;
    const tall = 0.015 + 0.04 * speckle(blade, 2, 5) ** 2;
    const lean = (speckle(blade, 3, 5) - 0.5) * 0.9 + Math.sin(seconds * 2 + x * 6) * 0.12;
    const steps = Math.ceil(tall * canvas.unit * 1.5);
    for (let step = 0; step < steps; step++) {
      const up = step / steps;
      const px = Math.round((x + lean * tall * up * up) * canvas.unit);
      const py = Math.round((foot - tall * up) * canvas.unit);
      if (px >= 0 && px < canvas.width && py >= 0 && py < canvas.height)
        blend(canvas, (py * canvas.width + px) * 3, light, 0.85 * (1 - up * 0.6));
    }
  }
}

// Larger and sparser towards the viewer, in the accent colour and its neighbours.
function paintFlowers(scene: Scene, line: Float32Array): void {
  const { canvas, random, palette, seconds } = scene;
  const [lightness, chroma, hue] = palette.accent;
  const colours: readonly [Light, ...Light[]] = [
    palette.lights.accent,
    toLight([lightness + 0.08, chroma, hue + 25]),
    toLight([Math.min(0.95, lightness + 0.2), chroma * 0.5, hue - 20]),
    toLight([0.93, 0.04, 95]),
  ];
  const stem = mix(palette.lights.near, palette.lights.far, 0.3);
  const count = Math.round(2300 * canvas.right);
  for (let flower = 0; flower < count; flower++) {
    const depth = (flower / count) ** 1.7;
    const x = random.next() * canvas.right;
    const ground = line[Math.min(canvas.width - 1, Math.floor(x * canvas.unit))] ?? 0;
    const top = Math.max(canvas.bottom * 0.63, ground - 0.12);
    const y = top + (canvas.bottom + 0.02 - top) * depth + (random.next() - 0.5) * 0.03;
    const size = 0.0018 + 0.0155 * depth ** 1.4 * random.between(0.6, 1.25);
    const sway = Math.sin(seconds * 2.2 + x * 5 + y * 9) * size * 0.6;
    const colour = random.pick(colours);
    const share = random.between(0.75, 1.15);
    if (depth > 0.25)
      for (let part = 1; part < 5; part++)
        splatDark(scene, x + (sway * (5 - part)) / 5, y + size * part * 0.9, size * 0.28, stem);
    splatBlossom(scene, x + sway, y, size, scaled(colour, share), depth);
  }
}

function splatDark({ canvas }: Scene, x: number, y: number, radius: number, light: Light): void {
  const column = Math.round(x * canvas.unit);
  const row = Math.round(y * canvas.unit);
  const reach = Math.max(1, Math.round(radius * canvas.unit));
  for (let down = 0; down < reach * 3; down++)
    for (let across = 0; across < reach; across++) {
      const px = column + across;
      const py = row + down;
      if (px >= 0 && px < canvas.width && py >= 0 && py < canvas.height)
        blend(canvas, (py * canvas.width + px) * 3, light, 0.5);
    }
}

function splatBlossom({ canvas }: Scene, x: number, y: number, size: number, light: Light, depth: number): void {
  const box = { left: x - size, right: x + size, top: y - size, bottom: y + size };
  const below = (py: number) => (py - y) * 1.25;
  const distance = (px: number, py: number) => {
    const [dx, dy] = [px - x, below(py)];
    const petals = depth > 0.3 ? 0.8 + 0.2 * Math.cos(Math.atan2(dy, dx) * 5 + x * 70) : 1;
    return Math.hypot(dx, dy) - size * petals;
  };
  fill(canvas, box, distance, (_px, py) => scaled(light, 1.12 - Math.max(0, below(py) / size) * 0.4));
  if (depth > 0.5) splat(canvas, x, y, size * 0.25, [0.5, 0.35, 0.05], 0.8);
}
