// Abstract silk: noise bent by noise, coloured by the palette and lit from one side.
import { lightOf, mix, scaled, smooth, type Light } from "../colour.ts";
import type { Scene } from "./scene.ts";

export function paintFlow(scene: Scene): void {
  const { canvas, noise, random, seconds } = scene;
  const { width, height, unit, pixels } = canvas;
  const colours = coloursOf(scene);
  const scale = random.between(0.9, 1.7);
  const bend = random.between(1.5, 2.5);
  const offset = random.between(0, 100);
  const folds = random.between(5, 10);
  const drift = seconds * 0.09;
  const heights = new Float32Array(width * height);
  const hues = new Float32Array(width * height);
  for (let row = 0; row < height; row++) {
    const y = ((row + 0.5) / unit) * scale;
    for (let column = 0; column < width; column++) {
      const x = ((column + 0.5) / unit) * scale + offset;
      const firstX = noise.fractal(x, y + drift, 3);
      const firstY = noise.fractal(x + 5.2, y + 1.3 - drift, 3);
      const secondX = noise.fractal(x + bend * firstX + 1.7, y + bend * firstY + 9.2, 3);
      const value = noise.fractal(x + bend * secondX, y + bend * firstY + 3.1, 3);
      heights[row * width + column] = value + 0.16 * Math.sin((value + secondX * 0.6) * folds * Math.PI);
      hues[row * width + column] = 0.5 + 0.62 * secondX + 0.5 * value;
    }
  }
  const angle = random.between(0, Math.PI * 2);
  const lightX = Math.cos(angle) * unit * 0.11;
  const lightY = Math.sin(angle) * unit * 0.11;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const at = row * width + column;
      const here = heights[at] ?? 0;
      const slopeX = (heights[column + 1 < width ? at + 1 : at - 1] ?? here) - here;
      const slopeY = (heights[row + 1 < height ? at + width : at - width] ?? here) - here;
      const lit = slopeX * lightX + slopeY * lightY;
      const base = along(colours, hues[at] ?? 0);
      const shade = 0.72 + 0.5 * Math.max(-1, Math.min(1, lit * 1.3)) + 0.18 * here;
      const gloss = smooth(0.35, 1.1, lit) * 0.4;
      const tone = mix(scaled(base, Math.max(0.08, shade)), [1, 0.98, 0.95], gloss * 0.5);
      pixels[at * 3] = tone[0];
      pixels[at * 3 + 1] = tone[1];
      pixels[at * 3 + 2] = tone[2];
    }
  }
}

function coloursOf({ palette, random }: Scene): Light[] {
  const hue = palette.middle[2];
  const spread = random.between(25, 60) * (random.chance(0.5) ? 1 : -1);
  return [
    lightOf([0.2, 0.07, hue]), lightOf([0.42, 0.15, hue]), lightOf([0.62, 0.18, (hue + spread + 360) % 360]),
    lightOf([0.8, 0.13, (hue + spread * 2 + 360) % 360]), lightOf([0.94, 0.05, palette.light[2]]), lightOf([0.55, 0.16, palette.accent[2]]),
  ];
}

function along(colours: readonly Light[], share: number): Light {
  const place = Math.min(0.999, Math.max(0, share)) * (colours.length - 1);
  const index = Math.floor(place);
  const from = colours[index];
  const to = colours[index + 1];
  return from && to ? mix(from, to, smooth(0, 1, place - index)) : [0, 0, 0];
}
