// Gives a picture the colours of another: the same distribution of brightness, and the same mean and spread of colours. One rule
// applies to all pixels, so we compute it once for a grid of colours and interpolate: a video takes hardly longer than a
// picture, and does not flicker.
import { toLight } from "../pictures/colour.ts";
import { byteOf, type Raster, shown } from "./raster.ts";

const levels = 256;

// In OKLab, where equal steps look equal.
export interface ColourStatistics {
  // The share of pixels that are at most this bright, by level.
  readonly darker: Float64Array;
  readonly meanA: number;
  readonly meanB: number;
  readonly spreadA: number;
  readonly spreadB: number;
}

export interface ColourChange {
  // From 0 (unchanged) to 1 (entirely the other's).
  readonly brightness: number;
  readonly colour: number;
  // A factor, and degrees by which hues rotate.
  readonly saturation: number;
  readonly turn: number;
  // 1 leaves it unchanged.
  readonly contrast: number;
  // How many steps of brightness remain; 0 for all.
  readonly steps: number;
}

const linear = Float64Array.from({ length: 256 }, (_, byte) => {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

type Lab = readonly [lightness: number, a: number, b: number];

function labOf(red: number, green: number, blue: number): Lab {
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  return [
    0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  ];
}

// A few ten thousand pixels represent all of them.
const samplesWanted = 60_000;

export function statisticsOf(pixels: Uint8Array): ColourStatistics {
  const step = Math.max(1, Math.floor(pixels.length / 3 / samplesWanted));
  const counts = new Float64Array(levels);
  let [sumA, sumB, squareA, squareB, count] = [0, 0, 0, 0, 0];
  for (let at = 0; at + 2 < pixels.length; at += step * 3) {
    const [red, green, blue] = [pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0];
    const [lightness, a, b] = labOf(linear[red] ?? 0, linear[green] ?? 0, linear[blue] ?? 0);
    const level = Math.min(levels - 1, Math.max(0, Math.floor(lightness * levels)));
    counts[level] = (counts[level] ?? 0) + 1;
    sumA += a;
    sumB += b;
    squareA += a * a;
    squareB += b * b;
    count += 1;
  }
  let total = 0;
  const darker = counts.map((amount) => {
    total += amount;
    return total / Math.max(1, count);
  });
  const [meanA, meanB] = [sumA / Math.max(1, count), sumB / Math.max(1, count)];
  const spread = (square: number, mean: number) => Math.sqrt(Math.max(0, square / Math.max(1, count) - mean * mean));
  return { darker, meanA, meanB, spreadA: spread(squareA, meanA), spreadB: spread(squareB, meanB) };
}

// For each level of one picture, the brightness with the same share of darker pixels in the other.
function matchedLevels(from: ColourStatistics, to: ColourStatistics): Float64Array {
  let other = 0;
  return from.darker.map((share) => {
    while (other < levels - 1 && (to.darker[other] ?? 1) < share) other += 1;
    return (other + 0.5) / levels;
  });
}

const gridSide = 33;
// Below this a colour varies so little that its spread is meaningless.
const spreadLeast = 0.008;
const spreadFactorMax = 3;

export type ColourMap = Float32Array;

export function colourMap(from: ColourStatistics, to: ColourStatistics, change: ColourChange): ColourMap {
  const grid = new Float32Array(gridSide ** 3 * 3);
  const matched = matchedLevels(from, to);
  const widened = (one: number, other: number) =>
    Math.min(spreadFactorMax, Math.max(spreadLeast, other) / Math.max(spreadLeast, one));
  const [wideA, wideB] = [widened(from.spreadA, to.spreadA), widened(from.spreadB, to.spreadB)];
  const byteAt = (index: number) => linear[Math.round((index / (gridSide - 1)) * 255)] ?? 0;
  let offset = 0;
  for (let red = 0; red < gridSide; red++)
    for (let green = 0; green < gridSide; green++)
      for (let blue = 0; blue < gridSide; blue++) {
        const [lightness, a, b] = labOf(byteAt(red), byteAt(green), byteAt(blue));
        const level = Math.min(levels - 1, Math.max(0, Math.floor(lightness * levels)));
        const bright = lightness + ((matched[level] ?? lightness) - lightness) * change.brightness;
        const moved = (value: number, mean: number, wide: number, target: number) =>
          value + ((value - mean) * wide + target - value) * change.colour;
        const changedA = moved(a, from.meanA, wideA, to.meanA);
        const changedB = moved(b, from.meanB, wideB, to.meanB);
        for (const value of screenOf(bright, changedA, changedB, change)) grid[offset++] = value;
      }
  return grid;
}

function screenOf(lightness: number, a: number, b: number, change: ColourChange): readonly number[] {
  const contrasted = 0.5 + (lightness - 0.5) * change.contrast;
  const { steps } = change;
  const bright = steps > 0 ? Math.round(contrasted * steps) / steps : contrasted;
  const hue = (Math.atan2(b, a) * 180) / Math.PI + change.turn;
  const light = toLight([Math.min(1, Math.max(0, bright)), Math.hypot(a, b) * change.saturation, hue]);
  return light.map((value) => shown(value) * 255);
}

export function recoloured({ width, height, pixels }: Raster, map: ColourMap): Raster {
  const out = new Uint8Array(pixels.length);
  for (let at = 0; at < pixels.length; at += 3)
    readBetween(map, pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0, out, at);
  return { width, height, pixels: out };
}

const toGrid = (gridSide - 1) / 255;

function readBetween(map: ColourMap, red: number, green: number, blue: number, out: Uint8Array, at: number): void {
  const [x, y, z] = [red * toGrid, green * toGrid, blue * toGrid];
  const [low, middle, high] = [Math.min(31, x | 0), Math.min(31, y | 0), Math.min(31, z | 0)];
  const [shareX, shareY, shareZ] = [x - low, y - middle, z - high];
  const from = ((low * gridSide + middle) * gridSide + high) * 3;
  const [nextX, nextY] = [gridSide * gridSide * 3, gridSide * 3];
  for (let channel = 0; channel < 3; channel++) {
    const edge = (corner: number) => {
      const value = map[corner + channel] ?? 0;
      return value + ((map[corner + 3 + channel] ?? 0) - value) * shareZ;
    };
    const near = edge(from) + (edge(from + nextY) - edge(from)) * shareY;
    const far = edge(from + nextX) + (edge(from + nextX + nextY) - edge(from + nextX)) * shareY;
    out[at + channel] = byteOf((near + (far - near) * shareX) / 255);
  }
}
