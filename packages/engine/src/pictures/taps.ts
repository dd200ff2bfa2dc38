// Which source pixels make a target pixel, and how much each counts, along one axis. Pixel centres are at half
// positions; outside the picture its edge goes on; there is no antialias.
export interface Taps {
  readonly perPixel: number;
  // `perPixel` entries for each target pixel.
  readonly sources: Int32Array;
  readonly weights: Float64Array;
}

export function linearTaps(from: number, to: number): Taps {
  const taps = emptyTaps(2, to);
  const scale = Math.fround(from / to);
  for (let target = 0; target < to; target++) {
    const position = Math.max(0, (target + 0.5) * scale - 0.5);
    const first = Math.min(Math.floor(position), from - 1);
    const share = position - first;
    taps.sources.set([first, Math.min(first + 1, from - 1)], target * 2);
    taps.weights.set([1 - share, share], target * 2);
  }
  return taps;
}

// Cubic convolution with a = −0.75.
const sharpness = -0.75;
const near = (x: number): number => ((sharpness + 2) * x - (sharpness + 3)) * x * x + 1;
const far = (x: number): number => ((sharpness * x - 5 * sharpness) * x + 8 * sharpness) * x - 4 * sharpness;

export function cubicTaps(from: number, to: number): Taps {
  const taps = emptyTaps(4, to);
  const scale = Math.fround(from / to);
  for (let target = 0; target < to; target++) {
    const position = (target + 0.5) * scale - 0.5;
    const first = Math.floor(position);
    const share = position - first;
    const within = (source: number) => Math.min(Math.max(source, 0), from - 1);
    taps.sources.set([within(first - 1), within(first), within(first + 1), within(first + 2)], target * 4);
    taps.weights.set([far(share + 1), near(share), near(1 - share), far(2 - share)], target * 4);
  }
  return taps;
}

export function nearestSources(from: number, to: number): Int32Array {
  const scale = Math.fround(from / to);
  return Int32Array.from({ length: to }, (_, target) =>
    Math.min(Math.floor(Math.fround(Math.fround(target + 0.5) * scale)), from - 1),
  );
}

// Source ranges [start, end) whose mean is the target pixel.
export function areaRanges(from: number, to: number): { readonly starts: Int32Array; readonly ends: Int32Array } {
  const starts = Int32Array.from({ length: to }, (_, target) => Math.floor((target * from) / to));
  const ends = Int32Array.from({ length: to }, (_, target) => Math.ceil(((target + 1) * from) / to));
  return { starts, ends };
}

function emptyTaps(perPixel: number, to: number): Taps {
  return { perPixel, sources: new Int32Array(perPixel * to), weights: new Float64Array(perPixel * to) };
}
