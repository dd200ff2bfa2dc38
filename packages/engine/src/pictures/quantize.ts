// A picture in few colours, with or without dithering. Works on bytes; the result is written over them.
import { nearestColour } from "./nearest-colour.ts";
import { type Palette, paletteOf } from "./palette.ts";

export type Dither = "none" | "floyd-steinberg" | "bayer-2" | "bayer-4" | "bayer-8" | "bayer-16";
export const dithers = ["none", "floyd-steinberg", "bayer-2", "bayer-4", "bayer-8", "bayer-16"] as const;

export function quantize(pixels: Uint8Array, width: number, colours: number, dither: Dither): void {
  const palette = paletteOf(pixels, colours);
  if (dither === "floyd-steinberg") diffuse(pixels, width, palette);
  else {
    if (dither !== "none") addBayer(pixels, width, Number(dither.slice("bayer-".length)), palette.levels.length / 3);
    snap(pixels, palette);
  }
}

function snap(pixels: Uint8Array, palette: Palette): void {
  const nearest = nearestColour(palette);
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const from = nearest(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0);
    for (let channel = 0; channel < 3; channel++) pixels[at + channel] = palette.levels[from + channel] ?? 0;
  }
}

// Values between −0.5 and 0.5, in the order in which a threshold pattern fills up.
export function bayerMatrix(order: number): number[][] {
  if (order === 1) return [[0]];
  const inner = bayerMatrix(order / 2);
  const quarter = order * order;
  const shifted = (by: number) => inner.map((row) => row.map((value) => (quarter * value + by) / quarter));
  const [topLeft, topRight, bottomLeft, bottomRight] = [shifted(-1.5), shifted(0.5), shifted(1.5), shifted(-0.5)];
  const beside = (left: number[][], right: number[][]) => left.map((row, index) => [...row, ...(right[index] ?? [])]);
  return [...beside(topLeft, topRight), ...beside(bottomLeft, bottomRight)];
}

function addBayer(pixels: Uint8Array, width: number, order: number, colours: number): void {
  const matrix = bayerMatrix(order);
  const spread = 512 / colours;
  for (let pixel = 0; pixel * 3 < pixels.length; pixel++) {
    const y = Math.floor(pixel / width);
    const add = spread * (matrix[y % order]?.[(pixel % width) % order] ?? 0) + 0.5;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
      pixels[at] = Math.trunc(Math.min(Math.max((pixels[at] ?? 0) + add, 0), 255));
    }
  }
}

// Floyd and Steinberg: what was lost goes right, and down to three, as 7, 3, 5 and 1 sixteenths.
function diffuse(pixels: Uint8Array, width: number, palette: Palette): void {
  const nearest = nearestColour(palette);
  const rowLength = width * 3;
  let here = new Float64Array(rowLength + 6);
  let below = new Float64Array(rowLength + 6);
  const wanted = new Uint8ClampedArray(3);
  for (let row = 0; row < pixels.length; row += rowLength) {
    for (let x = 0; x < rowLength; x += 3) {
      for (let channel = 0; channel < 3; channel++) {
        wanted[channel] = Math.round((pixels[row + x + channel] ?? 0) + (here[x + 3 + channel] ?? 0));
      }
      const from = nearest(wanted[0] ?? 0, wanted[1] ?? 0, wanted[2] ?? 0);
      for (let channel = 0; channel < 3; channel++) {
        const got = palette.levels[from + channel] ?? 0;
        const lost = ((wanted[channel] ?? 0) - got) / 16;
        const at = x + 3 + channel;
        pixels[row + x + channel] = got;
        here[at + 3] = (here[at + 3] ?? 0) + lost * 7;
        below[at - 3] = (below[at - 3] ?? 0) + lost * 3;
        below[at] = (below[at] ?? 0) + lost * 5;
        below[at + 3] = (below[at + 3] ?? 0) + lost;
      }
    }
    [here, below] = [below, here.fill(0)];
  }
}
