// Numbers in as many dimensions as a latent has: sliced, joined and repeated along one of them.
export interface Tensor {
  readonly shape: readonly number[];
  readonly data: Float32Array;
}

export type Floats = (count: number) => Float32Array;

export const countOf = (shape: readonly number[]): number => shape.reduce((product, side) => product * side, 1);

// How many runs there are along a dimension, and the length of one step along it.
function around(shape: readonly number[], dimension: number): { readonly outer: number; readonly inner: number } {
  return { outer: countOf(shape.slice(0, dimension)), inner: countOf(shape.slice(dimension + 1)) };
}

const withSide = (shape: readonly number[], dimension: number, side: number): number[] =>
  shape.map((before, index) => (index === dimension ? side : before));

export function narrowed(
  { shape, data }: Tensor,
  dimension: number,
  start: number,
  length: number,
  floats: Floats,
): Tensor {
  const { outer, inner } = around(shape, dimension);
  const side = shape[dimension] ?? 0;
  const out = floats(outer * length * inner);
  for (let index = 0; index < outer; index++) {
    const from = (index * side + start) * inner;
    out.set(data.subarray(from, from + length * inner), index * length * inner);
  }
  return { shape: withSide(shape, dimension, length), data: out };
}

// All sides but one are equal; the caller has checked that.
export function joined(tensors: readonly Tensor[], dimension: number, floats: Floats): Tensor {
  const [first = { shape: [], data: new Float32Array() }] = tensors;
  const side = tensors.reduce((sum, { shape }) => sum + (shape[dimension] ?? 0), 0);
  const { outer, inner } = around(first.shape, dimension);
  const out = floats(outer * side * inner);
  for (let index = 0, at = 0; index < outer; index++) {
    for (const { shape, data } of tensors) {
      const length = (shape[dimension] ?? 0) * inner;
      out.set(data.subarray(index * length, (index + 1) * length), at);
      at += length;
    }
  }
  return { shape: withSide(first.shape, dimension, side), data: out };
}

// Repeats the batch and cuts it off when there are enough.
export function repeatedTo(tensor: Tensor, batch: number, floats: Floats): Tensor {
  const [before = 0, ...rest] = tensor.shape;
  if (before === batch) return tensor;
  if (before > batch) return { shape: [batch, ...rest], data: tensor.data.subarray(0, batch * countOf(rest)) };
  const data = floats(batch * countOf(rest));
  for (let at = 0; at < data.length; at += tensor.data.length) {
    data.set(tensor.data.subarray(0, Math.min(tensor.data.length, data.length - at)), at);
  }
  return { shape: [batch, ...rest], data };
}

// The broadcast shape of two tensors with the same number of dimensions: a side of 1 is repeated to match the other.
export function sharedShape(one: readonly number[], other: readonly number[]): number[] | null {
  if (one.length !== other.length) return null;
  const fits = one.every((side, index) => side === other[index] || side === 1 || other[index] === 1);
  return fits ? one.map((side, index) => (side === 1 ? (other[index] ?? 1) : side)) : null;
}

export function spread(tensor: Tensor, shape: readonly number[], floats: Floats): Tensor {
  let whole = tensor;
  for (const [dimension, side] of shape.entries()) {
    if (whole.shape[dimension] === side) continue;
    const one = whole;
    whole = joined(
      Array.from({ length: side }, () => one),
      dimension,
      floats,
    );
  }
  return whole;
}

export function sameShape(one: readonly number[], other: readonly number[]): boolean {
  return one.length === other.length && one.every((side, index) => side === other[index]);
}
