// The vector loops, in a module that is compiled on first use. Sums of floats are fused and in the application's order; sums of
// bytes are integers, so their order does not matter.
import {
  add,
  addIntegers,
  assembleModule,
  bytesToShorts,
  type Code,
  constant,
  float,
  floatsToUnsigned,
  fusedByDoubles,
  fusedByProcessor,
  get,
  i32,
  integersToShorts,
  type KernelFunction,
  leastUnsigned,
  load,
  loadInteger,
  loadOnly32,
  loadOnly64,
  overFloats,
  raise,
  set,
  shiftDown,
  shortsToBytes,
  shortsToIntegers,
  splat32,
  splatFloat,
  splatInteger,
  store,
  storeFirst32,
  storeFirst64,
  timesFloats,
  timesIntegers,
  unsignedToFloats,
  until,
  upperShortsToIntegers,
} from "./assemble.ts";
import { blendKernels } from "./blend-kernels.ts";
import { type Fused, fusedKernelNames, fusedKernels } from "./fused-kernels.ts";

export const fixedBits = 22;
const half = 1 << (fixedBits - 1);

const toLevels = (sum: number): Code =>
  integersToShorts(shiftDown(get(sum), fixedBits), shiftDown(get(sum), fixedBits));
const gainWhole = (sum: number, value: Code, weight: Code): Code =>
  set(sum, addIntegers(get(sum), timesIntegers(value, weight)));

// Byte pixels with fixed-point weights. The table has each pixel's first source offset and its number of taps; the weights
// follow each other without gaps.
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

// out[i] = the sum of weight × row[i] over the table's rows {row, weight}; eight bytes per iteration.
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

// × 255 in 32 bits, truncated, 0..255; sixteen per iteration.
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
  const body = until(from, get(end), turn);
  return { name: "floatsToBytes", parameters: [i32, i32, i32], integers: 1, vectors: 1, body };
}

// ÷ 255; eight per iteration.
function bytesToFloats(): KernelFunction {
  const [to, from, end, value] = [0, 1, 2, 4];
  const part = (integers: Code): Code => overFloats(unsignedToFloats(integers), splatFloat(float(255)));
  const turn: Code = [
    set(value, bytesToShorts(loadOnly64(get(from)))),
    store(get(to), part(shortsToIntegers(get(value)))),
    store(get(to), part(upperShortsToIntegers(get(value))), 16),
    [raise(from, constant(8)), raise(to, constant(32))],
  ];
  const body = until(from, get(end), turn);
  return { name: "bytesToFloats", parameters: [i32, i32, i32], integers: 1, vectors: 1, body };
}

type Kernel = (...values: number[]) => void;
const kernelNames = [
  ...fusedKernelNames,
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
type Kernels = Readonly<Record<(typeof kernelNames)[number], Kernel>>;

interface KernelMemory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// The part of the global we use: the standard library's types declare it only for browsers.
declare const WebAssembly: {
  readonly Memory: new (size: { readonly initial: number }) => KernelMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

interface Made {
  readonly kernels: Kernels;
  readonly memory: KernelMemory;
}

let made: Made | undefined;

// We can only find out by trying whether a processor fuses: subtracting the exact product leaves nothing if the product was
// rounded first.
function makeForProcessor(): Made {
  const quick = make(fusedByProcessor);
  const view = new DataView(quick.memory.buffer);
  const value = Math.fround(1 + 2 ** -23);
  const [table, first, second, out] = [0, 64, 96, 32];
  view.setFloat32(first, value, true);
  view.setFloat32(second, -Math.fround(value * value), true);
  for (const [index, [address, weight]] of [[first, value] as const, [second, 1] as const].entries()) {
    view.setInt32(table + index * 8, address, true);
    view.setFloat32(table + index * 8 + 4, weight, true);
  }
  quick.kernels.rowsByTwo(out, table, out + 16);
  return view.getFloat32(out, true) === 0 ? make(fusedByDoubles) : quick;
}

export function make(fused: Fused): Made {
  const memory = new WebAssembly.Memory({ initial: 16 });
  const functions = [
    ...fusedKernels(fused),
    bytesAcross(),
    bytesDown(),
    floatsToBytes(),
    bytesToFloats(),
    ...blendKernels(),
  ];
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(assembleModule(functions)), { env: { memory } });
  if (!isKernels(exports)) throw new Error("A kernel is missing.");
  return { kernels: exports, memory };
}

const isKernels = (exports: object): exports is Kernels =>
  kernelNames.every((name) => typeof Reflect.get(exports, name) === "function");

const pageBytes = 65_536;
// Extra room, because vectors may reach a little beyond the last pixel.
const reachBytes = 64;

interface KernelWork {
  readonly kernels: Kernels;
  readonly buffer: ArrayBuffer;
}

// The next call overwrites the memory: take it, do the work and copy the result out without awaiting in between.
export function kernelWork(bytes: number): KernelWork {
  made ??= makeForProcessor();
  const { kernels, memory } = made;
  const lacking = bytes + reachBytes - memory.buffer.byteLength;
  if (lacking > 0) memory.grow(Math.ceil(lacking / pageBytes));
  return { kernels, buffer: memory.buffer };
}
