// Just enough of a WebAssembly assembler to write a few vector loops by hand: JavaScript has no vector instructions, and
// pictures are little else than vectors. Code is nested lists of bytes.
export type Code = readonly (number | Code)[];

export const i32 = 0x7f;
export const f32 = 0x7d;
const v128 = 0x7b;

export interface KernelFunction {
  readonly name: string;
  readonly parameters: readonly number[];
  // Locals after the parameters: this many integers, then this many vectors.
  readonly integers: number;
  readonly vectors: number;
  readonly body: Code;
}

export function assembleModule(functions: readonly KernelFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters }) => [0x60, parameters.length, parameters, 0]);
  const memory = [vector(bytes("env")), vector(bytes("memory")), 2, 0, 0];
  const exports = functions.map(({ name }, index) => [vector(bytes(name)), 0, index]);
  const bodies = functions.map(({ integers, vectors, body }) => sized([2, integers, i32, vectors, v128, body, 0x0b]));
  const code = [
    bytes("\0asm"),
    [1, 0, 0, 0],
    section(1, [functions.length, types]),
    section(2, [1, memory]),
    section(3, [functions.length, functions.map((_, index) => index)]),
    section(7, [functions.length, exports]),
    section(10, [functions.length, bodies]),
  ];
  return Uint8Array.from(flat(code));
}

const flat = (code: Code): number[] => code.flatMap((part) => (typeof part === "number" ? [part] : flat(part)));
const bytes = (text: string): number[] => [...Buffer.from(text, "latin1")];
const vector = (content: readonly number[]): Code => [unsigned(content.length), content];
const section = (id: number, content: Code): Code => [id, sized(content)];

function sized(content: Code): Code {
  const whole = flat(content);
  return [unsigned(whole.length), whole];
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)];
}

function signed(value: number): number[] {
  const isLast = value >= -64 && value < 64;
  return isLast ? [value & 127] : [(value & 127) | 128, ...signed(value >> 7)];
}

const simd = (operation: number): Code => [0xfd, unsigned(operation)];
const two = (operation: Code) => (one: Code, other: Code) => [one, other, operation];
const one = (operation: Code) => (operand: Code) => [operand, operation];

export const get = (local: number): Code => [0x20, local];
export const set = (local: number, value: Code): Code => [value, 0x21, local];
export const constant = (value: number): Code => [0x41, signed(value)];
export const add = two([0x6a]);
export const raise = (local: number, by: Code): Code => set(local, add(get(local), by));
export const loadInteger = (address: Code, offset = 0): Code => [address, 0x28, 2, unsigned(offset)];

// Runs its body at least once, and again while `local` is below `end` (both unsigned addresses).
export const until = (local: number, end: Code, body: Code): Code => [
  [0x03, 0x40],
  body,
  get(local),
  end,
  0x49,
  [0x0d, 0],
  0x0b,
];

export const load = (address: Code, offset = 0): Code => [address, simd(0), 0, unsigned(offset)];
// Addresses need no alignment.
export const store = (address: Code, value: Code, offset = 0): Code => [address, value, simd(11), 0, unsigned(offset)];
export const storeFirst32 = (address: Code, value: Code): Code => [address, value, simd(0x5a), 0, 0, 0];
export const storeFirst64 = (address: Code, value: Code): Code => [address, value, simd(0x5b), 0, 0, 0];
export const loadOnly32 = (address: Code): Code => [address, simd(0x5c), 0, 0];
export const loadOnly64 = (address: Code): Code => [address, simd(0x5d), 0, 0];
export const splat32 = (address: Code, offset = 0): Code => [address, simd(9), 0, unsigned(offset)];
export const splatFloat = one(simd(0x13));
export const splatInteger = one(simd(0x11));
export const float = (value: number): Code => [0x43, ...new Uint8Array(Float32Array.of(value).buffer)];

export const zero: Code = [simd(12), new Array(16).fill(0)];
const lanes = (first: readonly number[]) => (low: Code, high: Code) => [low, high, simd(13), first];
// Moves the last two floats of a vector to the front; and joins the first two of each.
const upperHalf = (value: Code): Code => lanes([8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7])(value, value);
const lowerHalves = lanes([0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23]);

export const rootOfFloats = one(simd(0xe3));
export const addFloats = two(simd(0xe4));
export const lessFloats = two(simd(0xe5));
// All bits set where the first is at most the other; and the first where those bits are set, otherwise the other.
export const isAtMost = two(simd(0x45));
export const chosen = (one: Code, other: Code, bits: Code): Code => [one, other, bits, simd(0x52)];
export const timesFloats = two(simd(0xe6));
export const overFloats = two(simd(0xe7));
export const leastFloats = two(simd(0xe8));
export const mostFloats = two(simd(0xe9));
const addDoubles = two(simd(0xf0));
const timesDoubles = two(simd(0xf2));
// First two floats → doubles; doubles → first two floats.
const toDoubles = one(simd(0x5f));
const toFloats = one(simd(0x5e));

// one × other + sum with a single rounding, using the processor's instruction; a processor without it rounds twice.
export const fusedByProcessor = (one: Code, other: Code, sum: Code): Code => [one, other, sum, simd(0x105)];

// The same in 64 bits: the product is exact there, and the second rounding matters once in 2²⁹ sums.
export function fusedByDoubles(one: Code, other: Code, sum: Code): Code {
  const half = (part: (value: Code) => Code): Code =>
    toFloats(addDoubles(timesDoubles(toDoubles(part(one)), toDoubles(part(other))), toDoubles(part(sum))));
  return lowerHalves(
    half((value) => value),
    half(upperHalf),
  );
}

export const addIntegers = two(simd(0xae));
export const timesIntegers = two(simd(0xb5));
export const leastUnsigned = two(simd(0xb7));
export const shiftDown = (value: Code, by: number): Code => [value, constant(by), simd(0xac)];
// Truncates; values outside 0..2³²−1 are clamped, NaN becomes 0.
export const floatsToUnsigned = one(simd(0xf9));
export const unsignedToFloats = one(simd(0xfb));
export const bytesToShorts = one(simd(0x89));
export const shortsToIntegers = one(simd(0xa9));
export const upperShortsToIntegers = one(simd(0xaa));
// Saturates to the range of the result.
export const integersToShorts = two(simd(0x85));
export const shortsToBytes = two(simd(0x66));
