// Sums of products, each product added with a single rounding (fused), in exactly the order in which the application's libraries
// add them. For a sum of several, the second product is rounded and the first is fused onto it; that is what their compiler
// makes of `a*b + c*d + …`, and the last bit depends on it.
import {
  add,
  addFloats,
  type Code,
  constant,
  f32,
  get,
  i32,
  type KernelFunction,
  leastFloats,
  load,
  loadInteger,
  mostFloats,
  overFloats,
  raise,
  set,
  splat32,
  splatFloat,
  store,
  timesFloats,
  until,
  zero,
} from "./assemble.ts";

// one × other + sum, rounded once.
export type Fused = (one: Code, other: Code, sum: Code) => Code;

interface Product {
  readonly value: Code;
  readonly weight: Code;
}

function sumOf(fused: Fused, [first, second, ...rest]: readonly Product[]): Code {
  if (!first || !second) return zero;
  const two = fused(first.value, first.weight, timesFloats(second.value, second.weight));
  return rest.reduce((sum, { value, weight }) => fused(value, weight, sum), two);
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

// out[i] = the sum of weight × row[i] over the table's rows {address, weight}; four floats per iteration.
function rowsByTaps(fused: Fused, name: string, taps: number): KernelFunction {
  const [out, table, end] = [0, 1, 2];
  const rows = upTo(taps).map((tap) => 3 + tap);
  const weights = upTo(taps).map((tap) => 3 + taps + tap);
  const begin = upTo(taps).map((tap) => [
    set(rows[tap] ?? 0, loadInteger(get(table), tap * 8)),
    set(weights[tap] ?? 0, splat32(get(table), tap * 8 + 4)),
  ]);
  const products = upTo(taps).map((tap) => ({ value: load(get(rows[tap] ?? 0)), weight: get(weights[tap] ?? 0) }));
  const turn: Code = [
    store(get(out), sumOf(fused, products)),
    [out, ...rows].map((address) => raise(address, constant(16))),
  ];
  const body = [begin, until(out, get(end), turn)];
  return { name, parameters: [i32, i32, i32], integers: taps, vectors: taps, body };
}

// One target pixel after the other, its channels side by side. For each pixel the table has the taps' offsets, then their
// weights.
function pixelsByTaps(fused: Fused, name: string, taps: number): KernelFunction {
  const [out, row, table, end, pixelBytes] = [0, 1, 2, 3, 4];
  const products = upTo(taps).map((tap) => ({
    value: load(add(get(row), loadInteger(get(table), tap * 4))),
    weight: splat32(get(table), (taps + tap) * 4),
  }));
  const turn: Code = [
    store(get(out), sumOf(fused, products)),
    [raise(out, get(pixelBytes)), raise(table, constant(taps * 8))],
  ];
  const body = until(table, get(end), turn);
  return { name, parameters: [i32, i32, i32, i32, i32], integers: 1, vectors: 1, body };
}

// The same between two rows: the weight of each of the four corners is the product of its two shares.
function pixelsByCorners(fused: Fused): KernelFunction {
  const [out, upper, lower, table, end, pixelBytes, above, below] = [0, 1, 2, 3, 4, 5, 6, 7];
  const corner = (row: number, share: number, tap: number): Product => ({
    value: load(add(get(row), loadInteger(get(table), tap * 4))),
    weight: timesFloats(splatFloat(get(share)), splat32(get(table), 8 + tap * 4)),
  });
  const products = [corner(upper, above, 0), corner(upper, above, 1), corner(lower, below, 0), corner(lower, below, 1)];
  const turn: Code = [
    store(get(out), sumOf(fused, products)),
    [raise(out, get(pixelBytes)), raise(table, constant(16))],
  ];
  return {
    name: "pixelsByCorners",
    parameters: [i32, i32, i32, i32, i32, i32, f32, f32],
    integers: 1,
    vectors: 1,
    body: until(table, get(end), turn),
  };
}

const lanes = 8;

// out[i] = the sum of weight × row[i + step × column] over all rows of the table and, within each, all columns, from the first
// to the last, each fused onto the sum; clamped to low and high. Thirty-two floats per iteration.
function convolveRows(fused: Fused): KernelFunction {
  const [out, table, end, length, weights, columnBytes, rowBytes, low, high] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [x, row, from, last, weight] = [9, 10, 11, 12, 13];
  const sums = upTo(lanes).map((lane) => 14 + lane);
  const value = 14 + lanes;
  const bounded = (sum: number): Code => mostFloats(leastFloats(get(sum), splatFloat(get(high))), splatFloat(get(low)));
  const turn: Code = [
    sums.map((sum) => set(sum, zero)),
    [set(row, get(table)), set(weight, get(weights))],
    until(row, get(end), [
      set(from, add(loadInteger(get(row)), get(x))),
      set(last, add(get(from), get(rowBytes))),
      until(from, get(last), [
        set(value, splat32(get(weight))),
        sums.map((sum, lane) => set(sum, fused(load(get(from), lane * 16), get(value), get(sum)))),
        [raise(from, get(columnBytes)), raise(weight, constant(4))],
      ]),
      raise(row, constant(4)),
    ]),
    sums.map((sum, lane) => store(add(get(out), get(x)), bounded(sum), lane * 16)),
    raise(x, constant(lanes * 16)),
  ];
  return {
    name: "convolveRows",
    parameters: [i32, i32, i32, i32, i32, i32, i32, f32, f32],
    integers: 5,
    vectors: lanes + 1,
    body: [set(x, constant(0)), until(x, get(length), turn)],
  };
}

// The mean of the pixels under a target pixel: added row by row, then divided by the number of rows and by that of columns. The
// table has each target pixel's first and last source offset and its number of columns as a float.
function meansOfPixels(): KernelFunction {
  const [out, rows, rowsEnd, rowBytes, table, end, pixelBytes, height] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [row, from, last, sum] = [8, 9, 10, 11];
  const turn: Code = [
    [set(sum, zero), set(row, get(rows))],
    until(row, get(rowsEnd), [
      set(from, add(get(row), loadInteger(get(table)))),
      set(last, add(get(row), loadInteger(get(table), 4))),
      until(from, get(last), [set(sum, addFloats(get(sum), load(get(from)))), raise(from, get(pixelBytes))]),
      raise(row, get(rowBytes)),
    ]),
    store(get(out), overFloats(overFloats(get(sum), splatFloat(get(height))), splat32(get(table), 8))),
    [raise(out, get(pixelBytes)), raise(table, constant(12))],
  ];
  const body = until(table, get(end), turn);
  return { name: "meansOfPixels", parameters: [i32, i32, i32, i32, i32, i32, i32, f32], integers: 3, vectors: 1, body };
}

export const fusedKernelNames = [
  "rowsByTwo",
  "rowsByFour",
  "pixelsByTwo",
  "pixelsByFour",
  "pixelsByCorners",
  "convolveRows",
  "meansOfPixels",
] as const;

export function fusedKernels(fused: Fused): KernelFunction[] {
  return [
    rowsByTaps(fused, "rowsByTwo", 2),
    rowsByTaps(fused, "rowsByFour", 4),
    pixelsByTaps(fused, "pixelsByTwo", 2),
    pixelsByTaps(fused, "pixelsByFour", 4),
    pixelsByCorners(fused),
    convolveRows(fused),
    meansOfPixels(),
  ];
}
