// Lanczos with three lobes on 8 bits, widened when reducing: horizontally, then vertically, with bytes in between and 22-bit
// fixed-point weights. That is how the application's picture library does it, and the last bit depends on it.

import { type ApplicationProfile, defaultProfile } from "../../application-profile.ts";
import { fixedBits, kernelWork } from "../../kernels/kernels.ts";
import { fromBytes, toBytes } from "../colours/eight-bits.ts";
import type { Plane } from "../picture.ts";

const lobes = 3;

interface Kernel {
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  // One pixel's after the other's, without gaps.
  readonly firsts: Int32Array;
  readonly weights: Int32Array;
}

export function resampleLanczos(source: Plane, target: Plane, profile: ApplicationProfile = defaultProfile): void {
  const { channels } = source;
  let bytes = toBytes(source.data);
  // The colour of transparent pixels must not bleed in, so with an alpha channel colours are weighted by it.
  const isAlpha = channels === 4 && !isSameSize(source, target);
  if (isAlpha) multiplyAlpha(bytes);
  const isDownFirst = profile === "0.30" && savesMoreRows(source, target);
  const passDown = (width: number) => {
    if (source.height === target.height) return;
    bytes = down(bytes, width * channels, lanczosKernel(source.height, target.height), target.height);
  };
  if (isDownFirst) passDown(source.width);
  if (source.width !== target.width) {
    bytes = across(bytes, source.width, isDownFirst ? target.height : source.height, channels, target.width);
  }
  if (!isDownFirst) passDown(target.width);
  if (isAlpha) divideAlpha(bytes);
  fromBytes(bytes, target.data);
}

// The newer generation starts with the rows if it loses more than twice as many of them as columns.
const savesMoreRows = (source: Plane, target: Plane): boolean =>
  target.height < source.height && source.height - target.height > 2 * (source.width - target.width);

const isSameSize = (one: Plane, other: Plane) => one.width === other.width && one.height === other.height;

function lanczosKernel(from: number, to: number): Kernel {
  const scale = from / to;
  const widening = Math.max(scale, 1);
  const support = lobes * widening;
  const starts = new Int32Array(to);
  const counts = new Int32Array(to);
  const firsts = new Int32Array(to);
  const weights: number[] = [];
  for (let target = 0; target < to; target++) {
    const centre = (target + 0.5) * scale;
    const start = Math.max(Math.trunc(centre - support + 0.5), 0);
    const count = Math.min(Math.trunc(centre + support + 0.5), from) - start;
    const raw = Array.from({ length: count }, (_, index) => lanczos((index + start - centre + 0.5) / widening));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    starts[target] = start;
    counts[target] = count;
    firsts[target] = weights.length;
    for (const weight of raw) {
      const fixed = (sum === 0 ? weight : weight / sum) * 2 ** fixedBits;
      weights.push(Math.trunc(fixed < 0 ? fixed - 0.5 : fixed + 0.5));
    }
  }
  return { starts, counts, firsts, weights: Int32Array.from(weights) };
}

function lanczos(x: number): number {
  return Math.abs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}

const roundedUp = (bytes: number): number => Math.ceil((bytes + 16) / 16) * 16;

function across(bytes: Uint8Array, width: number, height: number, channels: number, to: number) {
  const { starts, counts, weights } = lanczosKernel(width, to);
  const [fromLength, toLength] = [width * channels, to * channels];
  const outStart = roundedUp(fromLength);
  const tableStart = outStart + roundedUp(toLength);
  const weightStart = tableStart + to * 8;
  const { kernels, buffer } = kernelWork(weightStart + weights.byteLength);
  const table = new Int32Array(buffer, tableStart, to * 2);
  for (const [x, start] of starts.entries()) table.set([start * channels, (counts[x] ?? 0) * 4], x * 2);
  new Int32Array(buffer, weightStart, weights.length).set(weights);
  const row = new Uint8Array(buffer, 0, fromLength);
  const made = new Uint8Array(buffer, outStart, toLength);
  const out = new Uint8Array(toLength * height);
  for (let y = 0; y < height; y++) {
    row.set(bytes.subarray(y * fromLength, (y + 1) * fromLength));
    kernels.bytesAcross(outStart, 0, tableStart, weightStart, weightStart, channels);
    out.set(made, y * toLength);
  }
  return out;
}

const ringBytesMax = 32 * 1024 ** 2;

// A ring of as many rows as the widest sum needs; if that would be too much, this many columns at a time.
function down(bytes: Uint8Array, rowLength: number, kernel: Kernel, to: number) {
  const rows = kernel.counts.reduce((most, count) => Math.max(most, count), 1);
  const columns = Math.min(rowLength, Math.max(64, Math.floor(ringBytesMax / rows)));
  const out = new Uint8Array(rowLength * to);
  for (let left = 0; left < rowLength; left += columns) {
    downColumns(bytes, out, { rowLength, left, length: Math.min(columns, rowLength - left), rows }, kernel);
  }
  return out;
}

interface Columns {
  readonly rowLength: number;
  readonly left: number;
  readonly length: number;
  readonly rows: number;
}

function downColumns(bytes: Uint8Array, out: Uint8Array, { rowLength, left, length, rows }: Columns, kernel: Kernel) {
  const { starts, counts, firsts, weights } = kernel;
  const rowBytes = roundedUp(length);
  const tableStart = rowBytes * (rows + 1);
  const { kernels, buffer } = kernelWork(tableStart + rows * 8);
  const table = new Int32Array(buffer, tableStart, rows * 2);
  const made = new Uint8Array(buffer, rowBytes * rows, length);
  const ring = new Uint8Array(buffer);
  let filled = 0;
  for (let y = 0; y < starts.length; y++) {
    const [start, count, first] = [starts[y] ?? 0, counts[y] ?? 0, firsts[y] ?? 0];
    for (; filled < start + count; filled++) {
      const from = filled * rowLength + left;
      ring.set(bytes.subarray(from, from + length), (filled % rows) * rowBytes);
    }
    for (let index = 0; index < count; index++) {
      table[index * 2] = ((start + index) % rows) * rowBytes;
      table[index * 2 + 1] = weights[first + index] ?? 0;
    }
    kernels.bytesDown(rowBytes * rows, tableStart, tableStart + count * 8, length);
    out.set(made, y * rowLength + left);
  }
}

function multiplyAlpha(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const alpha = bytes[at + 3] ?? 0;
    for (let channel = at; channel < at + 3; channel++) {
      const product = (bytes[channel] ?? 0) * alpha + 128;
      bytes[channel] = ((product >> 8) + product) >> 8;
    }
  }
}

function divideAlpha(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; at += 4) {
    const alpha = bytes[at + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = at; channel < at + 3; channel++) {
      bytes[channel] = Math.min(255, Math.trunc((255 * (bytes[channel] ?? 0)) / alpha));
    }
  }
}
