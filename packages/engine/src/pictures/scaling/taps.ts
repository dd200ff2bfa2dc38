// Which source pixels make a target pixel, and their weights, along one axis. Pixel centres are at half positions; outside the
// picture its edge is repeated; there is no antialiasing. Every step is in 32 bits and rounded where the application rounds.
import type { ApplicationProfile } from "../../application-profile.ts";

export interface Taps {
  readonly perPixel: number;
  // `perPixel` entries for each target pixel.
  readonly sources: Int32Array;
  readonly weights: Float32Array;
}

const { fround } = Math;

// The application's bilinear has two paths. Results up to this width and height together use the corners, and so do whole
// pictures with an alpha channel.
export const cornersMax = 128;

// scale × (target + ½) − ½, with one rounding or with two. The product is exact in 64 bits.
function positionOf(target: number, scale: number, isFused: boolean): number {
  const product = fround(target + 0.5) * scale;
  return fround((isFused ? product : fround(product)) - 0.5);
}

const scaleOf = (from: number, to: number): number => fround(fround(from) / fround(to));

// The application has two paths that round differently: `isFused` for the one by corners, and in newer versions for both.
export const isFusedAlways = (profile: ApplicationProfile): boolean => profile === "0.30";

export function linearTaps(from: number, to: number, isFused: boolean): Taps {
  const taps = emptyTaps(2, to);
  const scale = scaleOf(from, to);
  for (let target = 0; target < to; target++) {
    const position = from === to ? target : Math.max(0, positionOf(target, scale, isFused));
    const first = Math.min(Math.floor(position), from - 1);
    const share = Math.min(fround(position - first), 1);
    taps.sources.set([first, Math.min(first + 1, from - 1)], target * 2);
    taps.weights.set([1 - share, share], target * 2);
  }
  return taps;
}

// Cubic convolution with a = −0.75, every step rounded; or the products fused onto what follows, except before the last sum.
// Products of 32 bits are exact in 64.
const sharpness = -0.75;

interface Cubic {
  readonly near: (x: number) => number;
  readonly far: (x: number) => number;
}

function near(x: number): number {
  const slope = fround(fround((sharpness + 2) * x) - (sharpness + 3));
  return fround(fround(fround(slope * x) * x) + 1);
}

function far(x: number): number {
  const first = fround(fround(sharpness * x) - 5 * sharpness);
  const second = fround(fround(first * x) + 8 * sharpness);
  return fround(fround(second * x) - 4 * sharpness);
}

const steps: Cubic = { near, far };
const fused: Cubic = {
  near(x) {
    const slope = fround((sharpness + 2) * x - (sharpness + 3));
    return fround(fround(fround(slope * x) * x) + 1);
  },
  far(x) {
    const first = fround(sharpness * x - 5 * sharpness);
    const second = fround(first * x + 8 * sharpness);
    return fround(fround(second * x) - 4 * sharpness);
  },
};

export function cubicTaps(from: number, to: number, profile: ApplicationProfile): Taps {
  const { near, far } = isFusedAlways(profile) ? fused : steps;
  const taps = emptyTaps(4, to);
  const scale = scaleOf(from, to);
  for (let target = 0; target < to; target++) {
    const position = positionOf(target, scale, true);
    const first = Math.floor(position);
    const share = fround(position - first);
    const rest = fround(1 - share);
    const within = (source: number) => Math.min(Math.max(source, 0), from - 1);
    taps.sources.set([within(first - 1), within(first), within(first + 1), within(first + 2)], target * 4);
    taps.weights.set([far(fround(share + 1)), near(share), near(rest), far(fround(rest + 1))], target * 4);
  }
  return taps;
}

export function nearestSources(from: number, to: number): Int32Array {
  const scale = scaleOf(from, to);
  return Int32Array.from({ length: to }, (_, target) =>
    Math.min(Math.floor(fround(fround(target + 0.5) * scale)), from - 1),
  );
}

// Source ranges [start, end) whose mean is the target pixel.
export function areaRanges(from: number, to: number): { readonly starts: Int32Array; readonly ends: Int32Array } {
  const starts = Int32Array.from({ length: to }, (_, target) => Math.floor((target * from) / to));
  const ends = Int32Array.from({ length: to }, (_, target) => Math.ceil(((target + 1) * from) / to));
  return { starts, ends };
}

function emptyTaps(perPixel: number, to: number): Taps {
  return { perPixel, sources: new Int32Array(perPixel * to), weights: new Float32Array(perPixel * to) };
}
