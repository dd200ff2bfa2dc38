// Canny edge detection: grey, a small blur, Sobel gradients, non-maximum suppression, then strong edges and the weak ones
// connected to them. Every step in 32 bits.
import { convolve } from "./blur.ts";
import { type Plane, roundHalfEven } from "./picture.ts";

const { fround } = Math;
const greyWeights = Float32Array.of(0.299, 0.587, 0.114);
const least = fround(1e-6);
// In eighths of a turn, from the right, clockwise.
const neighbours = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;

export function edgesOf(source: Plane, low: number, high: number): Float32Array {
  const { width, height } = source;
  const grey = { width, height, channels: 1, data: greyOf(source) };
  const blurred = blur(grey);
  const { strength, direction } = slopes({ ...grey, data: blurred });
  const crest = crests({ ...grey, data: strength }, direction);
  return connected(crest, width, height, fround(low), fround(high));
}

function greyOf({ width, height, channels, data }: Plane): Float32Array {
  if (channels === 1) return data;
  const [red = 0, green = 0, blue = 0] = greyWeights;
  return Float32Array.from({ length: width * height }, (_, pixel) => {
    const at = pixel * channels;
    const two = fround(fround(red * (data[at] ?? 0)) + fround(green * (data[at + 1] ?? 0)));
    return two + fround(blue * (data[at + 2] ?? 0));
  });
}

// Five by five with a sigma of 1, horizontally and then vertically.
function blur(source: Plane): Float32Array {
  const raw = Float32Array.of(-2, -0.5, 0, -0.5, -2).map((exponent) => Math.exp(exponent));
  const sum = raw.reduce((total, weight) => fround(total + weight), 0);
  const weights = raw.map((weight) => weight / sum);
  const kernel = (offsetOf: (index: number) => number) => {
    const out = new Float32Array(25);
    for (const [index, weight] of weights.entries()) out[offsetOf(index)] = weight;
    return out;
  };
  const [across, out] = [new Float32Array(source.data.length), new Float32Array(source.data.length)];
  convolve(
    source,
    across,
    kernel((index) => 10 + index),
  );
  convolve(
    { ...source, data: across },
    out,
    kernel((index) => index * 5 + 2),
  );
  return out;
}

interface Slopes {
  readonly strength: Float32Array;
  // In eighths of a turn, 0 to 7.
  readonly direction: Uint8Array;
}

function slopes({ width, height, data }: Plane): Slopes {
  const strength = new Float32Array(width * height);
  const direction = new Uint8Array(width * height);
  const at = (x: number, y: number) =>
    data[Math.min(Math.max(y, 0), height - 1) * width + Math.min(Math.max(x, 0), width - 1)] ?? 0;
  const sum = (...terms: readonly number[]) => terms.reduce((total, term) => fround(total + term), 0);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [left, right, up, down] = [x - 1, x + 1, y - 1, y + 1];
      const across = sum(
        -at(left, up),
        at(right, up),
        -2 * at(left, y),
        2 * at(right, y),
        -at(left, down),
        at(right, down),
      );
      const along = sum(
        -at(left, up),
        -2 * at(x, up),
        -at(right, up),
        at(left, down),
        2 * at(x, down),
        at(right, down),
      );
      strength[y * width + x] = Math.sqrt(fround(fround(fround(across * across) + fround(along * along)) + least));
      const angle = fround(fround(Math.atan2(along, across)) * fround(4 / Math.PI));
      direction[y * width + x] = (roundHalfEven(angle) + 8) % 8;
    }
  }
  return { strength, direction };
}

// Keeps only what is stronger than both neighbours along its gradient; outside the picture everything is zero.
function crests({ width, height, data }: Plane, direction: Uint8Array): Float32Array {
  const at = (x: number, y: number) => (x < 0 || y < 0 || x >= width || y >= height ? 0 : (data[y * width + x] ?? 0));
  return data.map((strength, position) => {
    const [x, y] = [position % width, Math.floor(position / width)];
    const eighth = direction[position] ?? 0;
    const isCrest = [eighth, (eighth + 4) % 8].every((towards) => {
      const [dx, dy] = neighbours[towards] ?? [0, 0];
      return strength > at(x + dx, y + dy);
    });
    return isCrest ? strength : 0;
  });
}

function connected(crest: Float32Array, width: number, height: number, low: number, high: number): Float32Array {
  const out = new Float32Array(crest.length);
  const waiting: number[] = [];
  for (const [position, strength] of crest.entries()) {
    if (!(strength > high)) continue;
    out[position] = 1;
    waiting.push(position);
  }
  for (let position = waiting.pop(); position !== undefined; position = waiting.pop()) {
    const [x, y] = [position % width, Math.floor(position / width)];
    for (const [dx, dy] of neighbours) {
      const [toX, toY] = [x + dx, y + dy];
      const to = toY * width + toX;
      if (toX < 0 || toY < 0 || toX >= width || toY >= height || out[to] === 1 || !((crest[to] ?? 0) > low)) continue;
      out[to] = 1;
      waiting.push(to);
    }
  }
  return out;
}
