// Gaussian blur. The kernel's samples lie on −1..1 whatever the radius, so sigma is in radii, not in pixels. Outside
// the picture it is mirrored without repeating the edge. The kernel is a product, so rows and columns are done in turn.
import type { Plane } from "./picture.ts";

export function gaussianWeights(radius: number, sigma: number): Float64Array {
  const size = radius * 2 + 1;
  const raw = Float64Array.from({ length: size }, (_, index) => {
    const x = -1 + (2 * index) / (size - 1);
    return Math.exp(-(x * x) / (2 * sigma * sigma));
  });
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return raw.map((weight) => weight / sum);
}

// The radius must be smaller than both sides.
export function blurPlane(source: Plane, out: Float32Array, radius: number, sigma: number): void {
  const weights = gaussianWeights(radius, sigma);
  const { width, height, channels, data } = source;
  const rowLength = width * channels;
  const between = new Float32Array(data.length);
  const padded = new Float32Array((width + 2 * radius) * channels);
  const sums = new Float64Array(rowLength);
  const middle = weights[radius] ?? 0;
  for (let y = 0; y < height; y++) {
    mirrorRow(data.subarray(y * rowLength, (y + 1) * rowLength), padded, radius, width, channels);
    scaleRow(sums, padded, radius * channels, middle);
    for (let step = 1; step <= radius; step++) {
      addPair(sums, padded, (radius - step) * channels, (radius + step) * channels, weights[radius + step] ?? 0);
    }
    store(sums, between, y * rowLength);
  }
  for (let y = 0; y < height; y++) {
    scaleRow(sums, between, y * rowLength, middle);
    for (let step = 1; step <= radius; step++) {
      const above = mirrored(y - step, height) * rowLength;
      const below = mirrored(y + step, height) * rowLength;
      addPair(sums, between, above, below, weights[radius + step] ?? 0);
    }
    store(sums, out, y * rowLength);
  }
}

function mirrored(position: number, length: number): number {
  if (position < 0) return -position;
  return position < length ? position : 2 * (length - 1) - position;
}

function mirrorRow(row: Float32Array, padded: Float32Array, radius: number, width: number, channels: number): void {
  padded.set(row, radius * channels);
  for (let step = 1; step <= radius; step++) {
    for (let channel = 0; channel < channels; channel++) {
      padded[(radius - step) * channels + channel] = row[step * channels + channel] ?? 0;
      padded[(radius + width - 1 + step) * channels + channel] = row[(width - 1 - step) * channels + channel] ?? 0;
    }
  }
}

function scaleRow(sums: Float64Array, data: Float32Array, start: number, weight: number): void {
  for (let at = 0; at < sums.length; at++) sums[at] = weight * (data[start + at] ?? 0);
}

// The kernel is symmetric: two neighbours at the same distance share a weight.
function addPair(sums: Float64Array, data: Float32Array, one: number, other: number, weight: number): void {
  for (let at = 0; at < sums.length; at++) {
    sums[at] = (sums[at] ?? 0) + weight * ((data[one + at] ?? 0) + (data[other + at] ?? 0));
  }
}

function store(sums: Float64Array, out: Float32Array, start: number): void {
  for (let at = 0; at < sums.length; at++) out[start + at] = sums[at] ?? 0;
}
