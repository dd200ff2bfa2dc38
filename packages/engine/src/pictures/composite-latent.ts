// Composites latents, each step in 32 bits.
import { NodeError } from "../execution/node-error.ts";
import { countOf, type Tensor } from "./tensor.ts";

const { fround } = Math;

interface Offset {
  readonly x: number;
  readonly y: number;
}

type Share = (batch: number, row: number, column: number) => number;

// mask × source + (1 − mask) × destination over the visible part of the source. `target` already holds the destination.
export function layOverLatent(target: Tensor, source: Tensor, mask: Tensor | null, offset: Offset): void {
  const [, , height = 0, width = 0] = source.shape;
  const share: Share = (batch, row, column) => mask?.data[(batch * height + row) * width + column] ?? 1;
  eachSample(target, source, offset, (before, over, batch, row, column) => {
    const part = mask ? share(batch, row, column) : 1;
    return fround(part * over) + fround(fround(1 - part) * before);
  });
}

// The same with faded edges, except for edges that coincide with the destination's.
export function pastedLatent(target: Tensor, source: Tensor, offset: Offset, feather: number): void {
  const [, , height = 0, width = 0] = target.shape;
  const [, , high = 0, wide = 0] = source.shape;
  const isSide = (at: number) => at === 2 || at === 3;
  const fits = source.shape.every((count, at) => isSide(at) || count === 1 || count === target.shape[at]);
  if (source.shape.length !== target.shape.length || !fits) throw new NodeError("The latents do not fit together.");
  const [rows, columns] = [Math.min(high, height - offset.y), Math.min(wide, width - offset.x)];
  const steps = Array.from({ length: feather }, (_, index) => fround((1 / feather) * (index + 1)));
  eachSample(target, source, offset, (before, over, _batch, row, column) => {
    if (feather === 0) return over;
    const down = fadesBySteps(row, rows, offset.y !== 0, offset.y + rows < height);
    const across = fadesBySteps(column, columns, offset.x !== 0, offset.x + columns < width);
    const share = inOrder(down, across);
    return fround(over * share) + fround(before * fround(1 - share));
  });

  // Which steps touch this row or column, in order: top, bottom, left and right of one step after the other.
  function fadesBySteps(at: number, length: number, isFirst: boolean, isLast: boolean): readonly (readonly number[])[] {
    return steps.map((_, index) => {
      const own = steps.slice(index, index + 1);
      const first = isFirst && at === index ? own : [];
      const last = isLast && at === length - 1 - index ? own : [];
      return [...first, ...last];
    });
  }

  function inOrder(down: readonly (readonly number[])[], across: readonly (readonly number[])[]): number {
    let share = 1;
    for (const index of steps.keys()) {
      for (const by of [...(down[index] ?? []), ...(across[index] ?? [])]) share = fround(share * by);
    }
    return share;
  }
}

type Mix = (before: number, over: number, batch: number, row: number, column: number) => number;

// A single latent, or a single channel, is applied to each. Videos have frames for rows and rows for columns, as in the
// application.
function eachSample(target: Tensor, source: Tensor, offset: Offset, mix: Mix): void {
  const [batch = 0, channels = 0, height = 0, width = 0] = target.shape;
  const [count = 0, layers = 0, high = 0, wide = 0] = source.shape;
  const [depth, own] = [countOf(target.shape.slice(4)), countOf(source.shape.slice(4))];
  const [rows, columns] = [Math.min(high, height - offset.y), Math.min(wide, width - offset.x)];
  for (let plane = 0; plane < batch * channels; plane++) {
    const [index, channel] = [Math.floor(plane / channels), plane % channels];
    const layer = (index % count) * layers + (channel % layers);
    for (let row = 0; row < rows; row++) {
      const to = (plane * height + offset.y + row) * width + offset.x;
      const from = (layer * high + row) * wide;
      for (let at = 0; at < columns * depth; at++) {
        const column = Math.floor(at / depth);
        const over = source.data[(from + column) * own + (at % own)] ?? 0;
        const before = target.data[to * depth + at] ?? 0;
        target.data[to * depth + at] = mix(before, over, index, row, column);
      }
    }
  }
}
