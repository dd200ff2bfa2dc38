// Resamples a sound as the application's sound library does: a windowed sinc through every new sample, six zero crossings to
// each side, a hundredth below half the smaller rate. Every step is in 32 bits; products are fused onto the sum, from the
// earliest sample to the latest.
import type { Sound } from "./picture.ts";
import { cosineOf, sineOf } from "./vector-functions.ts";

const zeroCrossings = 6;
const rolloff = 0.99;

const { fround } = Math;

export function soundAtRate(sound: Sound, rate: number, floats: (count: number) => Float32Array): Sound {
  if (sound.sampleRate === rate) return sound;
  const common = divisor(sound.sampleRate, rate);
  const [from, to] = [sound.sampleRate / common, rate / common];
  const { rows, width } = kernel(from, to);
  const length = Math.ceil((to * sound.length) / from);
  const data = floats(sound.batch * sound.channels * length);
  for (let track = 0; track < sound.batch * sound.channels; track++) {
    const samples = sound.data.subarray(track * sound.length, (track + 1) * sound.length);
    for (let at = 0; at < length; at++) {
      const start = Math.floor(at / to) * from - width;
      const row = rows[at % to];
      if (row) data[track * length + at] = weighted(samples, start, row);
    }
  }
  return { ...sound, sampleRate: rate, length, data };
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

interface Row {
  readonly weights: Float32Array;
  // The weights that matter. Beyond the sixth crossing they are not zero, but too small to show next to these.
  readonly first: number;
  readonly end: number;
}

const unseen = 1e-15;

function weighted(samples: Float32Array, start: number, { weights, first, end }: Row): number {
  const sum = sumOf(samples, start, weights, first, end);
  return sum === 0 ? sumOf(samples, start, weights, 0, weights.length) : sum;
}

// Silence before and after the sound.
function sumOf(samples: Float32Array, start: number, weights: Float32Array, first: number, end: number): number {
  let sum = 0;
  const last = Math.min(end, samples.length - start);
  for (let tap = Math.max(first, -start); tap < last; tap++)
    sum = fusedSum((samples[start + tap] ?? 0) * (weights[tap] ?? 0), sum);
  return sum;
}

// A product, exact in 64 bits, plus a 32-bit sum, rounded once. If the 64 bits end exactly between two 32-bit floats, the part
// they left out decides.
function fusedSum(product: number, sum: number): number {
  const total = product + sum;
  const rounded = fround(total);
  const rest = total - rounded;
  if (rest === 0) return rounded;
  const other = rounded + 2 * rest;
  if (fround(other) !== other) return rounded;
  const part = total - product;
  const left = product - (total - part) + (sum - part);
  return left !== 0 && left > 0 === rest > 0 ? other : rounded;
}

function kernel(from: number, to: number): { readonly rows: readonly Row[]; readonly width: number } {
  const base = Math.min(from, to) * rolloff;
  const width = Math.ceil((zeroCrossings * from) / base);
  const rows = Array.from({ length: to }, (_, row) => rowOf(row, width, base, from, to));
  return { rows, width };
}

function rowOf(row: number, width: number, base: number, from: number, to: number): Row {
  const [factor, scale, pi] = [fround(base), fround(base / from), fround(Math.PI)];
  const weights = Float32Array.from({ length: 2 * width + from }, (_, tap) => {
    const position = fround(fround(fround(-row / to) + fround((tap - width) / from)) * factor);
    const time = Math.min(Math.max(position, -zeroCrossings), zeroCrossings);
    const angle = fround(time * pi);
    const edge = cosineOf(fround(fround(angle / zeroCrossings) / 2));
    const wave = angle === 0 ? 1 : fround(sineOf(angle) / angle);
    return wave * fround(fround(edge * edge) * scale);
  });
  const counts = (weight: number) => Math.abs(weight) > unseen;
  return { weights, first: weights.findIndex(counts), end: weights.findLastIndex(counts) + 1 };
}
