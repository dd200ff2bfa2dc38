// The minimum or maximum in a square around each sample; samples outside the picture do not count. One axis after the other,
// with a sliding window, so that its size costs nothing.
import type { Plane } from "./picture.ts";

type Pick = "least" | "most";

// How many samples before and after each one are included.
interface Reach {
  readonly before: number;
  readonly after: number;
}

export function extremes(source: Plane, reach: Reach, pick: Pick): Plane {
  const { width, height, channels } = source;
  const across = new Float32Array(source.data.length);
  const out = new Float32Array(source.data.length);
  for (let y = 0; y < height; y++) {
    for (let channel = 0; channel < channels; channel++) {
      slide(source.data, across, y * width * channels + channel, channels, width, reach, pick);
    }
  }
  for (let x = 0; x < width * channels; x++) slide(across, out, x, width * channels, height, reach, pick);
  return { ...source, data: out };
}

// A queue of positions whose values only rise (or fall): its first is the window's minimum (or maximum).
function slide(
  from: Float32Array,
  to: Float32Array,
  start: number,
  step: number,
  count: number,
  { before, after }: Reach,
  pick: Pick,
): void {
  const sign = pick === "least" ? 1 : -1;
  const value = (index: number) => sign * (from[start + index * step] ?? 0);
  const queue = new Int32Array(count);
  let [head, tail] = [0, 0];
  for (let index = 0; index < count + after; index++) {
    if (index < count) {
      while (tail > head && value(queue[tail - 1] ?? 0) >= value(index)) tail -= 1;
      queue[tail++] = index;
    }
    const position = index - after;
    if (position < 0) continue;
    while ((queue[head] ?? 0) < position - before) head += 1;
    to[start + position * step] = sign * value(queue[head] ?? 0);
  }
}
