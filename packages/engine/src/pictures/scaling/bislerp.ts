// Interpolates between latent pixels along the arc instead of the chord: horizontally, then vertically. Lengths are interpolated
// separately from directions. Every step is in 32 bits; arc cosine and sine are the nearest floats, which the application's are
// not always.
import type { ApplicationProfile } from "../../application-profile.ts";
import type { Size } from "../picture.ts";
import { countOf, type Floats, type Tensor } from "../tensor.ts";
import { cornersMax, isFusedAlways, linearTaps, type Taps } from "./taps.ts";

const { fround } = Math;

export function bislerp({ shape, data }: Tensor, size: Size, profile: ApplicationProfile, floats: Floats): Tensor {
  const [width = 0, height = 0] = shape.toReversed();
  const [batch = 0, channels = 0] = shape;
  // The pictures of one latent: a video has its frames between the channels and the rows.
  const frames = countOf(shape.slice(2, -2));
  const planes = batch * channels * frames;
  const across = floats(planes * height * size.width);
  const out = floats(planes * size.height * size.width);
  const columns = positions(width, size.width, profile);
  const rows = positions(height, size.height, profile);
  for (let index = 0; index < batch * frames; index++) {
    const first = Math.floor(index / frames) * channels * frames + (index % frames);
    const [from, middle, to] = [height * width, height * size.width, size.height * size.width].map((at) => at * first);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < size.width; x++) {
        const at = (column: number) => (from ?? 0) + y * width + column;
        const [one, two] = [at(columns.first[x] ?? 0), at(columns.second[x] ?? 0)];
        const pair = { data, one, two, step: frames * height * width };
        const target = { out: across, to: (middle ?? 0) + y * size.width + x, step: frames * height * size.width };
        between(pair, columns.share[x] ?? 0, channels, target);
      }
    }
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const at = (row: number) => (middle ?? 0) + row * size.width + x;
        const [one, two] = [at(rows.first[y] ?? 0), at(rows.second[y] ?? 0)];
        const pair = { data: across, one, two, step: frames * height * size.width };
        const target = { out, to: (to ?? 0) + y * size.width + x, step: frames * size.height * size.width };
        between(pair, rows.share[y] ?? 0, channels, target);
      }
    }
  }
  return { shape: [...shape.slice(0, -2), size.height, size.width], data: out };
}

interface Positions {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly share: Float32Array;
}

// The application scales the numbers 0, 1, 2, … themselves and reads positions and shares from the result.
function positions(from: number, to: number, profile: ApplicationProfile): Positions {
  const taps = linearTaps(from, to, isFusedAlways(profile) || 1 + to <= cornersMax);
  const coordinates = Float32Array.from({ length: to }, (_, target) => at(taps, target, (source) => source));
  return {
    first: Int32Array.from(coordinates),
    second: Int32Array.from({ length: to }, (_, target) =>
      at(taps, target, (source) => Math.min(source + 1, from - 1)),
    ),
    share: coordinates.map((value) => value - Math.floor(value)),
  };
}

function at({ sources, weights }: Taps, target: number, numberOf: (source: number) => number): number {
  const [one, two] = [numberOf(sources[target * 2] ?? 0), numberOf(sources[target * 2 + 1] ?? 0)];
  return fround(one * (weights[target * 2] ?? 0) + fround(two * (weights[target * 2 + 1] ?? 0)));
}

interface Pair {
  readonly data: Float32Array;
  readonly one: number;
  readonly two: number;
  readonly step: number;
}

interface Target {
  readonly out: Float32Array;
  readonly to: number;
  readonly step: number;
}

function between(pair: Pair, share: number, channels: number, { out, to, step: toStep }: Target): void {
  const { data, step } = pair;
  const value = (start: number, channel: number) => data[start + channel * step] ?? 0;
  const lengthOf = (start: number) => {
    let sum = 0;
    for (let channel = 0; channel < channels; channel++) {
      sum = fround(sum + fround(value(start, channel) * value(start, channel)));
    }
    return fround(Math.sqrt(sum));
  };
  const [length, other] = [lengthOf(pair.one), lengthOf(pair.two)];
  const direction = (start: number, by: number, channel: number) => (by === 0 ? 0 : fround(value(start, channel) / by));
  let dot = 0;
  for (let channel = 0; channel < channels; channel++) {
    dot = fround(dot + fround(direction(pair.one, length, channel) * direction(pair.two, other, channel)));
  }
  const rest = fround(1 - share);
  const angle = fround(Math.acos(dot));
  const height = fround(Math.sin(angle));
  const [first, second] = [rest, share].map((part) => fround(fround(Math.sin(fround(part * angle))) / height));
  const scale = fround(fround(length * rest) + fround(other * share));
  for (let channel = 0; channel < channels; channel++) {
    const [one, two] = [value(pair.one, channel), value(pair.two, channel)];
    const arc = fround(
      fround((first ?? 0) * direction(pair.one, length, channel)) +
        fround((second ?? 0) * direction(pair.two, other, channel)),
    );
    const straight = fround(fround(one * rest) + fround(two * share));
    const isSame = dot > fround(1 - 1e-5);
    out[to + channel * toStep] = isSame ? one : dot < fround(1e-5 - 1) ? straight : fround(arc * scale);
  }
}
