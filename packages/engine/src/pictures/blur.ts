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
  const padded = new Float64Array((width + 2 * radius) * channels);
  for (let y = 0; y < height; y++) {
    mirrorRow(data.subarray(y * rowLength, (y + 1) * rowLength), padded, radius, width, channels);
    blurRow(padded, weights, between.subarray(y * rowLength, (y + 1) * rowLength), channels);
  }
  const sums = new Float64Array(rowLength);
  for (let y = 0; y < height; y++) {
    sums.fill(0);
    for (let tap = 0; tap < weights.length; tap++) {
      addRow(sums, between, mirrored(y + tap - radius, height) * rowLength, weights[tap] ?? 0);
    }
    out.set(sums, y * rowLength);
  }
}

function mirrored(position: number, length: number): number {
  if (position < 0) return -position;
  return position < length ? position : 2 * (length - 1) - position;
}

function mirrorRow(row: Float32Array, padded: Float64Array, radius: number, width: number, channels: number): void {
  padded.set(row, radius * channels);
  for (let step = 1; step <= radius; step++) {
    for (let channel = 0; channel < channels; channel++) {
      padded[(radius - step) * channels + channel] = row[step * channels + channel] ?? 0;
      padded[(radius + width - 1 + step) * channels + channel] = row[(width - 1 - step) * channels + channel] ?? 0;
    }
  }
}

function blurRow(padded: Float64Array, weights: Float64Array, out: Float32Array, channels: number): void {
  for (let at = 0; at < out.length; at++) {
    let sum = 0;
    for (let tap = 0, from = at; tap < weights.length; tap++, from += channels) {
      sum += (weights[tap] ?? 0) * (padded[from] ?? 0);
    }
    out[at] = sum;
  }
}

function addRow(sums: Float64Array, data: Float32Array, start: number, weight: number): void {
  for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + weight * (data[start + at] ?? 0);
}
