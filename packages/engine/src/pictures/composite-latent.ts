// Laying latents over latents, each step in 32 bits.
import { NodeError } from "../execution/node-error.ts";
import type { Tensor } from "./tensor.ts";

const { fround } = Math;

interface Offset {
  readonly x: number;
  readonly y: number;
}

type Share = (batch: number, row: number, column: number) => number;

// mask × source + (1 − mask) × destination over what can be seen of the source. `target` holds the destination already.
export function layOverLatent(target: Tensor, source: Tensor, mask: Tensor | null, offset: Offset): void {
  const [, , height = 0, width = 0] = source.shape;
  const share: Share = (batch, row, column) => mask?.data[(batch * height + row) * width + column] ?? 1;
  eachSample(target, source, offset, (before, over, batch, row, column) => {
    const part = mask ? share(batch, row, column) : 1;
    return fround(part * over) + fround(fround(1 - part) * before);
  });
}

// The same with edges that fade: only those that do not lie on the destination's own edge.
export function pastedLatent(target: Tensor, source: Tensor, offset: Offset, feather: number): void {
  const [batch = 0, channels = 0, height = 0, width = 0] = target.shape;
  if (source.shape[0] !== batch || source.shape[1] !== channels)
    throw new NodeError("The latents do not fit together.");
  const [, , high = 0, wide = 0] = source.shape;
  const [rows, columns] = [Math.min(high, height - offset.y), Math.min(wide, width - offset.x)];
  const steps = Array.from({ length: feather }, (_, index) => fround((1 / feather) * (index + 1)));
  eachSample(target, source, offset, (before, over, _batch, row, column) => {
    if (feather === 0) return over;
    const down = fadesBySteps(row, rows, offset.y !== 0, offset.y + rows < height);
    const across = fadesBySteps(column, columns, offset.x !== 0, offset.x + columns < width);
    const share = inOrder(down, across);
    return fround(over * share) + fround(before * fround(1 - share));
  });

  // Which steps touch this row or column, with their order: top, bottom, left and right of one step after the other.
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

function eachSample(target: Tensor, source: Tensor, offset: Offset, mix: Mix): void {
  const [batch = 0, channels = 0, height = 0, width = 0] = target.shape;
  const [, , high = 0, wide = 0] = source.shape;
  const [rows, columns] = [Math.min(high, height - offset.y), Math.min(wide, width - offset.x)];
  for (let plane = 0; plane < batch * channels; plane++) {
    for (let row = 0; row < rows; row++) {
      const to = (plane * height + offset.y + row) * width + offset.x;
      const from = (plane * high + row) * wide;
      for (let column = 0; column < columns; column++) {
        const [before, over] = [target.data[to + column] ?? 0, source.data[from + column] ?? 0];
        target.data[to + column] = mix(before, over, Math.floor(plane / channels), row, column);
      }
    }
  }
}
