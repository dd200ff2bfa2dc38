// Converts videos and pictures with chroma subsampling (4:2:0) to RGB, exactly like the application's video library where it has
// no shortcut: with more than 8 bits, or with an odd number of rows. Chroma is interpolated from the two nearest columns, then
// from the two nearest rows. With an even width a pair of columns shares its chroma, and the rest is a look-up in 8 bits; with
// an odd one it is computed. We use the installed ffmpeg only to decode, because its older versions take the nearer chroma row,
// or the mean of both.

import { bitDepthOf, type VideoStream } from "./probe-media.ts";

type StoredColours = Pick<
  VideoStream,
  "width" | "height" | "pixelFormat" | "chromaLocation" | "colorSpace" | "isFullRange"
>;

// Whether we convert this one.
export const isMixedHere = ({ pixelFormat, height }: StoredColours): boolean =>
  /^yuvj?420p$/.test(pixelFormat) ? height % 2 === 1 : /^yuv420p(?:9|1[024])le$/.test(pixelFormat);

type Samples = Uint8Array | Uint16Array;
// For all frames: luma in 15 bits, a pixel's chroma, and the resulting colour.
type Paint = (light: number, blue: number, red: number, out: Buffer, at: number) => void;

const bits = 15;
const isOdd = ({ width }: StoredColours): boolean => width % 2 === 1;

// Takes the planes of one frame after the other, as stored. Returns three bytes per pixel.
export function coloursOf(raw: Buffer, stored: StoredColours): Buffer {
  const { width, height } = stored;
  const depth = bitDepthOf(stored.pixelFormat);
  const [across, down] = [Math.ceil(width / 2), Math.ceil(height / 2)];
  const [light, colour] = [width * height, across * down];
  const samples = samplesOf(raw, depth);
  const frames = Math.floor(samples.length / (light + 2 * colour));
  const out = Buffer.alloc(frames * light * 3);
  const location = locationOf(stored);
  const wide = isOdd(stored) ? width : across;
  const columns = sharesOf(across, wide, location.across, 2 ** 14);
  const rows = sharesOf(down, height, location.down, 2 ** 12);
  const paint = isOdd(stored) ? computed(stored) : lookedUp(stored);
  for (let frame = 0, at = 0; frame < frames; frame++) {
    const start = frame * (light + 2 * colour);
    const [blues = empty, reds = empty] = [0, 1].map((plane) => {
      const from = start + light + plane * colour;
      return mixedColumns(samples.subarray(from, from + colour), across, columns, depth);
    });
    for (let y = 0; y < height; y++) {
      const { first, second, next } = rows[y] ?? edge;
      const [above, below] = [first * wide, second * wide];
      for (let x = 0; x < width; x++, at++) {
        const column = wide === width ? x : x >> 1;
        const blue = (blues[above + column] ?? 0) * (4096 - next) + (blues[below + column] ?? 0) * next;
        const red = (reds[above + column] ?? 0) * (4096 - next) + (reds[below + column] ?? 0) * next;
        paint((samples[start + y * width + x] ?? 0) << (bits - depth), blue, red, out, at * 3);
      }
    }
  }
  return out;
}

const empty = new Int16Array();

function samplesOf(raw: Buffer, depth: number): Samples {
  if (depth <= 8) return raw;
  const whole = raw.length - (raw.length % 2);
  return new Uint16Array(raw.buffer.slice(raw.byteOffset, raw.byteOffset + whole));
}

// In 256ths of a luma pixel, from the centre of the first; if unspecified, in the middle of the four.
function locationOf({ chromaLocation }: StoredColours): { readonly across: number; readonly down: number } {
  const isLeft = /left$/.test(chromaLocation);
  const down = /^top/.test(chromaLocation) ? 0 : /^bottom/.test(chromaLocation) ? 256 : 128;
  return { across: isLeft ? 0 : 128, down };
}

interface Share {
  readonly first: number;
  readonly second: number;
  // The weight of the second.
  readonly next: number;
}

const edge: Share = { first: 0, second: 0, next: 0 };

// In steps of 2⁻¹⁷ of a row or column, as the library counts.
const step = 2 ** 17;

function sharesOf(from: number, to: number, location: number, unit: number): Share[] {
  const increment = Math.floor((from * 2 ** 16 + (to >> 1)) / to);
  const start = increment - ((location + 128) >> 1) * 512;
  const within = (at: number) => Math.min(Math.max(at, 0), from - 1);
  return Array.from({ length: to }, (_, index) => {
    const position = start + 2 * increment * index;
    const first = Math.floor(position / step);
    const rest = position - first * step;
    const next = unit - Math.floor(((step - rest) * unit + step / 2) / step);
    return { first: within(first), second: within(first + 1), next };
  });
}

// In 15 bits.
function mixedColumns(plane: Samples, width: number, columns: readonly Share[], depth: number): Int16Array {
  const rows = plane.length / width;
  const out = new Int16Array(rows * columns.length);
  for (let y = 0, at = 0; y < rows; y++) {
    for (const { first, second, next } of columns) {
      const sum = (plane[y * width + first] ?? 0) * (2 ** 14 - next) + (plane[y * width + second] ?? 0) * next;
      out[at++] = Math.min(sum >> (depth - 1), 2 ** bits - 1);
    }
  }
  return out;
}

// Red from Cr, blue from Cb, green from Cb and from Cr, in 2¹⁶ths.
const matrices: Readonly<Record<string, readonly [number, number, number, number]>> = {
  bt709: [117_489, 138_438, 13_975, 34_925],
  fcc: [104_448, 132_798, 24_759, 53_109],
  smpte240m: [117_579, 136_230, 16_907, 35_559],
  bt2020nc: [110_013, 140_363, 12_277, 42_626],
  bt2020c: [110_013, 140_363, 12_277, 42_626],
};
const usual = [104_597, 132_201, 25_675, 53_279] as const;

const one = 2 ** 16;

function factorsOf({ colorSpace, isFullRange }: StoredColours) {
  const [red, blue, greenOfBlue, greenOfRed] = matrices[colorSpace] ?? usual;
  const factors = [red, blue, -greenOfBlue, -greenOfRed].map((factor) =>
    isFullRange ? Math.trunc((factor * 224) / 255) : factor,
  );
  return { contrast: isFullRange ? one : Math.trunc((one * 255) / 219), factors };
}

// How far chroma can push luma out of range at either end.
const beyond = 1024;
const toByte = (value: number): number => Math.min(Math.max(value, 0), 255);

// Chroma shifts the luma by a whole number of levels; one table for all three colours holds the results.
function lookedUp(stored: StoredColours): Paint {
  const { contrast, factors } = factorsOf(stored);
  const empty = new Int32Array(256);
  const moves = factors.map((factor) => {
    const by = Math.trunc((factor * one + one / 2) / contrast);
    return empty.map((_, level) => Math.floor((level * by) / one) - Math.floor(by / 512));
  });
  const [redOf = empty, blueOf = empty, greenOfBlue = empty, greenOfRed = empty] = moves;
  const start = (stored.isFullRange ? 384 : 326) * contrast - (stored.isFullRange ? 384 : 400) * one;
  const table = Uint8Array.from({ length: 2 * beyond + 257 }, (_, at) =>
    toByte(Math.floor((start + (at - beyond) * contrast + one / 2) / one)),
  );
  return (light, blue, red, out, at) => {
    const level = beyond + ((light + 64) >> 7);
    const [cb, cr] = [toByte((blue + 2 ** 18) >> 19), toByte((red + 2 ** 18) >> 19)];
    out[at] = table[level + (redOf[cr] ?? 0)] ?? 0;
    out[at + 1] = table[level + (greenOfBlue[cb] ?? 0) + (greenOfRed[cr] ?? 0)] ?? 0;
    out[at + 2] = table[level + (blueOf[cb] ?? 0)] ?? 0;
  };
}

function computed(stored: StoredColours): Paint {
  const { contrast, factors } = factorsOf(stored);
  const rounded = (value: number) => Math.floor((value * 2 ** 13 + one / 2) / one);
  const [redOf = 0, blueOf = 0, greenOfBlue = 0, greenOfRed = 0] = factors.map(rounded);
  const [dark, by] = [stored.isFullRange ? 0 : 16 * 512, rounded(contrast)];
  // The brightest colours overflow 32 bits here, and come out dark.
  const level = (value: number) => toByte((value | 0) >> 22);
  return (light, blue, red, out, at) => {
    const sum = (light * 4 - dark) * by + 2 ** 21;
    const [cb, cr] = [(blue - 2 ** 26) >> 10, (red - 2 ** 26) >> 10];
    out[at] = level(sum + cr * redOf);
    out[at + 1] = level(sum + cr * greenOfRed + cb * greenOfBlue);
    out[at + 2] = level(sum + cb * blueOf);
  };
}
