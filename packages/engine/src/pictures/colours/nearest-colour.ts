// The nearest colour of a palette; the first of several equally near. As in the application's picture library, colours are only
// distinguished by their upper six bits: all sixty-four of a cell get the colour nearest to its darkest corner. A cell is looked
// up once.
import type { Palette } from "./palette.ts";

const cells = 64 ** 3;

export function nearestColour({ levels }: Palette): (red: number, green: number, blue: number) => number {
  const known = new Int16Array(cells).fill(-1);
  const search = (red: number, green: number, blue: number): number => {
    let [best, least] = [0, Number.POSITIVE_INFINITY];
    for (let at = 0; at < levels.length; at += 3) {
      const [r, g, b] = [(levels[at] ?? 0) - red, (levels[at + 1] ?? 0) - green, (levels[at + 2] ?? 0) - blue];
      const distance = r * r + g * g + b * b;
      if (distance < least) [best, least] = [at, distance];
    }
    return best;
  };
  return (red, green, blue) => {
    const cell = ((red >> 2) << 12) | ((green >> 2) << 6) | (blue >> 2);
    const found = known[cell] ?? -1;
    if (found >= 0) return found;
    const start = search(red & 0xfc, green & 0xfc, blue & 0xfc);
    known[cell] = start;
    return start;
  };
}
