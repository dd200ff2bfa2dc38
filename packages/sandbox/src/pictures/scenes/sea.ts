// Open water under a wide sky: waves in perspective, a path of light towards the sun, headlands, sometimes a beach.
import { fillBelow } from "../canvas.ts";
import { type Light, mix, scaled, smooth } from "../colour.ts";
import type { Ground } from "./land.ts";
import { ridgeLine } from "./ridge.ts";
import type { Scene } from "./scene.ts";
import { paintSky, type SkyLight, skyRows } from "./sky.ts";

export function paintSea(scene: Scene): Ground {
  const { canvas, random } = scene;
  const horizon = canvas.bottom * random.between(0.48, 0.6);
  const skyLight = paintSky(scene, { horizon, isGrand: random.chance(0.45) });
  paintHeadlands(scene, horizon);
  paintWater(scene, horizon, skyLight);
  return { line: paintBeach(scene), skyLight };
}

function paintHeadlands(scene: Scene, horizon: number): void {
  const { canvas, noise, palette, random, seconds } = scene;
  const count = random.pick([1, 2, 3]);
  for (let index = 0; index < count; index++) {
    const isLeft = random.chance(0.5);
    const reach = random.between(0.25, 0.7);
    const line = ridgeLine(canvas, noise, {
      kind: random.chance(0.5) ? "mountain" : "hill",
      base: horizon + 0.02,
      tall: random.between(0.09, 0.2),
      frequency: random.between(2, 3.4),
      offset: random.between(0, 90) + seconds * 0.01,
      lane: 20 + index * 9,
    });
    for (let column = 0; column < canvas.width; column++) {
      const from = isLeft ? column / canvas.width : 1 - column / canvas.width;
      line[column] = (line[column] ?? 0) + (horizon + 0.05 - (line[column] ?? 0)) * smooth(reach * 0.35, reach, from);
    }
    const body = mix(palette.lights.far, palette.lights.near, 0.12 + index * 0.22);
    const haze = mix(body, palette.lights.horizon, 0.5);
    fillBelow(canvas, line, (_x, y, depth) =>
      mix(body, haze, smooth(0, 0.12, depth) * smooth(horizon - 0.1, horizon, y)),
    );
  }
}

function paintWater(scene: Scene, horizon: number, skyLight: SkyLight): void {
  const { canvas, palette, noise, random, seconds } = scene;
  const { width, height, unit, pixels } = canvas;
  const rows = skyRows(scene, horizon);
  const deep = mix(palette.lights.top, palette.lights.near, 0.45);
  const calm = random.between(0.5, 1.1);
  const sparkle = scaled(palette.lights.light, skyLight.isMoon ? 0.7 : 1.15);
  const first = Math.round(horizon * unit);
  for (let row = first; row < height; row++) {
    const depth = (row - first + 0.5) / unit;
    const far = 0.16 / (depth + 0.012);
    const mirrored = rows[Math.max(0, Math.round((horizon - depth * 1.25) * unit))] ?? palette.lights.middle;
    const base = mix(mirrored, deep, 0.28 + 0.5 * smooth(0, 0.5, depth));
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / unit;
      const u = (x - canvas.right / 2) * far * 3.2;
      const v = far * 9;
      const swell = noise.fractal(u * 0.9 + seconds * 0.35, v + seconds * 0.8, 4);
      const chop = noise.at(u * 5 - seconds, v * 4 + seconds * 1.7);
      const wave = (swell * 1.2 + chop * 0.45) * calm;
      const tone = mix(base, wave > 0 ? mirrored : deep, Math.min(0.85, Math.abs(wave) * (wave > 0 ? 0.75 : 1.05)));
      const spread = skyLight.radius * 0.9 + depth * 0.3;
      const path = Math.exp(-(((x - skyLight.x) / spread) ** 2));
      const glint = path * (0.1 + 0.95 * smooth(0.12, 0.42, wave + path * 0.12) * (1 - 0.35 * smooth(0.2, 0.7, depth)));
      const offset = (row * width + column) * 3;
      pixels[offset] = tone[0] + sparkle[0] * glint;
      pixels[offset + 1] = tone[1] + sparkle[1] * glint;
      pixels[offset + 2] = tone[2] + sparkle[2] * glint;
    }
  }
}

function paintBeach(scene: Scene): Float32Array {
  const { canvas, noise, palette, random, seconds } = scene;
  const isRocky = random.chance(0.5) || scene.reading.figures.includes("lighthouse");
  const leans = random.between(-0.22, 0.22);
  const line = ridgeLine(canvas, noise, {
    kind: isRocky ? "mountain" : "hill",
    base: canvas.bottom * 0.95,
    tall: isRocky ? 0.12 : 0.05,
    frequency: isRocky ? 1.4 : 0.8,
    offset: random.between(0, 90),
    lane: 55,
  });
  const lap = isRocky ? 0 : Math.sin(seconds * 1.3) * 0.006;
  for (let column = 0; column < canvas.width; column++)
    line[column] = (line[column] ?? 0) + leans * (column / canvas.width - 0.5) + lap + (isRocky ? 0.05 : 0);
  const sand = mix(palette.lights.near, palette.lights.horizon, isRocky ? 0.04 : 0.4);
  const wet = mix(scaled(sand, 0.55), palette.lights.middle, isRocky ? 0.05 : 0.25);
  const foam: Light = mix([0.95, 0.97, 1], palette.lights.horizon, 0.35);
  fillBelow(canvas, line, (x, y, depth) => {
    const grainy = 1 + 0.12 * noise.fractal(x * 40, y * 40, 2);
    const body = mix(wet, scaled(sand, grainy), smooth(0.01, isRocky ? 0.5 : 0.09, depth));
    const edge = isRocky ? 0 : 1 - smooth(0.002, 0.012, depth + 0.006 * noise.at(x * 24, 3));
    return mix(body, foam, edge * 0.85);
  });
  return line;
}
