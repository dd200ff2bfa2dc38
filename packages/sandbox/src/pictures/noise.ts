// Smooth noise over the plane: hills, clouds, stone and silk all come from it.
import type { Random } from "./random.ts";

export interface Noise {
  // From about −1 to 1.
  at(x: number, y: number): number;
  // Octaves added up, each twice as fine and half as strong; from about −1 to 1.
  fractal(x: number, y: number, octaves: number): number;
  // Sharp crests instead of round ones; from 0 to 1.
  ridged(x: number, y: number, octaves: number): number;
}

const directions = 64;

interface Lattice {
  // The numbers below 256 in some order, twice.
  readonly order: Uint8Array;
  // The slope of each lattice point, for a single look-up.
  readonly slopesX: Float64Array;
  readonly slopesY: Float64Array;
}

function latticeFrom(random: Random): Lattice {
  const order = new Uint8Array(512);
  for (let i = 0; i < 256; i++) order[i] = i;
  for (let i = 255; i > 0; i--) {
    const j = Math.floor(random.next() * (i + 1));
    const kept = order[i] ?? 0;
    order[i] = order[j] ?? 0;
    order[j] = kept;
  }
  order.copyWithin(256, 0, 256);
  const angles = Float64Array.from(order, (position) => ((position % directions) / directions) * Math.PI * 2);
  return {
    order,
    slopesX: angles.map((angle) => Math.cos(angle) * 1.5),
    slopesY: angles.map((angle) => Math.sin(angle) * 1.5),
  };
}

export function noiseFrom(random: Random): Noise {
  const { order, slopesX, slopesY } = latticeFrom(random);
  const at = (x: number, y: number) => {
    const floorX = Math.floor(x);
    const floorY = Math.floor(y);
    const dx = x - floorX;
    const dy = y - floorY;
    const row = floorY & 255;
    const next = (floorY + 1) & 255;
    const left = order[floorX & 255] ?? 0;
    const right = order[(floorX + 1) & 255] ?? 0;
    const u = dx * dx * dx * (dx * (dx * 6 - 15) + 10);
    const v = dy * dy * dy * (dy * (dy * 6 - 15) + 10);
    const top = (slopesX[left + row] ?? 0) * dx + (slopesY[left + row] ?? 0) * dy;
    const topRight = (slopesX[right + row] ?? 0) * (dx - 1) + (slopesY[right + row] ?? 0) * dy;
    const bottom = (slopesX[left + next] ?? 0) * dx + (slopesY[left + next] ?? 0) * (dy - 1);
    const bottomRight = (slopesX[right + next] ?? 0) * (dx - 1) + (slopesY[right + next] ?? 0) * (dy - 1);
    const upper = top + (topRight - top) * u;
    return upper + (bottom + (bottomRight - bottom) * u - upper) * v;
  };
  const fractal = (x: number, y: number, octaves: number) => {
    let sum = 0;
    let weight = 0.5;
    for (let octave = 0; octave < octaves; octave++) {
      sum += at(x, y) * weight;
      // Rotated and shifted, so that the lattices of the octaves do not line up.
      const turned = x * 1.6 - y * 1.2 + 17.3;
      y = x * 1.2 + y * 1.6 + 5.1;
      x = turned;
      weight *= 0.5;
    }
    return sum;
  };
  const ridged = (x: number, y: number, octaves: number) => {
    let sum = 0;
    let weight = 0.55;
    for (let octave = 0; octave < octaves; octave++) {
      const crest = 1 - Math.abs(at(x, y));
      sum += crest * crest * weight;
      x = x * 2.03 + 11.7;
      y = y * 2.03 + 3.9;
      weight *= 0.48;
    }
    return sum;
  };
  return { at, fractal, ridged };
}
