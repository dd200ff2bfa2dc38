// Linear light per pixel, and the few ways to put it there. Positions are in units of the shorter side, so a picture keeps
// its proportions at every size; edges are softened over one pixel.
import type { Light } from "./colour.ts";

export interface Canvas {
  readonly width: number;
  readonly height: number;
  // Pixels per unit of length: the shorter side.
  readonly unit: number;
  // Width and height in units.
  readonly right: number;
  readonly bottom: number;
  readonly pixels: Float32Array;
}

export function canvasOf(width: number, height: number): Canvas {
  const unit = Math.min(width, height);
  return {
    width,
    height,
    unit,
    right: width / unit,
    bottom: height / unit,
    pixels: new Float32Array(width * height * 3),
  };
}

export function blend(canvas: Canvas, offset: number, light: Light, share: number): void {
  const { pixels } = canvas;
  const red = pixels[offset] ?? 0;
  const green = pixels[offset + 1] ?? 0;
  const blue = pixels[offset + 2] ?? 0;
  pixels[offset] = red + (light[0] - red) * share;
  pixels[offset + 1] = green + (light[1] - green) * share;
  pixels[offset + 2] = blue + (light[2] - blue) * share;
}

export function add(canvas: Canvas, offset: number, light: Light, strength: number): void {
  const { pixels } = canvas;
  pixels[offset] = (pixels[offset] ?? 0) + light[0] * strength;
  pixels[offset + 1] = (pixels[offset + 1] ?? 0) + light[1] * strength;
  pixels[offset + 2] = (pixels[offset + 2] ?? 0) + light[2] * strength;
}

interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

// Visits the pixels of a box given in units, clipped to the canvas.
export function eachPixel(canvas: Canvas, box: Box, visit: (x: number, y: number, offset: number) => void): void {
  const { width, height, unit } = canvas;
  const fromX = Math.max(0, Math.floor(box.left * unit) - 1);
  const toX = Math.min(width - 1, Math.ceil(box.right * unit) + 1);
  const fromY = Math.max(0, Math.floor(box.top * unit) - 1);
  const toY = Math.min(height - 1, Math.ceil(box.bottom * unit) + 1);
  for (let row = fromY; row <= toY; row++) {
    const y = (row + 0.5) / unit;
    for (let column = fromX; column <= toX; column++) visit((column + 0.5) / unit, y, (row * width + column) * 3);
  }
}

// A soft point of light.
export function splat(canvas: Canvas, x: number, y: number, radius: number, light: Light, strength: number): void {
  const reach = Math.max(radius * 2.6, 1.2 / canvas.unit);
  // A star smaller than a pixel keeps its light: it is spread and dimmed instead.
  const spread = Math.max(radius, 0.55 / canvas.unit);
  const dimmed = strength * Math.min(1, (radius / spread) ** 2 * 1.4);
  const sharpness = 1 / (spread * spread);
  eachPixel(canvas, { left: x - reach, top: y - reach, right: x + reach, bottom: y + reach }, (px, py, offset) => {
    const distance = (px - x) ** 2 + (py - y) ** 2;
    add(canvas, offset, light, dimmed * Math.exp(-distance * sharpness));
  });
}

// Fills where the signed distance (in units, negative inside) is below zero.
export function fill(
  canvas: Canvas,
  box: Box,
  distance: (x: number, y: number) => number,
  light: Light | ((x: number, y: number) => Light),
  opacity = 1,
): void {
  eachPixel(canvas, box, (x, y, offset) => {
    const cover = Math.min(1, Math.max(0, 0.5 - distance(x, y) * canvas.unit));
    if (cover > 0) blend(canvas, offset, typeof light === "function" ? light(x, y) : light, cover * opacity);
  });
}

// Everything at or below a line of heights (one per column, in units from the top), softened at the edge, down to a
// second line below which something else will cover it.
export function fillBelow(
  canvas: Canvas,
  line: Float32Array,
  light: (x: number, y: number, depth: number, column: number) => Light,
  until?: Float32Array,
): void {
  const { width, height, unit } = canvas;
  let highest = height;
  for (const value of line) highest = Math.min(highest, Math.floor(value * unit) - 1);
  for (let row = Math.max(0, highest); row < height; row++) {
    const y = (row + 0.5) / unit;
    for (let column = 0; column < width; column++) {
      const depth = y - (line[column] ?? 0);
      const cover = 0.5 + depth * unit;
      if (cover <= 0 || (until && y > (until[column] ?? 0))) continue;
      const offset = (row * width + column) * 3;
      blend(canvas, offset, light((column + 0.5) / unit, y, depth, column), cover < 1 ? cover : 1);
    }
  }
}

type Field = (x: number, y: number) => number;

// A soft field, computed on a grid of about 512 points per side and interpolated: four times less work at 1,024 pixels, and no
// visible difference, because soft things have no detail between the points.
export function softField(canvas: Canvas, compute: Field, bottom = canvas.bottom): Field {
  const step = Math.max(1, canvas.unit / 512) / canvas.unit;
  const columns = Math.ceil(canvas.right / step) + 2;
  const rows = Math.ceil(Math.min(bottom, canvas.bottom) / step) + 2;
  const grid = new Float32Array(columns * rows);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) grid[row * columns + column] = compute(column * step, row * step);
  return (x, y) => {
    const u = Math.min(columns - 1.001, x / step);
    const v = Math.min(rows - 1.001, y / step);
    const left = Math.floor(u);
    const top = Math.floor(v);
    const at = top * columns + left;
    const share = u - left;
    const upper = (grid[at] ?? 0) * (1 - share) + (grid[at + 1] ?? 0) * share;
    const lower = (grid[at + columns] ?? 0) * (1 - share) + (grid[at + columns + 1] ?? 0) * share;
    return upper + (lower - upper) * (v - top);
  };
}
