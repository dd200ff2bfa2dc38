// Grows or shrinks a mask by one pixel: the largest (or smallest) value among the neighbours, with or without the diagonal ones.
// Pixels outside the mask are ignored. Shrinking is growing the negative.
import type { Plane } from "./picture.ts";

interface GrowOptions {
  readonly isShrinking: boolean;
  readonly withCorners: boolean;
}

// Returns whether anything changed: if not, further steps would change nothing either.
export function growOnce({ width, height, data }: Plane, out: Float32Array, options: GrowOptions): boolean {
  const sign = options.isShrinking ? -1 : 1;
  const row = (y: number) => data.subarray(y * width, (y + 1) * width);
  const wide = [0, 1, 2].map(() => new Float32Array(width));
  let [above, here, below] = [wide[0] ?? row(0), wide[1] ?? row(0), wide[2] ?? row(0)];
  widen(row(0), here, sign);
  above.set(here);
  let isChanged = false;
  for (let y = 0; y < height; y++) {
    const next = Math.min(y + 1, height - 1);
    widen(row(next), below, sign);
    const [up, down] = options.withCorners ? [above, below] : [row(Math.max(y - 1, 0)), row(next)];
    if (join(up, here, down, row(y), out.subarray(y * width, (y + 1) * width), sign)) isChanged = true;
    [above, here, below] = [here, below, above];
  }
  return isChanged;
}

// The largest of a value and its left and right neighbours.
function widen(row: Float32Array, out: Float32Array, sign: number): void {
  const last = row.length - 1;
  for (let x = 0; x <= last; x++) {
    let best = row[x] ?? 0;
    const left = row[x === 0 ? 0 : x - 1] ?? 0;
    const right = row[x === last ? last : x + 1] ?? 0;
    if (sign * left > sign * best) best = left;
    if (sign * right > sign * best) best = right;
    out[x] = best;
  }
}

function join(
  up: Float32Array,
  here: Float32Array,
  down: Float32Array,
  before: Float32Array,
  out: Float32Array,
  sign: number,
): boolean {
  let isChanged = false;
  for (let x = 0; x < out.length; x++) {
    let best = here[x] ?? 0;
    const above = up[x] ?? 0;
    const below = down[x] ?? 0;
    if (sign * above > sign * best) best = above;
    if (sign * below > sign * best) best = below;
    out[x] = best;
    if (best !== before[x]) isChanged = true;
  }
  return isChanged;
}
