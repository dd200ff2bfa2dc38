// A palette by median cut: the box with most pixels is cut at its median along its longest side (green counts most, blue
// least) until there are enough boxes; a colour is the mean of its box. A picture with few colours keeps them exactly.
import { type CountedColours, countColours } from "./count-colours.ts";

export interface Palette {
  // Red, green, blue of each colour.
  readonly levels: Uint8Array;
}

// A stretch of the order in which the colours stand.
interface Box {
  readonly start: number;
  readonly end: number;
  readonly pixels: number;
}

const axisWeights = [77, 150, 29] as const;
type Axis = 0 | 1 | 2;

export function paletteOf(pixels: Uint8Array, colours: number): Palette {
  const cutter = new Cutter(countColours(pixels));
  let boxes = [cutter.whole()];
  while (boxes.length < colours) {
    const next = largest(boxes);
    if (!next) break;
    boxes = [...boxes.filter((box) => box !== next), ...cutter.cut(next)];
  }
  return { levels: Uint8Array.from(boxes.flatMap((box) => cutter.meanOf(box))) };
}

// The first of those with most pixels; one colour cannot be cut.
function largest(boxes: readonly Box[]): Box | null {
  let best: Box | null = null;
  for (const box of boxes) if (box.end - box.start > 1 && box.pixels > (best?.pixels ?? 0)) best = box;
  return best;
}

class Cutter {
  readonly #keys: Int32Array;
  readonly #counts: Int32Array;
  readonly #order: Int32Array;
  readonly #sorted: Int32Array;

  constructor({ keys, counts }: CountedColours) {
    this.#keys = keys;
    this.#counts = counts;
    this.#order = Int32Array.from(keys.keys());
    this.#sorted = new Int32Array(keys.length);
  }

  whole(): Box {
    return this.#box(0, this.#order.length);
  }

  cut({ start, end, pixels }: Box): [Box, Box] {
    this.#sort(start, end, this.#longestAxis(start, end));
    let passed = 0;
    let at = start;
    while (at < end - 1 && (at === start || passed + this.#countAt(at) <= pixels / 2)) passed += this.#countAt(at++);
    return [
      { start, end: at, pixels: passed },
      { start: at, end, pixels: pixels - passed },
    ];
  }

  meanOf({ start, end, pixels }: Box): number[] {
    return ([0, 1, 2] as const).map((axis) => {
      let sum = 0;
      for (let at = start; at < end; at++) sum += this.#levelAt(at, axis) * this.#countAt(at);
      return Math.floor(sum / Math.max(pixels, 1) + 0.5);
    });
  }

  #box(start: number, end: number): Box {
    let pixels = 0;
    for (let at = start; at < end; at++) pixels += this.#countAt(at);
    return { start, end, pixels };
  }

  #countAt(at: number): number {
    return this.#counts[this.#order[at] ?? 0] ?? 0;
  }

  #levelAt(at: number, axis: Axis): number {
    return ((this.#keys[this.#order[at] ?? 0] ?? 0) >> (16 - axis * 8)) & 255;
  }

  // There are only 256 places; those on the same one stay in their order.
  #sort(start: number, end: number, axis: Axis): void {
    const places = new Int32Array(257);
    for (let at = start; at < end; at++) {
      const level = this.#levelAt(at, axis) + 1;
      places[level] = (places[level] ?? 0) + 1;
    }
    for (let level = 1; level < 257; level++) places[level] = (places[level] ?? 0) + (places[level - 1] ?? 0);
    for (let at = start; at < end; at++) {
      const level = this.#levelAt(at, axis);
      const place = places[level] ?? 0;
      places[level] = place + 1;
      this.#sorted[place] = this.#order[at] ?? 0;
    }
    this.#order.set(this.#sorted.subarray(0, end - start), start);
  }

  #longestAxis(start: number, end: number): Axis {
    const spans = ([0, 1, 2] as const).map((axis) => {
      let [least, most] = [255, 0];
      for (let at = start; at < end; at++) {
        const level = this.#levelAt(at, axis);
        if (level < least) least = level;
        if (level > most) most = level;
      }
      return (most - least) * axisWeights[axis];
    });
    const [red = 0, green = 0, blue = 0] = spans;
    if (green >= red && green >= blue) return 1;
    return red >= blue ? 0 : 2;
  }
}
