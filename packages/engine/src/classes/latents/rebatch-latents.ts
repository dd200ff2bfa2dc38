// Regroups a list of latents into batches of another size, with their masks and batch indices.
import { NodeError } from "../../execution/node-error.ts";
import type { NodeContext, NodeRunner } from "../../execution/node-runner.ts";
import { int, latent } from "../../graph/describe-inputs.ts";
import { cascadeSum } from "../../pictures/cascade-sum.ts";
import { type Latent, listOf } from "../../pictures/picture.ts";
import { countOf, sameShape, type Tensor } from "../../pictures/tensor.ts";

// One entry of a batch. Without data it is all ones.
interface Row {
  readonly shape: readonly number[];
  readonly data: Float32Array | null;
}

interface Batch {
  readonly samples: readonly Row[];
  // There may be more masks than samples; the rest carry on without one.
  readonly masks: readonly Row[];
  readonly indices: readonly number[];
}

function rowsOf({ shape, data }: Tensor): Row[] {
  const [count = 0, ...rest] = shape;
  const size = countOf(rest);
  return Array.from({ length: count }, (_, at) => ({ shape: rest, data: data.subarray(at * size, (at + 1) * size) }));
}

function batchOf(source: Latent, numbered: number): Batch {
  const samples = rowsOf(source);
  const [, , height = 0, width = 0] = source.shape;
  const ones: Row = { shape: [1, height * 8, width * 8], data: null };
  const given = source.noiseMask ? rowsOf(source.noiseMask) : [ones];
  const masks = samples.flatMap((_, index) => given[index % given.length] ?? []);
  return {
    samples,
    masks: given.length > samples.length ? given : masks,
    indices: source.batchIndex ?? samples.map((_, index) => index + numbered),
  };
}

function part({ samples, masks, indices }: Batch, from: number, to?: number): Batch {
  return { samples: samples.slice(from, to), masks: masks.slice(from, to), indices: indices.slice(from, to) };
}

function isAlike(one: readonly Row[], other: readonly Row[]): boolean {
  return sameShape(one[0]?.shape ?? [], other[0]?.shape ?? []);
}

function both(one: Batch, other: Batch): Batch {
  if (!isAlike(one.samples, other.samples) || !isAlike(one.masks, other.masks)) {
    throw new NodeError("The latents, or their masks, do not fit into one batch.");
  }
  return {
    samples: [...one.samples, ...other.samples],
    masks: [...one.masks, ...other.masks],
    indices: [...one.indices, ...other.indices],
  };
}

const planeOf = ({ samples }: Batch): readonly number[] => samples[0]?.shape.slice(-2) ?? [];

function regrouped(latents: readonly Latent[], size: number): Batch[] {
  const out: Batch[] = [];
  let current: Batch | null = null;
  let numbered = 0;
  for (const source of latents) {
    const next = batchOf(source, numbered);
    numbered += next.indices.length;
    if (current !== null && !sameShape(planeOf(current), planeOf(next))) {
      out.push(part(current, 0, size));
      current = next;
    } else current = current === null ? next : both(current, next);
    const count: number = current.samples.length;
    if (count <= size) continue;
    const whole = Math.floor(count / size);
    for (let index = 0; index < whole; index++) out.push(part(current, index * size, (index + 1) * size));
    current = count > whole * size ? part(current, whole * size) : null;
  }
  return current === null ? out : [...out, part(current, 0, size)];
}

function tensorOf(rows: readonly Row[], context: NodeContext): Tensor {
  const shape = rows[0]?.shape ?? [];
  const size = countOf(shape);
  const data = context.floats(rows.length * size, "A latent");
  for (const [index, row] of rows.entries()) {
    if (row.data) data.set(row.data, index * size);
    else data.fill(1, index * size, (index + 1) * size);
  }
  return { shape: [rows.length, ...shape], data };
}

// A mask of all ones says nothing and is omitted.
function maskOf(rows: readonly Row[], context: NodeContext): Tensor | null {
  if (rows.every(({ data }) => data === null)) return null;
  const mask = tensorOf(rows, context);
  return Math.fround(cascadeSum(mask.data) / mask.data.length) === 1 ? null : mask;
}

export const rebatchLatents: NodeRunner = {
  description: {
    name: "RebatchLatents",
    displayName: "Rebatch Latents",
    category: "latent/batch",
    description: "Regroups latents into batches of a size; a new batch starts where the latents change size.",
    inputs: [latent("latents"), int("batch_size", 1, 1, 4096)],
    outputs: [{ type: "LATENT", name: "LATENT", isList: true }],
    takesLists: true,
  },
  run(inputs, context) {
    const latents = inputs.all("latents").map((one) => one.latent("latents"));
    const batches = regrouped(latents, inputs.at(0).int("batch_size"));
    const values = batches.map(({ samples, masks, indices }): Latent => {
      const noiseMask = maskOf(masks, context);
      const tensor = tensorOf(samples, context);
      return { kind: "latent", ...tensor, ...(noiseMask ? { noiseMask } : {}), batchIndex: indices };
    });
    return [listOf(values)];
  },
};
