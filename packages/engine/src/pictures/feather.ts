// Feathers the edges of a mask. In the application's older versions the right and bottom ramps count from the far edge starting
// at position "minus zero", which is the first column (or row): so the first column is weakened by 1/right, and the last one
// starts at 2/right. Their pictures show it; newer versions start at the edge.
import type { ApplicationProfile } from "../application-profile.ts";
import type { Plane } from "./picture.ts";

export interface Edges {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

const f = Math.fround;

export function feather(plane: Plane, edges: Edges, profile: ApplicationProfile): void {
  const fromEnd = (step: number, length: number): number =>
    profile === "0.30" ? length - 1 - step : step === 0 ? 0 : length - step;
  const { width, height } = plane;
  const [left, right] = [Math.min(edges.left, width), Math.min(edges.right, width)];
  const [top, bottom] = [Math.min(edges.top, height), Math.min(edges.bottom, height)];
  for (let step = 0; step < left; step++) weakenColumn(plane, step, (step + 1) / left);
  for (let step = 0; step < right; step++) weakenColumn(plane, fromEnd(step, width), (step + 1) / right);
  for (let step = 0; step < top; step++) weakenRow(plane, step, (step + 1) / top);
  for (let step = 0; step < bottom; step++) weakenRow(plane, fromEnd(step, height), (step + 1) / bottom);
}

function weakenColumn({ width, height, data }: Plane, column: number, rate: number): void {
  const by = f(rate);
  for (let at = column; at < width * height; at += width) data[at] = (data[at] ?? 0) * by;
}

function weakenRow({ width, data }: Plane, row: number, rate: number): void {
  const by = f(rate);
  for (let at = row * width; at < (row + 1) * width; at++) data[at] = (data[at] ?? 0) * by;
}
