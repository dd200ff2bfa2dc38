// Composites one plane over another through a mask: mask × source + (1 − mask) × destination, each step in 32 bits.
import type { Plane } from "./picture.ts";

const f = Math.fround;

// `target` already holds the destination. A mask has the source's size; without one the source simply covers.
export function layOver(target: Plane, source: Plane, mask: Plane | null, x: number, y: number): void {
  const { channels } = target;
  const width = Math.min(source.width, target.width - x);
  const height = Math.min(source.height, target.height - y);
  for (let row = 0; row < height; row++) {
    let to = ((y + row) * target.width + x) * channels;
    let from = row * source.width * channels;
    if (!mask) {
      if (width > 0) target.data.set(source.data.subarray(from, from + width * channels), to);
      continue;
    }
    for (let column = 0; column < width; column++) {
      const share = mask.data[row * mask.width + column] ?? 0;
      const rest = f(1 - share);
      for (let channel = 0; channel < channels; channel++, to++, from++) {
        target.data[to] = f(f(share * (source.data[from] ?? 0)) + f(rest * (target.data[to] ?? 0)));
      }
    }
  }
}
