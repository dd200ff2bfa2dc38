// Nebula, stars and a planet, lit from one side.
import { add, blend, eachPixel, softField, splat } from "../canvas.ts";
import { type Light, mix, scaled, smooth, toLight } from "../colour.ts";
import type { Scene } from "./scene.ts";

export function paintSpace(scene: Scene): null {
  const { canvas, random, palette } = scene;
  // Every mood works in space once it is dark; the hues stay.
  const hue = palette.middle[2];
  const second =
    (hue + random.between(35, scene.reading.tint === null ? 120 : 60) * (random.chance(0.5) ? 1 : -1) + 360) % 360;
  paintNebula(scene, toLight([0.55, 0.19, hue]), toLight([0.7, 0.15, second]), toLight([0.14, 0.05, (hue + 20) % 360]));
  paintStarField(scene);
  const planet = {
    x: canvas.right * (random.chance(0.5) ? random.between(0.22, 0.42) : random.between(0.58, 0.78)),
    y: canvas.bottom * random.between(0.4, 0.66),
    radius: random.between(0.14, 0.27),
    angle: random.between(0, Math.PI * 2),
    hasRing: random.chance(0.5) || scene.reading.wantsRing,
    tilt: random.between(-0.5, 0.5),
    isBanded: random.chance(0.5),
  };
  if (planet.hasRing) paintRing(scene, planet, "behind", toLight([0.78, 0.08, second]));
  paintPlanet(scene, planet, toLight([0.62, 0.13, second]), toLight([0.38, 0.12, hue]));
  if (planet.hasRing) paintRing(scene, planet, "front", toLight([0.78, 0.08, second]));
  const moon = {
    ...planet,
    x: planet.x - Math.cos(planet.angle) * planet.radius * 2.1,
    y: planet.y - planet.radius * 1.2,
    radius: planet.radius * 0.16,
    isBanded: false,
  };
  paintPlanet(scene, moon, [0.5, 0.48, 0.46], [0.25, 0.24, 0.24]);
  return null;
}

interface Planet {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  // Where the light comes from.
  readonly angle: number;
  readonly tilt: number;
  readonly isBanded: boolean;
}

function paintNebula(scene: Scene, first: Light, second: Light, void_: Light): void {
  const { canvas, noise, random, seconds } = scene;
  const offset = random.between(0, 120);
  const turn = random.between(-0.7, 0.7);
  const uOf = (x: number, y: number) => (x * Math.cos(turn) - y * Math.sin(turn)) * 1.3 + offset;
  const vOf = (x: number, y: number) => (x * Math.sin(turn) + y * Math.cos(turn)) * 1.9;
  const warpX = softField(canvas, (x, y) => noise.fractal(uOf(x, y) + 3.1, vOf(x, y) + seconds * 0.04, 3));
  const warpY = softField(canvas, (x, y) => noise.fractal(uOf(x, y) - seconds * 0.03, vOf(x, y) + 8.3, 3));
  const cloud = softField(canvas, (x, y) =>
    noise.fractal(uOf(x, y) + warpX(x, y) * 1.6, vOf(x, y) + warpY(x, y) * 1.6, 5),
  );
  const dust = softField(canvas, (x, y) =>
    noise.fractal(uOf(x, y) * 2.2 + warpY(x, y) * 2, vOf(x, y) * 2.2 + warpX(x, y) * 2 + 40, 4),
  );
  eachPixel(canvas, { left: 0, top: 0, right: canvas.right, bottom: canvas.bottom }, (x, y, at) => {
    const density = smooth(-0.32, 0.55, cloud(x, y));
    const hue = smooth(-0.35, 0.35, warpX(x, y) - warpY(x, y) * 0.5);
    const glow = density * density * (1.2 - 0.85 * smooth(0, 0.4, dust(x, y)));
    blend(canvas, at, scaled(void_, 0.6 + density * 0.6), 1);
    add(canvas, at, mix(first, second, hue), glow * 1.3);
  });
}

function paintStarField({ canvas, random, seconds }: Scene): void {
  const count = Math.round(900 * canvas.right * canvas.bottom);
  for (let star = 0; star < count; star++) {
    const x = random.next() * canvas.right;
    const y = random.next() * canvas.bottom;
    const size = random.next() ** 10;
    const warmth = random.next();
    const light: Light = [0.7 + warmth * 0.4, 0.8 + warmth * 0.08, 1.1 - warmth * 0.4];
    const twinkle = 0.8 + 0.2 * Math.sin(seconds * 5 + star);
    splat(canvas, x, y, 0.0007 + size * 0.003, light, (0.35 + size * 2) * twinkle);
    if (size > 0.72) {
      const arm = 0.012 + size * 0.02;
      for (let step = -12; step <= 12; step++) {
        const away = (step / 12) * arm;
        const fade = 0.35 * (1 - Math.abs(step) / 12) ** 2;
        splat(canvas, x + away, y, 0.0009, light, fade);
        splat(canvas, x, y + away, 0.0009, light, fade);
      }
    }
  }
}

function paintPlanet(scene: Scene, planet: Planet, light: Light, dark: Light): void {
  const { canvas, noise, seconds } = scene;
  const { x, y, radius } = planet;
  const sun = [Math.cos(planet.angle) * 0.8, Math.sin(planet.angle) * 0.8, 0.45] as const;
  const halo = radius * 1.16;
  eachPixel(canvas, { left: x - halo, right: x + halo, top: y - halo, bottom: y + halo }, (px, py, at) => {
    const u = (px - x) / radius;
    const v = (py - y) / radius;
    const distance = Math.sqrt(u * u + v * v);
    const towards = (u * sun[0] + v * sun[1]) / Math.max(0.001, distance);
    if (distance > 1) add(canvas, at, light, Math.exp((1 - distance) * 26) * smooth(-0.35, 0.9, towards) * 0.85);
    const cover = Math.min(1, Math.max(0, (1 - distance) * radius * canvas.unit + 0.5));
    if (cover === 0) return;
    const w = Math.sqrt(Math.max(0, 1 - u * u - v * v));
    const day = smooth(-0.12, 0.95, u * sun[0] + v * sun[1] + w * sun[2]);
    const along = u * Math.cos(planet.tilt) - v * Math.sin(planet.tilt);
    const across = u * Math.sin(planet.tilt) + v * Math.cos(planet.tilt);
    // Wrapped around the sphere, so that features crowd towards the limb.
    const longitude = Math.asin(Math.max(-1, Math.min(1, along))) * 1.2 + seconds * 0.12;
    const detail = planet.isBanded
      ? noise.fractal(longitude * 0.7 + 5, across * 7 + 0.5 * noise.at(longitude * 3, across * 5), 4)
      : noise.fractal(longitude * 1.9 + 30, across * 2.2, 6);
    const surface = mix(dark, light, smooth(-0.25, 0.35, detail));
    const air = (1 - w) ** 3;
    blend(canvas, at, scaled(mix(surface, light, air * 0.6), 0.015 + 1.15 * day), cover);
  });
}

function paintRing(scene: Scene, planet: Planet, part: "behind" | "front", light: Light): void {
  const { canvas, noise } = scene;
  const { x, y, radius, tilt } = planet;
  const reach = radius * 2.2;
  eachPixel(canvas, { left: x - reach, right: x + reach, top: y - reach, bottom: y + reach }, (px, py, at) => {
    const dx = (px - x) / radius;
    const dy = (py - y) / radius;
    const along = dx * Math.cos(tilt) - dy * Math.sin(tilt);
    const across = dx * Math.sin(tilt) + dy * Math.cos(tilt);
    if (part === "front" ? across < 0 : across >= 0) return;
    const distance = Math.hypot(along, across / 0.24);
    const bands =
      smooth(1.32, 1.4, distance) *
      (1 - smooth(2, 2.1, distance)) *
      (0.55 + 0.45 * noise.at(distance * 16, 3)) *
      (1 - 0.85 * Math.exp(-(((distance - 1.72) / 0.025) ** 2)));
    if (bands > 0) blend(canvas, at, scaled(light, 0.85), bands * 0.72);
  });
}
