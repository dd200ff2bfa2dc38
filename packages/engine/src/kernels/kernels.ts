// The loops over vectors, in a module that is made when it is first needed. Sums of floats are kept in 64 bits, so that a
// flat colour comes out as the very same number; sums of bytes are whole numbers, so nothing depends on their order.
import {
  add,
  addDoubles,
  addFloats,
  addIntegers,
  bytesToShorts,
  type Code,
  constant,
  f32,
  float,
  floatsToUnsigned,
  get,
  i32,
  integersToShorts,
  type KernelFunction,
  leastFloats,
  leastUnsigned,
  load,
  loadInteger,
  loadOnly32,
  loadOnly64,
  lowerHalves,
  moduleOf,
  mostFloats,
  overFloats,
  raise,
  set,
  shiftDown,
  shortsToBytes,
  shortsToIntegers,
  splat32,
  splat64,
  splatFloat,
  splatInteger,
  store,
  storeFirst32,
  storeFirst64,
  timesDoubles,
  timesFloats,
  timesIntegers,
  toDoubles,
  toFloats,
  unsignedToFloats,
  until,
  upperHalf,
  upperShortsToIntegers,
  zero,
} from "./assemble.ts";
import { blendKernels } from "./blend-kernels.ts";

export const fixedBits = 22;
const half = 1 << (fixedBits - 1);

const gain = (sum: number, value: Code, weight: number): Code =>
  set(sum, addDoubles(get(sum), timesDoubles(toDoubles(value), get(weight))));

// out[i] = the sum of weight × (one[i] + other[i]) over the table's rows {one, other, weight: 64 bits}, kept within low and
// high; eight floats a turn.
function sumOfPairs(): KernelFunction {
  const [out, table, end, length, low, high, x, row, one, other] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const [first, second, third, fourth, value, weight] = [10, 11, 12, 13, 14, 15];
  const pair = (offset: number): Code => set(value, addFloats(load(get(one), offset), load(get(other), offset)));
  const bounded = (lower: number, upper: number): Code =>
    mostFloats(
      leastFloats(lowerHalves(toFloats(get(lower)), toFloats(get(upper))), splatFloat(get(high))),
      splatFloat(get(low)),
    );
  const turn: Code = [
    [first, second, third, fourth].map((sum) => set(sum, zero)),
    set(row, get(table)),
    until(row, get(end), [
      set(weight, splat64(get(row), 8)),
      set(one, add(loadInteger(get(row)), get(x))),
      set(other, add(loadInteger(get(row), 4), get(x))),
      [pair(0), gain(first, get(value), weight), gain(second, upperHalf(value), weight)],
      [pair(16), gain(third, get(value), weight), gain(fourth, upperHalf(value), weight)],
      raise(row, constant(16)),
    ]),
    store(add(get(out), get(x)), bounded(first, second)),
    store(add(get(out), get(x)), bounded(third, fourth), 16),
    raise(x, constant(32)),
  ];
  const body = [set(x, constant(0)), until(x, get(length), turn)];
  return { name: "sumOfPairs", parameters: [i32, i32, i32, i32, f32, f32], integers: 4, vectors: 6, body };
}

// One target pixel after the other, its channels side by side: the sum of weight × source pixel over the taps. The table
// has for each pixel the taps' offsets (four bytes each), then their weights (eight each).
function pixelsByTaps(name: string, taps: number): KernelFunction {
  const [out, row, table, end, pixelBytes, lower, upper, value, weight] = [0, 1, 2, 3, 4, 6, 7, 8, 9];
  const tap = (index: number): Code => [
    set(value, load(add(get(row), loadInteger(get(table), index * 4)))),
    set(weight, splat64(get(table), taps * 4 + index * 8)),
    gain(lower, get(value), weight),
    gain(upper, upperHalf(value), weight),
  ];
  const turn: Code = [
    [set(lower, zero), set(upper, zero)],
    Array.from({ length: taps }, (_, index) => tap(index)),
    store(get(out), lowerHalves(toFloats(get(lower)), toFloats(get(upper)))),
    [raise(out, get(pixelBytes)), raise(table, constant(taps * 12))],
  ];
  const body = until(table, get(end), turn);
  return { name, parameters: [i32, i32, i32, i32, i32], integers: 1, vectors: 4, body };
}

const toLevels = (sum: number): Code =>
  integersToShorts(shiftDown(get(sum), fixedBits), shiftDown(get(sum), fixedBits));
const gainWhole = (sum: number, value: Code, weight: Code): Code =>
  set(sum, addIntegers(get(sum), timesIntegers(value, weight)));

// Byte pixels with weights in fixed point. The table has each pixel's first source offset and its number of taps; the
// weights follow each other without gaps.
function bytesAcross(): KernelFunction {
  const [out, row, table, end, weights, pixelBytes, from, last, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const turn: Code = [
    set(sum, splatInteger(constant(half))),
    set(from, add(get(row), loadInteger(get(table)))),
    set(last, add(get(weights), loadInteger(get(table), 4))),
    until(weights, get(last), [
      gainWhole(sum, shortsToIntegers(bytesToShorts(loadOnly32(get(from)))), splat32(get(weights))),
      [raise(from, get(pixelBytes)), raise(weights, constant(4))],
    ]),
    set(sum, toLevels(sum)),
    storeFirst32(get(out), shortsToBytes(get(sum), get(sum))),
    [raise(out, get(pixelBytes)), raise(table, constant(8))],
  ];
  const body = until(table, get(end), turn);
  return { name: "bytesAcross", parameters: [i32, i32, i32, i32, i32, i32], integers: 2, vectors: 1, body };
}

// out[i] = the sum of weight × row[i] over the table's rows {row, weight}; eight bytes a turn.
function bytesDown(): KernelFunction {
  const [out, table, end, length, x, row, first, second, value, weight] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const turn: Code = [
    [first, second].map((sum) => set(sum, splatInteger(constant(half)))),
    set(row, get(table)),
    until(row, get(end), [
      set(value, bytesToShorts(loadOnly64(add(loadInteger(get(row)), get(x))))),
      set(weight, splat32(get(row), 4)),
      gainWhole(first, shortsToIntegers(get(value)), get(weight)),
      gainWhole(second, upperShortsToIntegers(get(value)), get(weight)),
      raise(row, constant(8)),
    ]),
    set(value, integersToShorts(shiftDown(get(first), fixedBits), shiftDown(get(second), fixedBits))),
    storeFirst64(add(get(out), get(x)), shortsToBytes(get(value), get(value))),
    raise(x, constant(8)),
  ];
  const body = [set(x, constant(0)), until(x, get(length), turn)];
  return { name: "bytesDown", parameters: [i32, i32, i32, i32], integers: 2, vectors: 4, body };
}

// × 255 in 32 bits, cut off, 0..255; sixteen a turn.
function floatsToBytes(): KernelFunction {
  const [to, from, end] = [0, 1, 2];
  const level = (offset: number): Code =>
    leastUnsigned(
      floatsToUnsigned(timesFloats(load(get(from), offset), splatFloat(float(255)))),
      splatInteger(constant(255)),
    );
  const turn: Code = [
    store(get(to), shortsToBytes(integersToShorts(level(0), level(16)), integersToShorts(level(32), level(48)))),
    [raise(from, constant(64)), raise(to, constant(16))],
  ];
  return {
    name: "floatsToBytes",
    parameters: [i32, i32, i32],
    integers: 1,
    vectors: 1,
    body: until(from, get(end), turn),
  };
}

// ÷ 255; eight a turn.
function bytesToFloats(): KernelFunction {
  const [to, from, end, value] = [0, 1, 2, 4];
  const part = (integers: Code): Code => overFloats(unsignedToFloats(integers), splatFloat(float(255)));
  const turn: Code = [
    set(value, bytesToShorts(loadOnly64(get(from)))),
    store(get(to), part(shortsToIntegers(get(value)))),
    store(get(to), part(upperShortsToIntegers(get(value))), 16),
    [raise(from, constant(8)), raise(to, constant(32))],
  ];
  return {
    name: "bytesToFloats",
    parameters: [i32, i32, i32],
    integers: 1,
    vectors: 1,
    body: until(from, get(end), turn),
  };
}

type Kernel = (...values: number[]) => void;
const kernelNames = [
  "sumOfPairs",
  "pixelsByTwo",
  "pixelsByFour",
  "bytesAcross",
  "bytesDown",
  "floatsToBytes",
  "bytesToFloats",
  "normal",
  "multiply",
  "screen",
  "overlay",
  "soft_light",
  "difference",
] as const;
export type Kernels = Readonly<Record<(typeof kernelNames)[number], Kernel>>;

interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// The part of the global that is used here: the standard library's types know it only for browsers.
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

let made: { readonly kernels: Kernels; readonly memory: KernelMemory } | undefined;

function make(): NonNullable<typeof made> {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const functions = [
    sumOfPairs(),
    pixelsByTaps("pixelsByTwo", 2),
    pixelsByTaps("pixelsByFour", 4),
    bytesAcross(),
    bytesDown(),
    floatsToBytes(),
    bytesToFloats(),
    ...blendKernels(),
  ];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(moduleOf(functions)), { env: { memory } });
  if (!isKernels(exports)) throw new Error("A kernel is missing.");
  return { kernels: exports, memory };
}

const isKernels = (exports: object): exports is Kernels =>
  kernelNames.every((name) => typeof Reflect.get(exports, name) === "function");

const pageBytes = 65_536;
// Behind what was asked for: vectors may reach a little further than the last pixel.
const reachBytes = 64;

export interface KernelWork {
  readonly kernels: Kernels;
  readonly buffer: ArrayBuffer;
}

// Everything in the memory is forgotten with the next call: take it, work through, copy out, without waiting in between.
export function kernelWork(bytes: number): KernelWork {
  made ??= make();
  const { kernels, memory } = made;
  const lacking = bytes + reachBytes - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / pageBytes));
  return { kernels, buffer: memory.buffer };
}
