// Lanczos with three lobes on 8 bits, widened when reducing: across, then down, with bytes in between and weights in
// 22 bits of fixed point. That is how the application's picture library does it, and the last bit depends on it.
import { fromBytes, toBytes } from "./eight-bits.ts";
import type { Plane } from "./picture.ts";

const lobes = 3;
const fixedBits = 22;
const half = 1 << (fixedBits - 1);

interface Kernel {
  readonly starts: Int32Array;
  readonly counts: Int32Array;
  readonly stride: number;
  readonly weights: Int32Array;
}

export function resampleLanczos(source: Plane, target: Plane): void {
  const { channels } = source;
  let bytes = toBytes(source.data);
  // Colour of what cannot be seen must not bleed in: with an alpha channel colours are weighted by it meanwhile.
  const isAlpha = channels === 4 && !isSameSize(source, target);
  if (isAlpha) multiplyAlpha(bytes);
  if (source.width !== target.width) {
    bytes = across(bytes, source.width, source.height, channels, target.width);
  }
  if (source.height !== target.height) {
    bytes = down(bytes, target.width * channels, lanczosKernel(source.height, target.height), target.height);
  }
  if (isAlpha) divideAlpha(bytes);
  fromBytes(bytes, target.data);
}

const isSameSize = (one: Plane, other: Plane) => one.width === other.width && one.height === other.height;

function lanczosKernel(from: number, to: number): Kernel {
  const scale = from / to;
  const widening = Math.max(scale, 1);
  const support = lobes * widening;
  const stride = Math.ceil(support) * 2 + 1;
  const starts = new Int32Array(to);
  const counts = new Int32Array(to);
  const weights = new Int32Array(to * stride);
  for (let target = 0; target < to; target++) {
    const centre = (target + 0.5) * scale;
    const start = Math.max(Math.trunc(centre - support + 0.5), 0);
    const count = Math.min(Math.trunc(centre + support + 0.5), from) - start;
    const raw = Array.from({ length: count }, (_, index) => lanczos((index + start - centre + 0.5) / widening));
    const sum = raw.reduce((total, weight) => total + weight, 0);
    starts[target] = start;
    counts[target] = count;
    raw.forEach((weight, index) => {
      const fixed = (sum === 0 ? weight : weight / sum) * 2 ** fixedBits;
      weights[target * stride + index] = Math.trunc(fixed < 0 ? fixed - 0.5 : fixed + 0.5);
    });
  }
  return { starts, counts, stride, weights };
}

function lanczos(x: number): number {
  return Math.abs(x) < lobes ? sinc(x) * sinc(x / lobes) : 0;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(x * Math.PI) / (x * Math.PI);
}

function clip(sum: number): number {
  const level = sum >> fixedBits;
  return level < 0 ? 0 : level > 255 ? 255 : level;
}

function across(bytes: Uint8Array, width: number, height: number, channels: number, to: number) {
  const kernel = lanczosKernel(width, to);
  const out = new Uint8Array(to * height * channels);
  for (let y = 0; y < height; y++) {
    const row = bytes.subarray(y * width * channels, (y + 1) * width * channels);
    const target = out.subarray(y * to * channels, (y + 1) * to * channels);
    if (channels === 3) acrossColours(row, target, kernel);
    else for (let channel = 0; channel < channels; channel++) acrossChannel(row, target, kernel, channels, channel);
  }
  return out;
}

// Most pictures have three channels: their sums are made together.
function acrossColours(row: Uint8Array, out: Uint8Array, { starts, counts, stride, weights }: Kernel): void {
  for (let x = 0, at = 0; at < out.length; x++, at += 3) {
    let red = half;
    let green = half;
    let blue = half;
    let from = (starts[x] ?? 0) * 3;
    const first = x * stride;
    for (let tap = first; tap < first + (counts[x] ?? 0); tap++, from += 3) {
      const weight = weights[tap] ?? 0;
      red = (red + Math.imul(row[from] ?? 0, weight)) | 0;
      green = (green + Math.imul(row[from + 1] ?? 0, weight)) | 0;
      blue = (blue + Math.imul(row[from + 2] ?? 0, weight)) | 0;
    }
    out[at] = clip(red);
    out[at + 1] = clip(green);
    out[at + 2] = clip(blue);
  }
}

function acrossChannel(row: Uint8Array, out: Uint8Array, kernel: Kernel, channels: number, channel: number): void {
  for (let x = 0, at = channel; at < out.length; x++, at += channels) {
    let sum = half;
    let from = (kernel.starts[x] ?? 0) * channels + channel;
    const first = x * kernel.stride;
    for (let tap = first; tap < first + (kernel.counts[x] ?? 0); tap++, from += channels) {
      sum = (sum + Math.imul(row[from] ?? 0, kernel.weights[tap] ?? 0)) | 0;
    }
    out[at] = clip(sum);
  }
}

function down(bytes: Uint8Array, rowLength: number, kernel: Kernel, to: number) {
  const out = new Uint8Array(rowLength * to);
  const sums = new Int32Array(rowLength);
  for (let y = 0; y < to; y++) {
    sums.fill(half);
    const start = kernel.starts[y] ?? 0;
    for (let index = 0; index < (kernel.counts[y] ?? 0); index++) {
      const weight = kernel.weights[y * kernel.stride + index] ?? 0;
      const row = (start + index) * rowLength;
      for (let at = 0; at < rowLength; at++) sums[at] = (sums[at] ?? 0) + Math.imul(bytes[row + at] ?? 0, weight);
    }
    for (let at = 0; at < rowLength; at++) out[y * rowLength + at] = clip(sums[at] ?? 0);
  }
  return out;
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
