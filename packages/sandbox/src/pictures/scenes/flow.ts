// Abstract silk: noise bent by noise, coloured by the palette and lit from one side.
import { blend, eachPixel, softField } from "../canvas.ts";
import { type Light, mix, scaled, smooth, type Tone, toLight } from "../colour.ts";
import type { Scene } from "./scene.ts";

export function paintFlow(scene: Scene): null {
  const { canvas, noise, random, seconds } = scene;
  const colours = coloursOf(scene);
  const scale = random.between(1, 1.8);
  const bend = random.between(1.5, 2.3);
  const offset = random.between(0, 100);
  const folds = random.between(5, 10);
  const drift = seconds * 0.09;
  const warpX = softField(canvas, (x, y) => noise.fractal(x * scale + offset, y * scale + drift, 3));
  const warpY = softField(canvas, (x, y) => noise.fractal(x * scale + offset + 5.2, y * scale + 1.3 - drift, 3));
  const second = softField(canvas, (x, y) =>
    noise.fractal(x * scale + offset + bend * warpX(x, y) + 1.7, y * scale + bend * warpY(x, y) + 9.2, 3),
  );
  const value = softField(canvas, (x, y) =>
    noise.fractal(x * scale + offset + bend * second(x, y), y * scale + bend * warpY(x, y) + 3.1, 3),
  );
  const heightAt = softField(canvas, (x, y) => {
    const here = value(x, y);
    return here + 0.022 * Math.sin((here + second(x, y) * 0.6) * folds * 1.6 * Math.PI);
  });
  const angle = random.between(0, Math.PI * 2);
  // Slopes are measured over a distance, not over a pixel, for the same relief at every size.
  const reach = 1 / 200;
  const lightX = Math.cos(angle);
  const lightY = Math.sin(angle);
  eachPixel(canvas, { left: 0, top: 0, right: canvas.right, bottom: canvas.bottom }, (x, y, at) => {
    const here = heightAt(x, y);
    const lit = ((heightAt(x + lightX * reach, y + lightY * reach) - here) / reach) * 0.16;
    const base = along(colours, 0.5 + 0.75 * second(x, y) + 0.6 * value(x, y));
    const shade = 0.78 + 0.42 * Math.tanh(lit * 1.1) + 0.2 * here;
    const gloss = smooth(0.4, 1.5, lit) * 0.22;
    blend(canvas, at, mix(scaled(base, Math.max(0.08, shade)), [1, 0.98, 0.95], gloss), 1);
  });
  return null;
}

// The palette's own tones, deepened: what is air in a landscape is cloth here.
function coloursOf({ palette, random }: Scene): Light[] {
  const rich = ([lightness, chroma, hue]: Tone, shift: number): Light =>
    toLight([lightness, Math.min(0.2, chroma * 1.35 + 0.02), (hue + shift + 360) % 360]);
  const shift = random.between(-18, 18);
  return [
    rich([0.24, palette.near[1], palette.near[2]], shift),
    rich([0.42, palette.top[1], palette.top[2]], shift),
    rich([0.62, palette.middle[1] + 0.05, palette.middle[2]], 0),
    rich([0.8, palette.horizon[1], palette.horizon[2]], 0),
    rich([0.95, 0.03, palette.light[2]], 0),
    rich([0.6, palette.accent[1], palette.accent[2]], shift),
  ];
}

function along(colours: readonly Light[], share: number): Light {
  const position = Math.min(0.999, Math.max(0, share)) * (colours.length - 1);
  const index = Math.floor(position);
  const from = colours[index];
  const to = colours[index + 1];
  return from && to ? mix(from, to, smooth(0, 1, position - index)) : [0, 0, 0];
}
