// Gradient, sun or moon with its glow, clouds, stars, aurora: the upper part of every outdoor scene.
import { add, blend, type Canvas, fill, softField, splat } from "../canvas.ts";
import { between, type Light, mix, scaled, smooth, toLight } from "../colour.ts";
import { speckle } from "../random.ts";
import type { Figure } from "../read-prompt.ts";
import type { Scene } from "./scene.ts";

// Sun or moon, in units.
export interface SkyLight {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly isMoon: boolean;
}

const subjects: ReadonlySet<Figure> = new Set(["cat", "fox", "person", "tree"]);

interface SkyOptions {
  // Where the sky ends, in units from the top.
  readonly horizon: number;
  readonly cloudiness?: number;
  // A very large sun, as on a print.
  readonly isGrand?: boolean;
}

export function paintSky(scene: Scene, options: SkyOptions): SkyLight {
  const { canvas, palette, reading, random } = scene;
  const isMoon = reading.wantsMoon || palette.darkness > 0.6;
  // A figure looks best in front of a large, low light.
  const hasSubject = reading.figures.some((figure) => subjects.has(figure));
  const grand = options.isGrand || hasSubject ? 1.9 : 1;
  const skyLight: SkyLight = {
    x: canvas.right * (random.chance(0.5) ? random.between(0.16, 0.42) : random.between(0.58, 0.84)),
    y:
      options.horizon *
      (hasSubject || (palette.darkness > 0.1 && !isMoon) ? random.between(0.68, 0.9) : random.between(0.22, 0.6)),
    radius: random.between(0.045, 0.075) * grand,
    isMoon,
  };
  paintGradient(scene, options.horizon, skyLight);
  if (palette.darkness > 0.5 || reading.wantsStars) paintStars(scene, options.horizon);
  if (reading.wantsAurora) paintAurora(scene, options.horizon);
  paintDisc(scene, skyLight);
  paintClouds(scene, options.horizon, skyLight, options.cloudiness ?? random.between(0.25, 0.75));
  return skyLight;
}

// The tones of the sky from top to horizon, one light per row of the canvas.
export function skyRows(scene: Scene, horizon: number): Light[] {
  const { canvas, palette } = scene;
  return Array.from({ length: canvas.height }, (_, row) => {
    const t = Math.min(1, (row + 0.5) / canvas.unit / horizon);
    const upper = smooth(0, 0.62, t);
    return toLight(between(between(palette.top, palette.middle, upper), palette.horizon, smooth(0.45, 1.02, t)));
  });
}

function paintGradient(scene: Scene, horizon: number, skyLight: SkyLight): void {
  const { canvas, palette } = scene;
  const rows = skyRows(scene, horizon);
  const glow = mix(palette.lights.light, palette.lights.horizon, 0.45);
  const strength = skyLight.isMoon ? 0.16 : 0.42;
  for (let row = 0; row < canvas.height; row++) {
    const base = rows[row] ?? palette.lights.horizon;
    const y = (row + 0.5) / canvas.unit - skyLight.y;
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.unit - skyLight.x;
      const distance = Math.sqrt(x * x + y * y * 1.3);
      const near = strength / (1 + distance * distance * 26) + strength * 0.35 * Math.max(0, 1 - distance * 1.1);
      const offset = (row * canvas.width + column) * 3;
      blend(canvas, offset, base, 1);
      add(canvas, offset, glow, near);
    }
  }
}

function paintDisc(scene: Scene, { x, y, radius, isMoon }: SkyLight): void {
  const { canvas, palette, noise } = scene;
  const bright = isMoon ? scaled(palette.lights.light, 0.95) : scaled(palette.lights.light, 1.25);
  const box = { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
  const surface = (px: number, py: number): Light => {
    if (!isMoon) return bright;
    const seas = smooth(-0.05, 0.4, noise.fractal(((px - x) / radius) * 1.3 + 40, ((py - y) / radius) * 1.3, 4));
    return scaled(bright, 1 - 0.28 * seas);
  };
  fill(canvas, box, (px, py) => Math.hypot(px - x, py - y) - radius, surface);
}

function paintStars(scene: Scene, horizon: number): void {
  const { canvas, random, palette, seconds } = scene;
  const count = Math.round(340 * canvas.right * canvas.bottom);
  for (let star = 0; star < count; star++) {
    const x = random.next() * canvas.right;
    const y = random.next() ** 1.2 * horizon;
    const size = random.next() ** 7;
    const warmth = random.next();
    const twinkle = 0.75 + 0.25 * Math.sin(seconds * 4 + speckle(star, 3, 1) * 40);
    const light: Light = [0.75 + warmth * 0.3, 0.82 + warmth * 0.08, 1.05 - warmth * 0.25];
    const fade = 1 - smooth(0.55, 1, y / horizon) * 0.85;
    splat(
      canvas,
      x,
      y,
      0.0007 + size * 0.0026,
      light,
      (0.35 + size * 1.5) * fade * twinkle * (0.5 + 0.5 * palette.darkness),
    );
  }
}

function paintClouds(scene: Scene, horizon: number, skyLight: SkyLight, cloudiness: number): void {
  const { canvas, palette, noise, random, seconds } = scene;
  const offsetX = random.between(0, 90) + seconds * 0.05;
  const offsetY = random.between(0, 90);
  const stretch = random.between(2.6, 5.2);
  const scale = random.between(1.3, 2.2);
  const lit = mix(palette.lights.light, palette.lights.horizon, 0.4);
  const shade = mix(palette.lights.middle, palette.lights.far, 0.5);
  const threshold = 0.3 - cloudiness * 0.42;
  const strongest = palette.darkness > 0.5 ? 0.45 : 0.85;
  const rows = Math.min(canvas.height, Math.ceil(horizon * canvas.unit) + 1);
  const cloud = (x: number, y: number) => {
    const u = x * scale + offsetX;
    const v = y * scale * stretch + offsetY;
    return noise.fractal(u + 0.35 * noise.at(u * 0.7, v * 0.7 + 9), v, 5);
  };
  // The side facing the light is brighter: one more sample towards it.
  const beyond = (x: number, y: number) => {
    const u = x * scale + offsetX + (skyLight.x - x) * 0.08;
    return noise.fractal(u, y * scale * stretch + offsetY + (skyLight.y - y) * 0.35 - 0.12, 3);
  };
  const densityAt = softField(canvas, cloud, horizon + 0.01);
  const beyondAt = softField(canvas, beyond, horizon + 0.01);
  for (let row = 0; row < rows; row++) {
    const y = (row + 0.5) / canvas.unit;
    // Thin out towards the top and towards the haze at the horizon.
    const band = smooth(0, 0.25, y / horizon + 0.12) * (1 - 0.7 * smooth(0.75, 1, y / horizon));
    for (let column = 0; column < canvas.width; column++) {
      const x = (column + 0.5) / canvas.unit;
      const density = densityAt(x, y);
      const cover = smooth(threshold, threshold + 0.42, density) * band * strongest;
      if (cover <= 0.004) continue;
      const brightness = Math.min(1, Math.max(0, 0.55 + (density - beyondAt(x, y)) * 1.9));
      blend(canvas, (row * canvas.width + column) * 3, mix(shade, lit, brightness), cover);
    }
  }
}

function paintAurora(scene: Scene, horizon: number): void {
  const { canvas, noise, random, seconds } = scene;
  const offset = random.between(0, 60);
  const green: Light = [0.08, 0.75, 0.42];
  const violet: Light = [0.42, 0.12, 0.7];
  for (let column = 0; column < canvas.width; column++) {
    const x = (column + 0.5) / canvas.unit;
    for (let curtain = 0; curtain < 3; curtain++) {
      const sway = noise.fractal(x * 1.1 + offset + curtain * 17, seconds * 0.12 + curtain, 3);
      const foot = horizon * (0.66 - curtain * 0.15) + sway * 0.3;
      const folds = 0.35 + 0.65 * smooth(-0.4, 0.7, noise.fractal(x * 9 + curtain * 31 + sway * 4, seconds * 0.3, 2));
      const tall = 0.3 + 0.12 * noise.at(x * 3, curtain + 0.5);
      for (let row = 0; row < Math.min(canvas.height, foot * canvas.unit + 12); row++) {
        const up = (foot - (row + 0.5) / canvas.unit) / tall;
        if (up > 2.2) continue;
        const strength = up < 0 ? Math.exp(up * 26) : Math.exp(-up * 2.2);
        add(
          canvas,
          (row * canvas.width + column) * 3,
          mix(green, violet, smooth(0.15, 1.1, up)),
          strength * folds * 0.42,
        );
      }
    }
  }
}

// Copies what is above a line below it, darker and rippled: still water.
export function paintReflection(
  scene: Scene,
  line: number,
  options: { readonly ripple: number; readonly tint: Light },
): void {
  const { canvas, noise, seconds } = scene;
  const { width, height, unit, pixels } = canvas;
  const first = Math.max(1, Math.round(line * unit));
  const above = pixels.slice(0, first * width * 3);
  for (let row = first; row < height; row++) {
    const depth = (row - first) / unit;
    const far = 1 / (depth + 0.035);
    for (let column = 0; column < width; column++) {
      const x = column / unit;
      const wave =
        noise.fractal(x * (3 + far * 0.5), far * 2.6 + seconds * 0.9, 2) +
        0.5 * noise.at(x * 22, depth * 150 - seconds * 1.4);
      const shift = wave * options.ripple * (0.25 + depth * 1.6);
      const sampledRow = Math.min(first - 1, Math.max(0, Math.round(first - 1 - (row - first) * 1.04 - shift * unit)));
      const sampledColumn = Math.min(width - 1, Math.max(0, Math.round(column + shift * unit * 0.35)));
      const from = (sampledRow * width + sampledColumn) * 3;
      const to = (row * width + column) * 3;
      const keep = 0.82 - smooth(0, 0.75, depth) * 0.34 + wave * 0.06;
      pixels[to] = (above[from] ?? 0) * keep + options.tint[0] * (1 - keep);
      pixels[to + 1] = (above[from + 1] ?? 0) * keep + options.tint[1] * (1 - keep);
      pixels[to + 2] = (above[from + 2] ?? 0) * keep + options.tint[2] * (1 - keep);
    }
  }
  paintShore(canvas, first);
}

// A thin bright line where water meets land.
function paintShore(canvas: Canvas, row: number): void {
  for (let column = 0; column < canvas.width; column++)
    add(canvas, (row * canvas.width + column) * 3, [1, 1, 1], 0.035);
}
