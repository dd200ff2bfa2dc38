// Resamples one plane, in 32 bits and in the application's order of sums.
import { kernelWork } from "../../kernels/kernels.ts";
import type { Plane } from "../picture.ts";
import { areaRanges, linearTaps, nearestSources, type Taps } from "./taps.ts";

// Rows and tables end on whole vectors, with room for one that reaches beyond the last pixel.
const roomFor = (floats: number): number => (Math.ceil(floats / 4) + 1) * 16;

// Horizontally, then vertically. Each source row is resampled once, because we keep the few rows in use. The rows a target row
// needs are consecutive, so a ring of as many as there are taps holds them.
export function resampleByTaps(source: Plane, target: Plane, across: Taps, down: Taps): void {
  const { channels } = source;
  const taps = down.perPixel;
  const sourceLength = source.width * channels;
  const rowLength = target.width * channels;
  const rowBytes = roomFor(rowLength);
  const sourceStart = rowBytes * (taps + 1);
  const tableStart = sourceStart + roomFor(sourceLength);
  const tableEnd = tableStart + target.width * taps * 8;
  const { kernels, buffer } = kernelWork(tableEnd + taps * 8);
  writeTaps(new DataView(buffer, tableStart), across, channels);
  const line = new Float32Array(buffer, sourceStart, sourceLength);
  const out = new Float32Array(buffer, rowBytes * taps, rowLength);
  const rows = new DataView(buffer, tableEnd, taps * 8);
  const kept = new Int32Array(taps).fill(-1);
  const [pixels, sum] =
    taps === 2 ? [kernels.pixelsByTwo, kernels.rowsByTwo] : [kernels.pixelsByFour, kernels.rowsByFour];
  const resampleRow = (row: number): number => {
    const at = row % taps;
    if (kept[at] !== row) {
      kept[at] = row;
      line.set(source.data.subarray(row * sourceLength, (row + 1) * sourceLength));
      pixels(at * rowBytes, sourceStart, tableStart, tableEnd, channels * 4);
    }
    return at * rowBytes;
  };
  for (let y = 0; y < target.height; y++) {
    for (let tap = 0; tap < taps; tap++) {
      rows.setInt32(tap * 8, resampleRow(down.sources[y * taps + tap] ?? 0), true);
      rows.setFloat32(tap * 8 + 4, down.weights[y * taps + tap] ?? 0, true);
    }
    sum(rowBytes * taps, tableEnd, rowBytes * taps + rowLength * 4);
    target.data.set(out, y * rowLength);
  }
}

function writeTaps(table: DataView, { perPixel, sources, weights }: Taps, channels: number): void {
  for (let tap = 0; tap < sources.length; tap++) {
    const start = Math.floor(tap / perPixel) * perPixel * 8 + (tap % perPixel) * 4;
    table.setInt32(start, (sources[tap] ?? 0) * channels * 4, true);
    table.setFloat32(start + perPixel * 4, weights[tap] ?? 0, true);
  }
}

// Bilinear, all four corners in one step.
export function resampleByCorners(source: Plane, target: Plane): void {
  const { channels } = source;
  const across = linearTaps(source.width, target.width, true);
  const down = linearTaps(source.height, target.height, true);
  const sourceLength = source.width * channels;
  const rowLength = target.width * channels;
  const sourceBytes = roomFor(sourceLength);
  const outStart = sourceBytes * 2;
  const tableStart = outStart + roomFor(rowLength);
  const tableEnd = tableStart + target.width * 16;
  const { kernels, buffer } = kernelWork(tableEnd);
  writeTaps(new DataView(buffer, tableStart), across, channels);
  const out = new Float32Array(buffer, outStart, rowLength);
  const kept = new Int32Array(2).fill(-1);
  const rowAt = (row: number): number => {
    const at = row % 2;
    if (kept[at] !== row) {
      kept[at] = row;
      const line = source.data.subarray(row * sourceLength, (row + 1) * sourceLength);
      new Float32Array(buffer, at * sourceBytes, sourceLength).set(line);
    }
    return at * sourceBytes;
  };
  for (let y = 0; y < target.height; y++) {
    const [upper, lower] = [rowAt(down.sources[y * 2] ?? 0), rowAt(down.sources[y * 2 + 1] ?? 0)];
    const [above, below] = [down.weights[y * 2] ?? 0, down.weights[y * 2 + 1] ?? 0];
    kernels.pixelsByCorners(outStart, upper, lower, tableStart, tableEnd, channels * 4, above, below);
    target.data.set(out, y * rowLength);
  }
}

export function resampleNearest(source: Plane, target: Plane): void {
  const { channels } = source;
  const columns = nearestSources(source.width, target.width);
  const rows = nearestSources(source.height, target.height);
  let at = 0;
  for (let y = 0; y < target.height; y++) {
    const start = (rows[y] ?? 0) * source.width * channels;
    for (let x = 0; x < target.width; x++) {
      const from = start + (columns[x] ?? 0) * channels;
      for (let channel = 0; channel < channels; channel++) target.data[at++] = source.data[from + channel] ?? 0;
    }
  }
}

// The mean of the source pixels under each target pixel (a single pixel when enlarging).
export function resampleArea(source: Plane, target: Plane): void {
  const { channels } = source;
  const columns = areaRanges(source.width, target.width);
  const rows = areaRanges(source.height, target.height);
  const sourceLength = source.width * channels;
  const rowLength = target.width * channels;
  const highest = rows.starts.reduce((most, start, y) => Math.max(most, (rows.ends[y] ?? 0) - start), 1);
  const outStart = roomFor(highest * sourceLength);
  const tableStart = outStart + roomFor(rowLength);
  const tableEnd = tableStart + target.width * 12;
  const { kernels, buffer } = kernelWork(tableEnd);
  const table = new DataView(buffer, tableStart);
  for (const [x, left] of columns.starts.entries()) {
    const right = columns.ends[x] ?? 0;
    table.setInt32(x * 12, left * channels * 4, true);
    table.setInt32(x * 12 + 4, right * channels * 4, true);
    table.setFloat32(x * 12 + 8, right - left, true);
  }
  const lines = new Float32Array(buffer, 0, highest * sourceLength);
  const out = new Float32Array(buffer, outStart, rowLength);
  for (let y = 0; y < target.height; y++) {
    const [top, bottom] = [rows.starts[y] ?? 0, rows.ends[y] ?? 0];
    lines.set(source.data.subarray(top * sourceLength, bottom * sourceLength));
    const bytes = sourceLength * 4;
    kernels.meansOfPixels(outStart, 0, bytes * (bottom - top), bytes, tableStart, tableEnd, channels * 4, bottom - top);
    target.data.set(out, y * rowLength);
  }
}
