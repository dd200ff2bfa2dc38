// Reduces a picture to few colours, with or without dithering. Works in place, on bytes.
import { nearestColour } from "./nearest-colour.ts";
import { type Palette, paletteOf } from "./palette.ts";

const { fround } = Math;

type Dither = "none" | "floyd-steinberg" | "bayer-2" | "bayer-4" | "bayer-8" | "bayer-16";
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

// Values between −0.5 and 0.5, in the order in which a threshold pattern fills up, in 32 bits.
export function bayerMatrix(order: number): number[][] {
  if (order === 1) return [[0]];
  const inner = bayerMatrix(order / 2);
  const quarter = order * order;
  const shifted = (by: number) =>
    inner.map((row) => row.map((value) => fround(fround(fround(quarter * value) + by) / quarter)));
  const [topLeft, topRight, bottomLeft, bottomRight] = [shifted(-1.5), shifted(0.5), shifted(1.5), shifted(-0.5)];
  const beside = (left: number[][], right: number[][]) => left.map((row, index) => [...row, ...(right[index] ?? [])]);
  return [...beside(topLeft, topRight), ...beside(bottomLeft, bottomRight)];
}

function addBayer(pixels: Uint8Array, width: number, order: number, colours: number): void {
  const spread = fround(512 / colours);
  const added = bayerMatrix(order).map((row) => row.map((value) => fround(fround(spread * value) + 0.5)));
  for (let pixel = 0; pixel * 3 < pixels.length; pixel++) {
    const y = Math.floor(pixel / width);
    const add = added[y % order]?.[(pixel % width) % order] ?? 0;
    for (let at = pixel * 3; at < pixel * 3 + 3; at++) {
      pixels[at] = Math.trunc(Math.min(Math.max(fround((pixels[at] ?? 0) + add), 0), 255));
    }
  }
}

// Floyd-Steinberg in integers: the error goes right and to the three pixels below, as 7, 3, 5 and 1 sixteenths. The last pixel
// of a row passes blue's error down to its right for all three colours, as the application's library does.
function diffuse(pixels: Uint8Array, width: number, palette: Palette): void {
  const nearest = nearestColour(palette);
  const rowLength = width * 3;
  const below = new Int32Array(rowLength + 3);
  const [right, under, corner] = [new Int32Array(3), new Int32Array(3), new Int32Array(3)];
  const wanted = new Uint8ClampedArray(3);
  for (let row = 0; row < pixels.length; row += rowLength) {
    for (const carried of [right, under, corner]) carried.fill(0);
    for (let x = 0; x < rowLength; x += 3) {
      for (let channel = 0; channel < 3; channel++) {
        const added = Math.trunc(((right[channel] ?? 0) + (below[x + 3 + channel] ?? 0)) / 16);
        wanted[channel] = (pixels[row + x + channel] ?? 0) + added;
      }
      const from = nearest(wanted[0] ?? 0, wanted[1] ?? 0, wanted[2] ?? 0);
      for (let channel = 0; channel < 3; channel++) {
        const got = palette.levels[from + channel] ?? 0;
        const lost = (wanted[channel] ?? 0) - got;
        pixels[row + x + channel] = got;
        below[x + channel] = lost * 3 + (under[channel] ?? 0);
        under[channel] = lost * 5 + (corner[channel] ?? 0);
        corner[channel] = lost;
        right[channel] = lost * 7;
      }
    }
    below.set([under[2] ?? 0, corner[2] ?? 0, corner[2] ?? 0], rowLength);
  }
}
