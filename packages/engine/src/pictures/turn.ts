// Mirrors and rotates one plane.
import type { Plane } from "./picture.ts";

export function quarterTurns(rotation: string): 0 | 1 | 2 | 3 {
  if (rotation.startsWith("90")) return 1;
  if (rotation.startsWith("180")) return 2;
  return rotation.startsWith("270") ? 3 : 0;
}

export function flipPlane({ width, height, channels, data }: Plane, out: Float32Array, isVertical: boolean): void {
  const rowLength = width * channels;
  for (let y = 0; y < height; y++) {
    const row = data.subarray(y * rowLength, (y + 1) * rowLength);
    if (isVertical) out.set(row, (height - 1 - y) * rowLength);
    else mirrorRow(row, out, y * rowLength, width, channels);
  }
}

function mirrorRow(row: Float32Array, out: Float32Array, start: number, width: number, channels: number): void {
  for (let x = 0; x < width; x++) {
    const to = start + (width - 1 - x) * channels;
    for (let channel = 0; channel < channels; channel++) out[to + channel] = row[x * channels + channel] ?? 0;
  }
}

// Squares of this side stay in the processor's cache while rows become columns.
const block = 32;

// Clockwise.
export function turnPlane(source: Plane, out: Float32Array, turns: 1 | 2 | 3): void {
  for (let top = 0; top < source.height; top += block) {
    for (let left = 0; left < source.width; left += block) turnBlock(source, out, turns, left, top);
  }
}

function turnBlock(source: Plane, out: Float32Array, turns: 1 | 2 | 3, left: number, top: number): void {
  const { width, height, channels, data } = source;
  const [right, bottom] = [Math.min(left + block, width), Math.min(top + block, height)];
  const toWidth = turns === 2 ? width : height;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const toX = turns === 1 ? height - 1 - y : turns === 2 ? width - 1 - x : y;
      const toY = turns === 1 ? x : turns === 2 ? height - 1 - y : width - 1 - x;
      const from = (y * width + x) * channels;
      const to = (toY * toWidth + toX) * channels;
      for (let channel = 0; channel < channels; channel++) out[to + channel] = data[from + channel] ?? 0;
    }
  }
}
