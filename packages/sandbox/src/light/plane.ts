// One number per pixel, and the filters that everything here is made of. All run in time independent of their radius.
import { slide } from "../pictures/box-blur.ts";

export interface Plane {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array<ArrayBuffer>;
}

export function createPlane(width: number, height: number): Plane {
  return { width, height, values: new Float32Array(width * height) };
}

export function mapped({ width, height, values }: Plane, change: (value: number, index: number) => number): Plane {
  return { width, height, values: values.map(change) };
}

// One box blur in both directions; edges repeat their last pixel.
export function boxBlurred(plane: Plane, radius: number): Plane {
  const reach = Math.max(0, Math.round(radius));
  if (reach === 0) return plane;
  const across = createPlane(plane.width, plane.height);
  const down = createPlane(plane.width, plane.height);
  for (let row = 0; row < plane.height; row++)
    slide(plane.values, across.values, row * plane.width, 1, plane.width, reach);
  blurDown(across, down, reach);
  return down;
}

// Two boxes, so that no corners show.
export function blurred(plane: Plane, radius: number): Plane {
  return boxBlurred(boxBlurred(plane, radius * 0.7), radius * 0.7);
}

// Whole rows at a time: walking down columns would miss the cache at every step.
function blurDown(from: Plane, to: Plane, reach: number): void {
  const { width, height } = from;
  const share = 1 / (reach * 2 + 1);
  const sums = new Float64Array(width);
  const rowAt = (row: number) => Math.min(height - 1, Math.max(0, row)) * width;
  for (let row = -reach; row <= reach; row++) {
    const start = rowAt(row);
    for (let column = 0; column < width; column++)
      sums[column] = (sums[column] ?? 0) + (from.values[start + column] ?? 0);
  }
  for (let row = 0; row < height; row++) {
    const target = row * width;
    const enter = rowAt(row + reach + 1);
    const leave = rowAt(row - reach);
    for (let column = 0; column < width; column++) {
      const sum = sums[column] ?? 0;
      to.values[target + column] = sum * share;
      sums[column] = sum + (from.values[enter + column] ?? 0) - (from.values[leave + column] ?? 0);
    }
  }
}

// The guided filter: smooth where the guide is smooth, and as sharp as the guide at its edges. `edge` is the height of a step
// that counts as an edge. Runs on a smaller grid and is scaled back along the guide itself, with no visible loss.
export function guided(input: Plane, guide: Plane, radius: number, edge: number): Plane {
  const step = Math.max(1, Math.min(8, Math.floor(radius / 3)));
  const small = step === 1 ? guide : shrunk(guide, step);
  const from = input === guide ? small : step === 1 ? input : shrunk(input, step);
  const reach = Math.max(1, radius / step);
  const meanGuide = boxBlurred(small, reach);
  const meanInput = from === small ? meanGuide : boxBlurred(from, reach);
  const squared = boxBlurred(
    mapped(small, (value) => value * value),
    reach,
  );
  const product =
    from === small
      ? squared
      : boxBlurred(
          mapped(small, (value, at) => value * (from.values[at] ?? 0)),
          reach,
        );
  const slope = mapped(meanGuide, (mean, at) => {
    const variance = (squared.values[at] ?? 0) - mean * mean;
    const shared = (product.values[at] ?? 0) - mean * (meanInput.values[at] ?? 0);
    return shared / (variance + edge * edge);
  });
  const offset = mapped(meanInput, (mean, at) => mean - (slope.values[at] ?? 0) * (meanGuide.values[at] ?? 0));
  const slopes = resized(boxBlurred(slope, reach), guide.width, guide.height);
  const offsets = resized(boxBlurred(offset, reach), guide.width, guide.height);
  return mapped(guide, (value, at) => (slopes.values[at] ?? 0) * value + (offsets.values[at] ?? 0));
}

function shrunk(plane: Plane, step: number): Plane {
  const width = Math.ceil(plane.width / step);
  const height = Math.ceil(plane.height / step);
  const small = createPlane(width, height);
  for (let row = 0; row < height; row++)
    for (let column = 0; column < width; column++) {
      let sum = 0;
      let count = 0;
      for (let y = row * step; y < Math.min(plane.height, (row + 1) * step); y++)
        for (let x = column * step; x < Math.min(plane.width, (column + 1) * step); x++) {
          sum += plane.values[y * plane.width + x] ?? 0;
          count += 1;
        }
      small.values[row * width + column] = sum / count;
    }
  return small;
}

// Averages for a large reduction, interpolates otherwise.
export function resized(plane: Plane, width: number, height: number): Plane {
  if (plane.width === width && plane.height === height) return plane;
  const step = Math.floor(Math.min(plane.width / width, plane.height / height));
  const from = step >= 2 ? shrunk(plane, step) : plane;
  const to = createPlane(width, height);
  const lefts = new Int32Array(width);
  const shares = new Float32Array(width);
  for (let column = 0; column < width; column++) {
    const x = Math.min(from.width - 1, Math.max(0, ((column + 0.5) * from.width) / width - 0.5));
    lefts[column] = Math.min(Math.floor(x), Math.max(0, from.width - 2));
    shares[column] = x - (lefts[column] ?? 0);
  }
  const right = from.width > 1 ? 1 : 0;
  for (let row = 0; row < height; row++) {
    const y = Math.min(from.height - 1, Math.max(0, ((row + 0.5) * from.height) / height - 0.5));
    const top = Math.min(Math.floor(y), Math.max(0, from.height - 2));
    const share = y - top;
    const upper = top * from.width;
    const lower = from.height > 1 ? upper + from.width : upper;
    for (let column = 0; column < width; column++) {
      const left = lefts[column] ?? 0;
      const across = shares[column] ?? 0;
      const above = (from.values[upper + left] ?? 0) * (1 - across) + (from.values[upper + left + right] ?? 0) * across;
      const below = (from.values[lower + left] ?? 0) * (1 - across) + (from.values[lower + left + right] ?? 0) * across;
      to.values[row * width + column] = above + (below - above) * share;
    }
  }
  return to;
}

export function meanOf({ values }: Plane): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / Math.max(1, values.length);
}
