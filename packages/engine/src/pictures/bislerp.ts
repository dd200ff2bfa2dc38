// Between two latent pixels along the arc, not along the chord: across, then down. Lengths are interpolated apart from
// directions. Every step is in 32 bits; arc cosine and sine are the nearest floats, which the application's are not always.
import type { Size } from "./picture.ts";
import { linearTaps, type Taps } from "./taps.ts";
import type { Floats, Tensor } from "./tensor.ts";

const { fround } = Math;

export function bislerp({ shape, data }: Tensor, size: Size, floats: Floats): Tensor {
  const [batch = 0, channels = 0, height = 0, width = 0] = shape;
  const across = floats(batch * channels * height * size.width);
  const out = floats(batch * channels * size.height * size.width);
  const columns = positions(width, size.width);
  const rows = positions(height, size.height);
  for (let index = 0; index < batch; index++) {
    const [from, middle, to] = [
      index * channels * height * width,
      index * channels * height * size.width,
      index * channels * size.height * size.width,
    ];
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < size.width; x++) {
        const [one, two] = [columns.first[x] ?? 0, columns.second[x] ?? 0].map((column) => from + y * width + column);
        const location = { data, one: one ?? 0, two: two ?? 0, step: height * width };
        between(location, columns.share[x] ?? 0, channels, across, middle + y * size.width + x, height * size.width);
      }
    }
    for (let y = 0; y < size.height; y++) {
      for (let x = 0; x < size.width; x++) {
        const [one, two] = [rows.first[y] ?? 0, rows.second[y] ?? 0].map((row) => middle + row * size.width + x);
        const location = { data: across, one: one ?? 0, two: two ?? 0, step: height * size.width };
        between(location, rows.share[y] ?? 0, channels, out, to + y * size.width + x, size.height * size.width);
      }
    }
  }
  return { shape: [batch, channels, size.height, size.width], data: out };
}

interface Positions {
  readonly first: Int32Array;
  readonly second: Int32Array;
  readonly share: Float32Array;
}

// The application scales the numbers 0, 1, 2, … themselves and reads positions and shares off them.
function positions(from: number, to: number): Positions {
  const taps = linearTaps(from, to, 1 + to <= 128);
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

function between(pair: Pair, share: number, channels: number, out: Float32Array, to: number, toStep: number): void {
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
