// Resampling of one plane. Sums are kept in 64 bits, so that a flat colour comes out as the very same number.
import { kernelWork } from "../kernels/kernels.ts";
import { RowTable } from "../kernels/row-table.ts";
import type { Plane } from "./picture.ts";
import { areaRanges, nearestSources, type Taps } from "./taps.ts";

// Rows across, then down; each source row is resampled once, because the few rows in use are kept. The rows that a target
// row needs follow each other, so a ring of as many as there are taps holds them.
export function resampleByTaps(source: Plane, target: Plane, across: Taps, down: Taps): void {
  const { channels } = source;
  const taps = down.perPixel;
  const sourceLength = source.width * channels;
  const rowLength = target.width * channels;
  // A pixel is written as a whole vector: what reaches beyond the last one needs room.
  const rowBytes = (Math.ceil(rowLength / 8) + 1) * 32;
  const sourceStart = rowBytes * (taps + 1);
  const tableStart = sourceStart + (Math.ceil(sourceLength / 8) + 1) * 32;
  const tableBytes = Math.ceil((target.width * taps * 12) / 16) * 16;
  const { kernels, buffer } = kernelWork(tableStart + tableBytes + taps * 16);
  writeTaps(new DataView(buffer, tableStart), across, channels);
  const line = new Float32Array(buffer, sourceStart, sourceLength);
  const out = new Float32Array(buffer, rowBytes * taps, rowLength);
  const rows = new RowTable(buffer, tableStart + tableBytes, taps);
  const tableEnd = tableStart + target.width * taps * 12;
  const kept = new Int32Array(taps).fill(-1);
  const resampleRow = (row: number): number => {
    const at = row % taps;
    if (kept[at] !== row) {
      kept[at] = row;
      line.set(source.data.subarray(row * sourceLength, (row + 1) * sourceLength));
      const pixels = taps === 2 ? kernels.pixelsByTwo : kernels.pixelsByFour;
      pixels(at * rowBytes, sourceStart, tableStart, tableEnd, channels * 4);
    }
    return at * rowBytes;
  };
  for (let y = 0; y < target.height; y++) {
    for (let tap = 0; tap < taps; tap++) {
      const row = resampleRow(down.sources[y * taps + tap] ?? 0);
      rows.set(tap, row, row, (down.weights[y * taps + tap] ?? 0) / 2);
    }
    kernels.sumOfPairs(rowBytes * taps, rows.start, rows.end, Math.ceil(rowLength / 8) * 32, -Infinity, Infinity);
    target.data.set(out, y * rowLength);
  }
}

function writeTaps(table: DataView, { perPixel, sources, weights }: Taps, channels: number): void {
  for (let tap = 0; tap < sources.length; tap++) {
    const [pixel, index] = [Math.floor(tap / perPixel), tap % perPixel];
    const start = pixel * perPixel * 12;
    table.setInt32(start + index * 4, (sources[tap] ?? 0) * channels * 4, true);
    table.setFloat64(start + perPixel * 4 + index * 8, weights[tap] ?? 0, true);
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

// The mean of the source pixels under each target pixel (and of one pixel, when enlarging).
export function resampleArea(source: Plane, target: Plane): void {
  const { channels } = source;
  const columns = areaRanges(source.width, target.width);
  const rows = areaRanges(source.height, target.height);
  const sums = new Float64Array(source.width * channels);
  let at = 0;
  for (let y = 0; y < target.height; y++) {
    const top = rows.starts[y] ?? 0;
    const bottom = rows.ends[y] ?? 0;
    sumRows(source, top, bottom, sums);
    for (let x = 0; x < target.width; x++) {
      const left = columns.starts[x] ?? 0;
      const right = columns.ends[x] ?? 0;
      const count = (bottom - top) * (right - left);
      for (let channel = 0; channel < channels; channel++) {
        let sum = 0;
        for (let from = left * channels + channel; from < right * channels; from += channels) sum += sums[from] ?? 0;
        target.data[at++] = sum / count;
      }
    }
  }
}

function sumRows(source: Plane, top: number, bottom: number, sums: Float64Array): void {
  sums.fill(0);
  for (let row = top; row < bottom; row++) {
    const start = row * sums.length;
    for (let at = 0; at < sums.length; at++) sums[at] = (sums[at] ?? 0) + (source.data[start + at] ?? 0);
  }
}
