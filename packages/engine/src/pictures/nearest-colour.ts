// The nearest colour of a palette; of several equally near the first. The palette is looked through from the same green
// outwards and no further than another could be nearer; what was asked lately is remembered, since neighbours are alike.
import type { Palette } from "./palette.ts";

const rememberedBits = 16;

export function nearestColour({ levels }: Palette): (red: number, green: number, blue: number) => number {
  const count = levels.length / 3;
  const starts = Int32Array.from({ length: count }, (_, index) => index * 3).sort(
    (one, other) => (levels[one + 1] ?? 0) - (levels[other + 1] ?? 0),
  );
  const firstAtLeast = firstByGreen(starts, levels);
  const keys = new Int32Array(2 ** rememberedBits).fill(-1);
  const answers = new Int32Array(2 ** rememberedBits);
  const search = (red: number, green: number, blue: number): number => {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    const tried = (start: number): boolean => {
      const g = (levels[start + 1] ?? 0) - green;
      if (g * g > least) return false;
      const r = (levels[start] ?? 0) - red;
      const b = (levels[start + 2] ?? 0) - blue;
      const distance = r * r + g * g + b * b;
      if (distance < least || (distance === least && start < best)) {
        best = start;
        least = distance;
      }
      return true;
    };
    const middle = firstAtLeast[green] ?? 0;
    let [below, above] = [middle - 1, middle];
    while (below >= 0 || above < count) {
      if (above < count && !tried(starts[above++] ?? 0)) above = count;
      if (below >= 0 && !tried(starts[below--] ?? 0)) below = -1;
    }
    return best;
  };
  return (red, green, blue) => {
    const key = (red << 16) | (green << 8) | blue;
    const place = Math.imul(key, 0x9e3779b1) >>> (32 - rememberedBits);
    if (keys[place] !== key) {
      keys[place] = key;
      answers[place] = search(red, green, blue);
    }
    return answers[place] ?? 0;
  };
}

function firstByGreen(starts: Int32Array, levels: Uint8Array): Int32Array {
  const first = new Int32Array(256);
  let at = 0;
  for (let green = 0; green < 256; green++) {
    while (at < starts.length && (levels[(starts[at] ?? 0) + 1] ?? 0) < green) at++;
    first[green] = at;
  }
  return first;
}
