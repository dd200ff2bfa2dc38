// Resampling of one plane. Sums are kept in 64 bits, so that a flat colour comes out as the very same number.
import type { Plane } from "./picture.ts";
import { areaRanges, nearestSources, type Taps } from "./taps.ts";

// Rows first, then columns; each source row is resampled once, because the few rows in use are kept, and the memory of
// one that is no longer used serves the next.
export function resampleByTaps(source: Plane, target: Plane, across: Taps, down: Taps): void {
  const rowLength = target.width * target.channels;
  const kept = new Map<number, Float64Array>();
  const spare: Float64Array[] = [];
  for (let y = 0; y < target.height; y++) {
    const first = y * down.perPixel;
    const wanted = down.sources.subarray(first, first + down.perPixel);
    for (const [row, memory] of kept) {
      if (wanted.includes(row)) continue;
      kept.delete(row);
      spare.push(memory);
    }
    const rows = Array.from(wanted, (row) => {
      const known = kept.get(row) ?? resampleRow(source, row, across, spare.pop() ?? new Float64Array(rowLength));
      kept.set(row, known);
      return known;
    });
    const out = target.data.subarray(y * rowLength, (y + 1) * rowLength);
    mixRows(rows, down.weights.subarray(first, first + down.perPixel), out);
  }
}

function resampleRow({ channels, width, data }: Plane, row: number, taps: Taps, out: Float64Array): Float64Array {
  const line = data.subarray(row * width * channels, (row + 1) * width * channels);
  if (taps.perPixel === 2) rowOfTwo(line, out, channels, taps);
  else rowOfFour(line, out, channels, taps);
  return out;
}

function rowOfTwo(line: Float32Array, out: Float64Array, channels: number, { sources, weights }: Taps): void {
  for (let at = 0, tap = 0; at < out.length; tap += 2) {
    const w0 = weights[tap] ?? 0;
    const w1 = weights[tap + 1] ?? 0;
    let one = (sources[tap] ?? 0) * channels;
    let two = (sources[tap + 1] ?? 0) * channels;
    for (const end = at + channels; at < end; at++) out[at] = w0 * (line[one++] ?? 0) + w1 * (line[two++] ?? 0);
  }
}

function rowOfFour(line: Float32Array, out: Float64Array, channels: number, { sources, weights }: Taps): void {
  for (let at = 0, tap = 0; at < out.length; tap += 4) {
    const w0 = weights[tap] ?? 0;
    const w1 = weights[tap + 1] ?? 0;
    const w2 = weights[tap + 2] ?? 0;
    const w3 = weights[tap + 3] ?? 0;
    let one = (sources[tap] ?? 0) * channels;
    let two = (sources[tap + 1] ?? 0) * channels;
    let three = (sources[tap + 2] ?? 0) * channels;
    let four = (sources[tap + 3] ?? 0) * channels;
    for (const end = at + channels; at < end; at++) {
      const left = w0 * (line[one++] ?? 0) + w1 * (line[two++] ?? 0);
      out[at] = left + w2 * (line[three++] ?? 0) + w3 * (line[four++] ?? 0);
    }
  }
}

function mixRows(rows: readonly Float64Array[], weights: Float64Array, out: Float32Array): void {
  const [first, second, third, fourth] = rows;
  const [w0 = 0, w1 = 0, w2 = 0, w3 = 0] = weights;
  if (!first || !second) return;
  if (!third || !fourth) {
    for (let at = 0; at < out.length; at++) out[at] = w0 * (first[at] ?? 0) + w1 * (second[at] ?? 0);
    return;
  }
  for (let at = 0; at < out.length; at++) {
    out[at] = w0 * (first[at] ?? 0) + w1 * (second[at] ?? 0) + w2 * (third[at] ?? 0) + w3 * (fourth[at] ?? 0);
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
