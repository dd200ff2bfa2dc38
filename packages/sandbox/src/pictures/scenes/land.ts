// Layered land under a wide sky: hills, mountains, dunes and meadows, sometimes with still water in front.
import { blend, fillBelow, splat } from "../canvas.ts";
import { between, type Light, lightOf, mix, scaled, smooth } from "../colour.ts";
import { speckle } from "../random.ts";
import { type Ridge, type RidgeKind, ridgeLine, withFirs } from "./ridge.ts";
import type { Scene } from "./scene.ts";
import { paintReflection, paintSky, type SkyLight } from "./sky.ts";

export type LandKind = "hills" | "mountains" | "dunes" | "meadow";

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
  let line = new Float32Array(canvas.width).fill(foot);
  for (const layer of layers) line = paintLayer(scene, kind, layer, skyLight);
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
  const wantsFirs = kind !== "dunes" && kind !== "meadow" && random.chance(kind === "mountains" || reading.wantsSnow ? 0.85 : 0.55);
  const drift = seconds * 0.045;
  return Array.from({ length: count }, (_, index) => {
    const nearness = index / (count - 1);
    const ridgeKind = ridgeKindOf(kind, nearness);
    const tall = { mountain: 0.34 - nearness * 0.16, hill: 0.1 + 0.05 * (1 - nearness), dune: 0.15 + 0.08 * nearness }[ridgeKind];
    return {
      nearness,
      hasFirs: wantsFirs && nearness > 0.45,
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

function paintLayer(scene: Scene, kind: LandKind, layer: Layer, skyLight: SkyLight): Float32Array<ArrayBuffer> {
  const { canvas, noise, palette, reading } = scene;
  const ground = ridgeLine(canvas, noise, layer.ridge);
  const line = layer.hasFirs
    ? withFirs(canvas, ground, { tall: 0.035 + 0.085 * layer.nearness ** 1.5, density: 4.2, salt: Math.floor(layer.ridge.lane * 100) })
    : ground;
  const body = lightOf(between(palette.far, palette.near, layer.nearness ** 0.85));
  const haze = mix(palette.lights.horizon, palette.lights.far, 0.25);
  const hazed = mix(body, haze, 0.62 * (1 - layer.nearness));
  const lit = mix(hazed, palette.lights.light, 0.25 + 0.12 * (1 - layer.nearness));
  const isSnowy = kind === "mountains" || reading.wantsSnow;
  const snow = mix(mix([0.86, 0.9, 0.97], palette.lights.light, 0.35), haze, 0.35 * (1 - layer.nearness));
  const shaded = scaled(snow, 0.25 + 0.45 * (1 - palette.darkness));
  const { kind: ridgeKind, base, tall, offset, frequency } = layer.ridge;
  const away = skyLight.x;
  fillBelow(canvas, line, (x, y, depth, column) => {
    const before = ground[Math.max(0, column - 2)] ?? 0;
    const after = ground[Math.min(canvas.width - 1, column + 2)] ?? 0;
    const slope = ((after - before) * canvas.unit) / 4;
    const facing = Math.max(-1, Math.min(1, slope * (x < away ? -1.4 : 1.4)));
    const fog = smooth(0, tall * 1.9, depth) * (0.72 - 0.66 * layer.nearness);
    if (ridgeKind === "dune") return mix(duneLight(hazed, lit, body, facing, noise.at(x * 60, y * 160 - depth * 60), depth), haze, fog * 0.5);
    if (ridgeKind === "mountain") {
      const u = x * frequency + offset;
      const relief = noise.fractal(u * 2.6 + facing * 0.2, y * 6.5, 4) + (facing * 0.5) / (1 + depth * 7);
      const side = smooth(-0.32, 0.42, relief);
      const rock = mix(scaled(hazed, 0.72), lit, side * 0.75);
      if (!isSnowy) return mix(rock, haze, fog);
      const cover = smooth(-0.06, 0.1, base - tall * 0.32 - y + relief * 0.07);
      return mix(mix(rock, mix(shaded, snow, side), cover), haze, fog);
    }
    const rolling = 0.5 + 0.5 * noise.fractal(x * 5 + offset, y * 14, 3);
    const grass = reading.wantsSnow && kind !== "meadow" ? mix(shaded, snow, 0.35 + rolling * 0.5) : mix(scaled(hazed, 0.86), lit, rolling * 0.4 * (1 - layer.nearness * 0.35) + Math.max(0, facing) * 0.25);
    const rim = layer.hasFirs && depth < (ground[column] ?? 0) - (line[column] ?? 0) + 0.012;
    return mix(rim ? scaled(hazed, 0.8) : grass, haze, fog);
  });
  return ground;
}

function duneLight(base: Light, lit: Light, dark: Light, facing: number, ripple: number, depth: number): Light {
  const side = smooth(-0.35, 0.35, facing + ripple * 0.12 * Math.exp(-depth * 3));
  return mix(scaled(mix(base, dark, 0.4), 0.8), lit, side * (0.85 - 0.5 * smooth(0, 0.4, depth)));
}

// A dark bank in front of the water, for depth and for figures to stand on.
function paintShoreline(scene: Scene): Float32Array {
  const { canvas, noise, random, palette, seconds } = scene;
  const line = ridgeLine(canvas, noise, {
    kind: "hill", base: canvas.bottom * 0.965, tall: 0.09, frequency: 1.5, offset: random.between(0, 90) + seconds * 0.12, lane: 77,
  });
  const dark = scaled(palette.lights.near, 0.75);
  const edge = mix(dark, palette.lights.light, 0.16);
  fillBelow(canvas, line, (_x, _y, depth) => mix(edge, dark, smooth(0, 0.05, depth)));
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
    lightOf([lightness + 0.08, chroma, hue + 25]),
    lightOf([Math.min(0.95, lightness + 0.2), chroma * 0.5, hue - 20]),
    lightOf([0.93, 0.04, 95]),
  ];
  const stem = mix(palette.lights.near, palette.lights.far, 0.3);
  const count = Math.round(2600 * canvas.right);
  for (let flower = 0; flower < count; flower++) {
    const depth = (flower / count) ** 1.7;
    const x = random.next() * canvas.right;
    const ground = line[Math.min(canvas.width - 1, Math.floor(x * canvas.unit))] ?? 0;
    const top = Math.max(canvas.bottom * 0.63, ground - 0.12);
    const y = top + (canvas.bottom + 0.02 - top) * depth + (random.next() - 0.5) * 0.03;
    const size = 0.0016 + 0.0105 * depth ** 1.4 * random.between(0.6, 1.25);
    const sway = Math.sin(seconds * 2.2 + x * 5 + y * 9) * size * 0.6;
    const colour = random.pick(colours);
    const share = random.between(0.75, 1.15);
    if (depth > 0.25) for (let part = 1; part < 5; part++) splatDark(scene, x + (sway * (5 - part)) / 5, y + size * part * 0.9, size * 0.28, stem);
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
      if (px >= 0 && px < canvas.width && py >= 0 && py < canvas.height) blend(canvas, (py * canvas.width + px) * 3, light, 0.5);
    }
}

function splatBlossom({ canvas }: Scene, x: number, y: number, size: number, light: Light, depth: number): void {
  const reach = size * 1.3;
  const fromX = Math.max(0, Math.floor((x - reach) * canvas.unit));
  const toX = Math.min(canvas.width - 1, Math.ceil((x + reach) * canvas.unit));
  const fromY = Math.max(0, Math.floor((y - reach) * canvas.unit));
  const toY = Math.min(canvas.height - 1, Math.ceil((y + reach) * canvas.unit));
  for (let row = fromY; row <= toY; row++)
    for (let column = fromX; column <= toX; column++) {
      const dx = (column + 0.5) / canvas.unit - x;
      const dy = ((row + 0.5) / canvas.unit - y) * 1.25;
      const petals = depth > 0.3 ? 0.8 + 0.2 * Math.cos(Math.atan2(dy, dx) * 5 + x * 70) : 1;
      const cover = Math.min(1, Math.max(0, 0.5 + (size * petals - Math.hypot(dx, dy)) * canvas.unit));
      if (cover > 0) blend(canvas, (row * canvas.width + column) * 3, scaled(light, 1.12 - Math.max(0, dy / size) * 0.4), cover);
    }
  if (depth > 0.5) splat(canvas, x, y, size * 0.25, [0.5, 0.35, 0.05], 0.8);
}
