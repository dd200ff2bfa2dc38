// Lines of heights: hills, mountains, dunes, and rows of firs along them.
import type { Canvas } from "../canvas.ts";
import type { Noise } from "../noise.ts";
import { speckle } from "../random.ts";

export type RidgeKind = "hill" | "mountain" | "dune";

export interface Ridge {
  readonly kind: RidgeKind;
  // Units from the top.
  readonly base: number;
  readonly tall: number;
  readonly frequency: number;
  readonly offset: number;
  readonly lane: number;
}

// For each of a stack of lines (far to near): from where the nearer ones cover everything, with two pixels to spare for their
// soft edges. Painting stops there, so that a far hill costs only its visible part.
export function coveredFrom(canvas: Canvas, lines: readonly Float32Array[]): Float32Array[] {
  const covers: Float32Array[] = [];
  let nearest = new Float32Array(canvas.width).fill(canvas.bottom + 1);
  for (const line of lines.toReversed()) {
    covers.unshift(nearest);
    nearest = nearest.map((value, column) => Math.min(value, (line[column] ?? 0) + 2 / canvas.unit));
  }
  return covers;
}

export function ridgeLine(canvas: Canvas, noise: Noise, ridge: Ridge): Float32Array {
  const line = new Float32Array(canvas.width);
  for (let column = 0; column < canvas.width; column++) {
    const x = (column / canvas.unit) * ridge.frequency + ridge.offset;
    line[column] = ridge.base - ridge.tall * riseAt(noise, ridge, x);
  }
  return line;
}

function riseAt(noise: Noise, { kind, lane }: Ridge, x: number): number {
  if (kind === "mountain") {
    const massif = 0.5 + 0.5 * noise.at(x * 0.45, lane);
    return noise.ridged(x, lane + 0.37, 6) * (0.55 + 0.75 * massif) - 0.25;
  }
  if (kind === "dune") {
    const crest = 1 - Math.abs(noise.at(x * 0.8, lane));
    return crest * crest * 0.9 + 0.12 * noise.at(x * 2.1, lane + 5) - 0.3;
  }
  return 0.5 + noise.fractal(x, lane, 4) * 1.15;
}

// Raises a line by a row of firs; the height of a tree is in units.
export function withFirs(
  canvas: Canvas,
  line: Float32Array,
  firs: { readonly tall: number; readonly density: number; readonly salt: number },
): Float32Array {
  const grown = Float32Array.from(line);
  const spacing = firs.tall / firs.density;
  const count = Math.ceil(canvas.right / spacing) + 2;
  for (let index = -1; index < count; index++) {
    const x = (index + speckle(index, 1, firs.salt)) * spacing;
    if (speckle(index, 4, firs.salt) < 0.12) continue;
    growFir(canvas, line, grown, x, firs.tall * (0.45 + 0.75 * speckle(index, 2, firs.salt)));
  }
  return grown;
}

function growFir(canvas: Canvas, ground: Float32Array, grown: Float32Array, x: number, tall: number): void {
  const half = tall * 0.165;
  const from = Math.max(0, Math.floor((x - half) * canvas.unit));
  const to = Math.min(canvas.width - 1, Math.ceil((x + half) * canvas.unit));
  const root = ground[Math.min(canvas.width - 1, Math.max(0, Math.round(x * canvas.unit)))] ?? 0;
  for (let column = from; column <= to; column++) {
    const across = (column / canvas.unit - x) / half;
    const side = Math.abs(across);
    if (side > 1) continue;
    // Boughs: each tier falls outward and is a little longer than the one above it; the two sides differ.
    const tier = side * 7 + (across > 0 ? 0.35 : 0);
    const within = tier - Math.floor(tier);
    const step = (Math.floor(tier) + 0.25 + 0.75 * within ** 1.8) / 7.4;
    const top = root + tall * 0.05 - tall * (1 - step) ** 1.12 * (side < 0.05 ? 1.05 : 1);
    if (top < (grown[column] ?? 0)) grown[column] = top;
  }
}
