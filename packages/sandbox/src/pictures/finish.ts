// From light to bytes: bloom around what is bright, a soft shoulder, a slight vignette, and grain of about one step,
// which also keeps wide gradients from banding.
import { slide } from "./box-blur.ts";
import type { Canvas } from "./canvas.ts";
import { screenSteps, screenValue } from "./colour.ts";
import { speckle } from "./random.ts";

interface FinishOptions {
  readonly bloom: number;
  readonly vignette: number;
  readonly grain: number;
  readonly salt: number;
}

export function finish(canvas: Canvas, options: FinishOptions): Uint8Array<ArrayBuffer> {
  if (options.bloom > 0) addBloom(canvas, options.bloom);
  const { width, height, pixels } = canvas;
  const bytes = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    const y = (row + 0.5) / height - 0.5;
    for (let column = 0; column < width; column++) {
      const x = (column + 0.5) / width - 0.5;
      const fade = 1 - options.vignette * (x * x + y * y) * 1.6;
      // Two draws from one: their sum peaks at zero.
      const draw = speckle(column, row, options.salt) * 1024;
      const coarse = Math.floor(draw);
      const grain = (coarse / 1024 + draw - coarse - 1) * options.grain;
      const offset = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++)
        bytes[offset + channel] = byteOf((pixels[offset + channel] ?? 0) * fade, grain);
    }
  }
  return bytes;
}

function byteOf(linear: number, grain: number): number {
  // Linear up to 0.75, then bent so that nothing clips hard.
  const shown = linear < 0.75 ? linear : 1 - 0.25 * Math.exp((0.75 - linear) * 3.2);
  const value = (screenValue[(Math.sqrt(shown > 0 ? shown : 0) * screenSteps) | 0] ?? 0) + grain + 0.5;
  return value < 0 ? 0 : value > 255 ? 255 : value;
}

function addBloom(canvas: Canvas, strength: number): void {
  const { width, height, unit, pixels } = canvas;
  const step = Math.max(1, Math.round(unit / 160));
  const smallWidth = Math.ceil(width / step);
  const smallHeight = Math.ceil(height / step);
  let small = new Float32Array(smallWidth * smallHeight * 3);
  for (let row = 0; row < height; row++) {
    const smallRow = Math.floor(row / step) * smallWidth;
    for (let column = 0; column < width; column++) {
      const from = (row * width + column) * 3;
      const to = (smallRow + Math.floor(column / step)) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const bright = Math.max(0, (pixels[from + channel] ?? 0) - 0.55);
        small[to + channel] = (small[to + channel] ?? 0) + Math.min(1.2, bright) / (step * step);
      }
    }
  }
  for (let pass = 0; pass < 3; pass++) small = blurred(small, smallWidth, smallHeight, 5);
  const glow = new Float32Array(smallWidth * 3);
  for (let row = 0; row < height; row++) {
    blendRows(small, glow, smallHeight, Math.max(0, (row + 0.5) / step - 0.5));
    for (let column = 0; column < width; column++) {
      const x = Math.max(0, (column + 0.5) / step - 0.5);
      const left = Math.floor(x);
      const share = x - left;
      const from = left * 3;
      const to = left + 1 < smallWidth ? from + 3 : from;
      const offset = (row * width + column) * 3;
      for (let channel = 0; channel < 3; channel++) {
        const near = glow[from + channel] ?? 0;
        const light = near + ((glow[to + channel] ?? 0) - near) * share;
        pixels[offset + channel] = (pixels[offset + channel] ?? 0) + strength * light;
      }
    }
  }
}

function blendRows(small: Float32Array, into: Float32Array, height: number, y: number): void {
  const top = Math.floor(y);
  const share = y - top;
  const from = top * into.length;
  const to = top + 1 < height ? from + into.length : from;
  for (let index = 0; index < into.length; index++) {
    const upper = small[from + index] ?? 0;
    into[index] = upper + ((small[to + index] ?? 0) - upper) * share;
  }
}

// One box blur in both directions; three of them are nearly a Gaussian.
function blurred(
  from: Float32Array<ArrayBuffer>,
  width: number,
  height: number,
  radius: number,
): Float32Array<ArrayBuffer> {
  const across = new Float32Array(from.length);
  const down = new Float32Array(from.length);
  for (let row = 0; row < height; row++)
    for (let channel = 0; channel < 3; channel++) slide(from, across, row * width * 3 + channel, 3, width, radius);
  for (let start = 0; start < width * 3; start++) slide(across, down, start, width * 3, height, radius);
  return down;
}
