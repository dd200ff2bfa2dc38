// Growing and shrinking a mask by one pixel: the largest (or smallest) value among the neighbours, with or without the
// diagonal ones. Outside the mask nothing is looked at.
import type { Plane } from "./picture.ts";

export interface GrowOptions {
  readonly isShrinking: boolean;
  readonly withCorners: boolean;
}

// Returns whether anything changed: when not, further steps would change nothing either.
export function growOnce(source: Plane, out: Float32Array, { isShrinking, withCorners }: GrowOptions): boolean {
  const { width, height, data } = source;
  let isChanged = false;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const own = data[at] ?? 0;
      let best = own;
      for (let dy = y > 0 ? -1 : 0; dy <= (y < height - 1 ? 1 : 0); dy++) {
        for (let dx = x > 0 ? -1 : 0; dx <= (x < width - 1 ? 1 : 0); dx++) {
          if (!withCorners && dx !== 0 && dy !== 0) continue;
          const value = data[at + dy * width + dx] ?? 0;
          if (isShrinking ? value < best : value > best) best = value;
        }
      }
      out[at] = best;
      if (best !== own) isChanged = true;
    }
  }
  return isChanged;
}
