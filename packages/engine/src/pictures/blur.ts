// Gaussian blur. The kernel's samples lie on −1..1 whatever the radius, so sigma is in radii, not in pixels. Outside
// the picture it is mirrored without repeating the edge. The kernel is a product, so rows are done across and then down,
// in one pass: only the rows that are still needed are kept.
import { kernelWork } from "../kernels/kernels.ts";
import { RowTable } from "../kernels/row-table.ts";
import type { Plane } from "./picture.ts";

function gaussianWeights(radius: number, sigma: number): Float64Array {
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
  convolve(source, out, gaussianWeights(radius, sigma), 0, null);
}

// Adds what a blur takes away, so many times, and keeps the result in 0..1: −strength × gauss with what brings the sum to
// 1 added in the middle.
export function sharpenPlane(source: Plane, out: Float32Array, radius: number, sigma: number, strength: number): void {
  convolve(source, out, gaussianWeights(radius, sigma), 1 + strength, -strength);
}

// `blurred` of what the kernel gives (null: all of it, unbounded) and `kept` of the source itself.
function convolve(source: Plane, out: Float32Array, weights: Float64Array, kept: number, blurred: number | null): void {
  const { width, height, channels, data } = source;
  const radius = weights.length >> 1;
  const rowLength = width * channels;
  const rowBytes = Math.ceil(rowLength / 8) * 32;
  const rows = radius * 2 + 1;
  const padding = Math.ceil((radius * channels) / 8) * 32;
  const layout = { ring: 0, padded: rows * rowBytes, target: rows * rowBytes + rowBytes + 2 * padding };
  const tables = layout.target + rowBytes;
  const { kernels, buffer } = kernelWork(tables + (radius + 2) * 32);
  const across = new RowTable(buffer, tables, radius + 1);
  const down = new RowTable(buffer, tables + (radius + 1) * 16, radius + 2);
  const middle = layout.padded + padding;
  const padded = new Float32Array(buffer, middle - radius * channels * 4, rowLength + 2 * radius * channels);
  const plain = new Float32Array(buffer, middle, rowLength);
  const target = new Float32Array(buffer, layout.target, rowLength);
  for (let step = 0; step <= radius; step++) {
    const by = step * channels * 4;
    across.set(step, middle - by, middle + by, (weights[radius + step] ?? 0) / (step === 0 ? 2 : 1));
  }
  const [low, high] = blurred === null ? [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] : [0, 1];
  for (let y = -radius; y < height; y++) {
    const next = y + radius;
    if (next < height) {
      mirrorRow(data.subarray(next * rowLength, (next + 1) * rowLength), padded, radius, width, channels);
      kernels.sumOfPairs((next % rows) * rowBytes, across.start, across.end, rowBytes, -Infinity, Infinity);
    }
    if (y < 0) continue;
    for (let step = 0; step <= radius; step++) {
      const [above, below] = [mirrored(y - step, height), mirrored(y + step, height)];
      const weight = ((weights[radius + step] ?? 0) / (step === 0 ? 2 : 1)) * (blurred ?? 1);
      down.set(step, (above % rows) * rowBytes, (below % rows) * rowBytes, weight);
    }
    if (blurred !== null) {
      plain.set(data.subarray(y * rowLength, (y + 1) * rowLength));
      down.set(radius + 1, middle, middle, kept / 2);
    }
    kernels.sumOfPairs(layout.target, down.start, blurred === null ? down.end - 16 : down.end, rowBytes, low, high);
    out.set(target, y * rowLength);
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
