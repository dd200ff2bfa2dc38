// A palette by median cut: the box with most pixels is cut at its median along its longest side (green counts most, blue
// least) until there are enough boxes; a colour is the mean of its box. A picture with few colours keeps them exactly.
export interface Palette {
  // Red, green, blue of each colour.
  readonly levels: Uint8Array;
}

interface Entry {
  readonly rgb: readonly [number, number, number];
  readonly count: number;
}

const axisWeights = [77, 150, 29] as const;

export function paletteOf(pixels: Uint8Array, colours: number): Palette {
  const counts = new Map<number, number>();
  for (let at = 0; at + 2 < pixels.length; at += 3) {
    const key = ((pixels[at] ?? 0) << 16) | ((pixels[at + 1] ?? 0) << 8) | (pixels[at + 2] ?? 0);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const entries = Array.from(
    counts,
    ([key, count]): Entry => ({ rgb: [key >> 16, (key >> 8) & 255, key & 255], count }),
  );
  const boxes = [entries];
  while (boxes.length < colours) {
    const next = largest(boxes);
    if (next < 0) break;
    const [box] = boxes.splice(next, 1);
    boxes.push(...cut(box ?? []));
  }
  return { levels: Uint8Array.from(boxes.flatMap(meanOf)) };
}

function largest(boxes: readonly (readonly Entry[])[]): number {
  let best = -1;
  let most = 0;
  for (const [index, box] of boxes.entries()) {
    const pixels = box.length < 2 ? 0 : box.reduce((sum, entry) => sum + entry.count, 0);
    if (pixels > most) [best, most] = [index, pixels];
  }
  return best;
}

function cut(box: readonly Entry[]): [Entry[], Entry[]] {
  const axis = longestAxis(box);
  const sorted = box.toSorted((one, other) => one.rgb[axis] - other.rgb[axis]);
  const half = sorted.reduce((sum, entry) => sum + entry.count, 0) / 2;
  let passed = 0;
  let at = 0;
  while (at < sorted.length - 1 && (at === 0 || passed + (sorted[at]?.count ?? 0) <= half))
    passed += sorted[at++]?.count ?? 0;
  return [sorted.slice(0, at), sorted.slice(at)];
}

function longestAxis(box: readonly Entry[]): 0 | 1 | 2 {
  const spans = ([0, 1, 2] as const).map((axis) => {
    let [least, most] = [255, 0];
    for (const { rgb } of box) {
      least = Math.min(least, rgb[axis]);
      most = Math.max(most, rgb[axis]);
    }
    return (most - least) * axisWeights[axis];
  });
  const [red = 0, green = 0, blue = 0] = spans;
  if (green >= red && green >= blue) return 1;
  return red >= blue ? 0 : 2;
}

function meanOf(box: readonly Entry[]): number[] {
  const pixels = box.reduce((sum, entry) => sum + entry.count, 0);
  return ([0, 1, 2] as const).map((axis) =>
    Math.floor(box.reduce((sum, { rgb, count }) => sum + rgb[axis] * count, 0) / Math.max(pixels, 1) + 0.5),
  );
}

// The nearest colour of the palette, remembered, since neighbours are alike.
export function nearestColour({ levels }: Palette): (red: number, green: number, blue: number) => number {
  const known = new Map<number, number>();
  return (red, green, blue) => {
    const key = (red << 16) | (green << 8) | blue;
    const found = known.get(key);
    if (found !== undefined) return found;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let at = 0; at < levels.length; at += 3) {
      const r = (levels[at] ?? 0) - red;
      const g = (levels[at + 1] ?? 0) - green;
      const b = (levels[at + 2] ?? 0) - blue;
      const distance = r * r + g * g + b * b;
      if (distance < least) [best, least] = [at, distance];
    }
    known.set(key, best);
    return best;
  };
}
