// Trees in mist: rows of firs that fade into the light, trunks in front, rays through the gaps.
import { add, eachPixel, fill, fillBelow, softField, splat } from "../canvas.ts";
import { between, type Light, mix, scaled, smooth, toLight } from "../colour.ts";
import type { Ground } from "./land.ts";
import { paintGrass } from "./land.ts";
import { coveredFrom, ridgeLine, withFirs } from "./ridge.ts";
import type { Scene } from "./scene.ts";
import { paintSky, type SkyLight } from "./sky.ts";

export function paintForest(scene: Scene): Ground {
  const { canvas, random, palette, noise, seconds } = scene;
  const skyLight = paintSky(scene, { horizon: canvas.bottom * 0.72, cloudiness: 0.15 });
  const rows = 7;
  const rayRow = 5;
  const stands = Array.from({ length: rows }, (_, row) => {
    const nearness = row / (rows - 1);
    const ground = ridgeLine(canvas, noise, {
      kind: "hill",
      base: canvas.bottom * (0.6 + 0.33 * nearness ** 1.1),
      tall: 0.12,
      frequency: 1.6 - nearness * 0.7,
      offset: random.between(0, 90) + seconds * 0.02 * (0.3 + nearness * 2),
      lane: row * 5.7,
    });
    const tall = 0.11 + 0.25 * nearness ** 1.25;
    return {
      nearness,
      tall,
      line: withFirs(canvas, ground, { tall, density: 4, salt: Math.floor(random.next() * 1e6) }),
    };
  });
  const covers = coveredFrom(
    canvas,
    stands.map((stand) => stand.line),
  );
  for (const [row, { nearness, tall, line }] of stands.entries()) {
    const body = toLight(between(palette.far, palette.near, nearness ** 0.8));
    const mist = mix(palette.lights.horizon, palette.lights.middle, 0.2);
    const hazed = mix(body, mist, 0.66 * (1 - nearness) ** 1.1);
    const light = (x: number, y: number, depth: number): Light => {
      const needles = 1 + 0.16 * noise.at(x * 90, y * 45 + row * 9);
      const fog = smooth(tall * 0.35, tall * 1.7, depth) * (0.8 - 0.72 * nearness);
      const rim = 1 - smooth(0, 0.02, depth);
      return mix(mix(scaled(hazed, needles), palette.lights.light, rim * 0.07 * (1 - nearness)), mist, fog);
    };
    fillBelow(canvas, line, light, covers[row]);
    if (row === rayRow) paintRays(scene, skyLight);
  }
  paintTrunks(scene);
  return { line: paintFloor(scene), skyLight };
}

function paintRays(scene: Scene, skyLight: SkyLight): void {
  const { canvas, noise, palette, random, seconds } = scene;
  const offset = random.between(0, 50);
  const light = mix(palette.lights.light, palette.lights.horizon, 0.3);
  const strength = skyLight.isMoon ? 0.1 : 0.2;
  const rayAt = softField(canvas, (px, py) => {
    const x = px - skyLight.x;
    const y = py - skyLight.y;
    const distance = Math.hypot(x, y);
    const ray = smooth(-0.05, 0.6, noise.fractal(Math.atan2(x, y) * 5 + offset, distance * 0.4 + seconds * 0.1, 3));
    return ray * Math.exp(-distance * 1.5) * smooth(-0.25, 0.3, y) * strength * 2.4;
  });
  eachPixel(canvas, { left: 0, top: 0, right: canvas.right, bottom: canvas.bottom }, (x, y, at) =>
    add(canvas, at, light, rayAt(x, y)),
  );
}

function paintTrunks(scene: Scene): void {
  const { canvas, noise, palette, random } = scene;
  const count = random.pick([2, 3, 4]);
  const dark = scaled(palette.lights.near, 0.6);
  const lit = mix(dark, palette.lights.horizon, 0.3);
  for (let trunk = 0; trunk < count; trunk++) {
    // Trunks frame the picture; the middle stays open.
    const side = trunk % 2 === 0 ? random.between(0.02, 0.22) : random.between(0.78, 0.98);
    const x = side * canvas.right;
    const half = random.between(0.018, 0.042);
    const lane = random.between(0, 80);
    const lean = random.between(-0.05, 0.05);
    const centre = (y: number) => x + lean * (y - canvas.bottom) + 0.02 * noise.at(y * 1.6, lane);
    const surface = (px: number, y: number): Light => {
      const across = (px - centre(y)) / half;
      const bark = noise.fractal(px * 45 + lane, y * 7, 3);
      return scaled(mix(dark, lit, smooth(0.1, 1, across * (side < 0.5 ? 1 : -1) + bark * 0.5)), 1 + bark * 0.3);
    };
    const box = { left: x - half * 3 - 0.08, right: x + half * 3 + 0.08, top: 0, bottom: canvas.bottom };
    fill(
      canvas,
      box,
      (px, y) =>
        Math.abs(px - centre(y)) - half * (1 + 1.1 * smooth(0.8, 1, y / canvas.bottom) + 0.08 * noise.at(y * 12, lane)),
      surface,
    );
  }
}

function paintFloor(scene: Scene): Float32Array {
  const { canvas, noise, palette, random, seconds } = scene;
  const line = ridgeLine(canvas, noise, {
    kind: "hill",
    base: canvas.bottom * 0.98,
    tall: 0.08,
    frequency: 1.3,
    offset: random.between(0, 60),
    lane: 91,
  });
  const dark = scaled(palette.lights.near, 0.5);
  fillBelow(canvas, line, (x, y) => scaled(dark, 1 + 0.4 * noise.fractal(x * 20, y * 30, 2)));
  paintGrass(scene, line, dark);
  if (random.chance(0.7)) {
    const glow = mix(palette.lights.light, palette.lights.accent, 0.4);
    for (let mote = 0; mote < 46; mote++) {
      const x = random.next() * canvas.right + 0.02 * Math.sin(seconds * 0.8 + mote);
      const y = canvas.bottom * random.between(0.35, 0.96) + 0.015 * Math.sin(seconds + mote * 2.1);
      splat(canvas, x, y, random.between(0.0012, 0.004), glow, random.between(0.3, 1));
    }
  }
  return line;
}
