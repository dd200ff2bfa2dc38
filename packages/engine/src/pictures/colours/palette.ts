// A palette by median cut, as the application's picture library makes it: we cut the box with the most pixels at its median
// along its longest side (green counts most, blue least), always between two levels, until there are enough boxes; a colour is
// the mean of its box. If there are more than 65,536 colours, we distinguish them by fewer bits.
import { type CountedColours, countColours } from "./count-colours.ts";
import { LargestFirst } from "./largest-first.ts";

export interface Palette {
  // Red, green, blue of each colour.
  readonly levels: Uint8Array;
}

// A range in the order of the colours.
interface Box {
  readonly start: number;
  readonly end: number;
  readonly pixels: number;
  parts: readonly [Box, Box] | null;
}

const axisWeights = [77, 150, 29] as const;
type Axis = 0 | 1 | 2;
const axes = [0, 1, 2] as const;
const coloursMax = 65_536;

export function paletteOf(pixels: Uint8Array, colours: number): Palette {
  const counted = countColours(pixels);
  const cutter = new Cutter(counted, droppedBits(counted));
  const whole = cutter.whole();
  const waiting = new LargestFirst<Box>((box) => box.pixels);
  waiting.add(whole);
  for (let count = 1; count < colours; count++) {
    let next = waiting.take();
    while (next && cutter.isOneColour(next)) next = waiting.take();
    if (!next) break;
    next.parts = cutter.cut(next);
    for (const part of next.parts) waiting.add(part);
  }
  return { levels: Uint8Array.from(leavesOf(whole).flatMap((box) => cutter.meanOf(box))) };
}

// The brighter part first, all the way down: that is the order of the palette, and the first of equally near colours wins.
function leavesOf(box: Box): Box[] {
  return box.parts ? box.parts.flatMap(leavesOf) : box.end > box.start ? [box] : [];
}

function droppedBits({ keys }: CountedColours): number {
  let bits = 0;
  while (bits < 8 && distinct(keys, bits) > coloursMax) bits += 1;
  return bits;
}

function distinct(keys: Int32Array, bits: number): number {
  if (bits === 0) return keys.length;
  const mask = (0xff >> bits) << bits;
  const seen = new Uint8Array(2 ** 24);
  let count = 0;
  for (const key of keys) {
    const coarse = key & ((mask << 16) | (mask << 8) | mask);
    if (seen[coarse] === 0) count += 1;
    seen[coarse] = 1;
  }
  return count;
}

class Cutter {
  readonly #keys: Int32Array;
  readonly #counts: Int32Array;
  readonly #order: Int32Array;
  readonly #sorted: Int32Array;
  readonly #dropped: number;

  constructor({ keys, counts }: CountedColours, dropped: number) {
    this.#keys = keys;
    this.#counts = counts;
    this.#order = Int32Array.from(keys.keys());
    this.#sorted = new Int32Array(keys.length);
    this.#dropped = dropped;
  }

  whole(): Box {
    return { start: 0, end: this.#order.length, pixels: this.#count(0, this.#order.length), parts: null };
  }

  isOneColour({ start, end }: Box): boolean {
    return axes.every((axis) => this.#span(start, end, axis) === 0);
  }

  // From the brightest level down, until more than half of the pixels are passed. A level is never divided, and neither part is
  // empty.
  cut({ start, end, pixels }: Box): [Box, Box] {
    const axis = this.#longestAxis(start, end);
    this.#sort(start, end, axis);
    let at = start;
    let passed = 0;
    while (at < end && passed * 2 <= pixels) passed += this.#countAt(at++);
    while (at < end && this.#levelAt(at, axis) === this.#levelAt(at - 1, axis)) at += 1;
    if (at === end) while (this.#levelAt(at - 1, axis) === this.#levelAt(end - 1, axis)) at -= 1;
    const left = this.#count(start, at);
    return [
      { start, end: at, pixels: left, parts: null },
      { start: at, end, pixels: pixels - left, parts: null },
    ];
  }

  meanOf({ start, end, pixels }: Box): number[] {
    return axes.map((axis) => {
      let sum = 0;
      for (let at = start; at < end; at++) {
        sum += (((this.#keys[this.#order[at] ?? 0] ?? 0) >> (16 - axis * 8)) & 255) * this.#countAt(at);
      }
      return Math.floor(0.5 + sum / pixels);
    });
  }

  #count(start: number, end: number): number {
    let pixels = 0;
    for (let at = start; at < end; at++) pixels += this.#countAt(at);
    return pixels;
  }

  #countAt(at: number): number {
    return this.#counts[this.#order[at] ?? 0] ?? 0;
  }

  #levelAt(at: number, axis: Axis): number {
    return (((this.#keys[this.#order[at] ?? 0] ?? 0) >> (16 - axis * 8)) & 255) >> this.#dropped;
  }

  // A counting sort over the 256 levels, brightest first.
  #sort(start: number, end: number, axis: Axis): void {
    const levels = new Int32Array(257);
    const levelAt = (at: number) => 255 - this.#levelAt(at, axis);
    for (let at = start; at < end; at++) {
      const position = levelAt(at) + 1;
      levels[position] = (levels[position] ?? 0) + 1;
    }
    for (let position = 1; position < 257; position++)
      levels[position] = (levels[position] ?? 0) + (levels[position - 1] ?? 0);
    for (let at = start; at < end; at++) {
      const from = levelAt(at);
      const position = levels[from] ?? 0;
      levels[from] = position + 1;
      this.#sorted[position] = this.#order[at] ?? 0;
    }
    this.#order.set(this.#sorted.subarray(0, end - start), start);
  }

  #span(start: number, end: number, axis: Axis): number {
    let [least, most] = [255, 0];
    for (let at = start; at < end; at++) {
      const level = this.#levelAt(at, axis);
      if (level < least) least = level;
      if (level > most) most = level;
    }
    return Math.max(most - least, 0);
  }

  #longestAxis(start: number, end: number): Axis {
    let best: { readonly axis: Axis; readonly span: number } = { axis: 0, span: -1 };
    for (const axis of axes) {
      const span = this.#span(start, end, axis) * axisWeights[axis];
      if (span > best.span) best = { axis, span };
    }
    return best.axis;
  }
}
