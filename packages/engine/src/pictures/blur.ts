// Convolution with a square kernel. Outside the picture it is mirrored without repeating the edge. We do not separate the kernel
// into rows and columns, though a Gaussian could be: the application adds all its weights one after the other.
import { kernelWork } from "../kernels/kernels.ts";
import type { Plane } from "./picture.ts";

// What the vector code writes per step.
const blockBytes = 128;

const wholeBlocks = (floats: number): number => Math.ceil((floats * 4) / blockBytes) * blockBytes;

interface Bounds {
  readonly low: number;
  readonly high: number;
}

const unbounded: Bounds = { low: Number.NEGATIVE_INFINITY, high: Number.POSITIVE_INFINITY };

// The radius must be smaller than both sides. We keep only the rows still needed, padded on both sides.
export function convolve(source: Plane, out: Float32Array, kernel: Float32Array, bounds = unbounded): void {
  const { width, height, channels, data } = source;
  const size = Math.sqrt(kernel.length);
  const radius = size >> 1;
  const rowLength = width * channels;
  const paddedBytes = wholeBlocks(rowLength + 2 * radius * channels) + blockBytes;
  const target = size * paddedBytes;
  const weights = target + wholeBlocks(rowLength);
  const table = weights + Math.ceil(kernel.byteLength / 16) * 16;
  const { kernels, buffer } = kernelWork(table + size * 4);
  new Float32Array(buffer, weights, kernel.length).set(kernel);
  const rows = new Int32Array(buffer, table, size);
  const made = new Float32Array(buffer, target, rowLength);
  for (let y = -radius; y < height; y++) {
    const next = y + radius;
    if (next < height) {
      const padded = new Float32Array(buffer, (next % size) * paddedBytes, rowLength + 2 * radius * channels);
      mirrorRow(data.subarray(next * rowLength, (next + 1) * rowLength), padded, radius, width, channels);
    }
    if (y < 0) continue;
    for (let row = 0; row < size; row++) rows[row] = (mirrored(y + row - radius, height) % size) * paddedBytes;
    const [end, length] = [table + size * 4, rowLength * 4];
    kernels.convolveRows(
      target,
      table,
      end,
      length,
      weights,
      channels * 4,
      size * channels * 4,
      bounds.low,
      bounds.high,
    );
    out.set(made, y * rowLength);
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
