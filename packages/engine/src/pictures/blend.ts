// The six blend modes. Every step is rounded to 32 bits, as in the application: on saving, a colour just short of a level
// becomes the level below, so otherwise a whole flat area would differ by one.
import { kernelWork } from "../kernels/kernels.ts";

export const blendModes = ["normal", "multiply", "screen", "overlay", "soft_light", "difference"] as const;
type BlendMode = (typeof blendModes)[number];

// This many at a time, so that all three stay in the processor's cache.
const partLength = 8192;

// `two` is repeated if it is shorter: one picture may blend with a whole batch.
export function blendInto(
  out: Float32Array,
  one: Float32Array,
  two: Float32Array,
  factor: number,
  mode: BlendMode,
): void {
  const { kernels, buffer } = kernelWork(partLength * 12);
  const [first, second, mixed] = [0, 1, 2].map((part) => new Float32Array(buffer, part * partLength * 4, partLength));
  if (!first || !second || !mixed) return;
  for (let start = 0; start < out.length; start += two.length) {
    for (let at = 0; at < two.length; at += partLength) {
      const length = Math.min(partLength, two.length - at);
      first.set(one.subarray(start + at, start + at + length));
      second.set(two.subarray(at, at + length));
      kernels[mode](partLength * 8, 0, partLength * 4, length * 4, Math.fround(1 - factor), Math.fround(factor));
      out.set(length === partLength ? mixed : mixed.subarray(0, length), start + at);
    }
  }
}
