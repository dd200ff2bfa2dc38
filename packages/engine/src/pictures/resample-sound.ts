// A sound at another rate, as the application's sound library does it: a windowed sine through every new sample, six zero
// crossings to each side, a hundredth below half the smaller rate. Weights are rounded to 32 bits, sums are not.
import type { Sound } from "./picture.ts";

const zeroCrossings = 6;
const rolloff = 0.99;

export function soundAtRate(sound: Sound, rate: number, floats: (count: number) => Float32Array): Sound {
  if (sound.sampleRate === rate) return sound;
  const common = divisor(sound.sampleRate, rate);
  const [from, to] = [sound.sampleRate / common, rate / common];
  const { weights, width } = kernel(from, to);
  const length = Math.ceil((to * sound.length) / from);
  const data = floats(sound.batch * sound.channels * length);
  const size = 2 * width + from;
  for (let track = 0; track < sound.batch * sound.channels; track++) {
    const samples = sound.data.subarray(track * sound.length, (track + 1) * sound.length);
    for (let at = 0; at < length; at++) {
      const start = Math.floor(at / to) * from - width;
      const row = (at % to) * size;
      let sum = 0;
      const [first, last] = [Math.max(0, -start), Math.min(size, samples.length - start)];
      for (let tap = first; tap < last; tap++) sum += (samples[start + tap] ?? 0) * (weights[row + tap] ?? 0);
      data[track * length + at] = sum;
    }
  }
  return { ...sound, sampleRate: rate, length, data };
}

function divisor(one: number, other: number): number {
  return other === 0 ? one : divisor(other, one % other);
}

function kernel(from: number, to: number): { readonly weights: Float32Array; readonly width: number } {
  const base = Math.min(from, to) * rolloff;
  const width = Math.ceil((zeroCrossings * from) / base);
  const size = 2 * width + from;
  const weights = new Float32Array(to * size);
  for (let row = 0; row < to; row++) {
    for (let tap = 0; tap < size; tap++) {
      const time = Math.min(Math.max((-row / to + (tap - width) / from) * base, -zeroCrossings), zeroCrossings);
      const window = Math.cos((time * Math.PI) / zeroCrossings / 2) ** 2;
      const angle = time * Math.PI;
      weights[row * size + tap] = (angle === 0 ? 1 : Math.sin(angle) / angle) * window * (base / from);
    }
  }
  return { weights, width };
}
