// Builds the WebAssembly module behind blake3.ts: the compression function of BLAKE3 over four inputs at once. It is
// straight-line code, 7 rounds of 8 mixings, so generating it is shorter and safer than shipping bytes.
const initial = [
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
] as const;
const permutation = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8] as const;
const columnsAndDiagonals = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

// Parameters, in the order of `Compress` in blake3.ts.
const param = {
  input: 0,
  stride: 1,
  blocks: 2,
  lastBytes: 3,
  counterLow: 4,
  counterHigh: 5,
  counterStep: 6,
  flagsFirst: 7,
  flagsAll: 8,
  flagsLast: 9,
} as const;
const block = 10;
const pointer = 11;
const isLast = 12;
const vectorsAt = 13;
const state = (at: number): number => vectorsAt + at;
const message = (at: number): number => vectorsAt + 16 + at;
const hash = (at: number): number => vectorsAt + 32 + at;
const spare = (at: number): number => vectorsAt + 40 + at;

const get = (local: number): number[] => [0x20, ...unsigned(local)];
const set = (local: number): number[] => [0x21, ...unsigned(local)];
const constant = (value: number): number[] => [0x41, ...signed(value | 0)];
const vector = (operation: number, ...more: number[]): number[] => [0xfd, ...unsigned(operation), ...more];
const load = (offset: number): number[] => vector(0x00, 0, ...unsigned(offset));
const store = (offset: number): number[] => vector(0x0b, 0, ...unsigned(offset));
const shuffle = (bytes: readonly number[]): number[] => vector(0x0d, ...bytes);
const splat = vector(0x11);
const or = vector(0x50);
const xor = vector(0x51);
const shiftLeft = vector(0xab);
const shiftRight = vector(0xad);
const add = vector(0xae);
const multiply = vector(0xb5);
const i32 = { add: 0x6a, sub: 0x6b, mul: 0x6c, or: 0x72, eqz: 0x45, eq: 0x46, less: 0x49 } as const;
const select = 0x1b;

export function compressModule(): Uint8Array<ArrayBuffer> {
  const code = [
    ...initial.flatMap((word, at) => [...constant(word), ...splat, ...set(hash(at))]),
    // loop
    0x03,
    0x40,
    ...beginBlock(),
    ...loadMessages(),
    ...beginState(),
    ...rounds(),
    ...Array.from({ length: 8 }, (_, at) => [
      ...get(state(at)),
      ...get(state(at + 8)),
      ...xor,
      ...set(hash(at)),
    ]).flat(),
    ...[...get(block), ...constant(1), i32.add, 0x22, ...unsigned(block), ...get(param.blocks), i32.less],
    // br_if to the loop, end of the loop
    0x0d,
    0,
    0x0b,
    ...storeHashes(),
    0x0b,
  ];
  const locals = [2, ...unsigned(3), 0x7f, ...unsigned(48), 0x7b];
  const body = [...locals, ...code];
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 10, ...Array<number>(10).fill(0x7f), 0]),
    ...section(3, [1, 0]),
    ...section(5, [1, 0, 1]),
    ...section(7, [2, ...name("memory"), 2, 0, ...name("compress"), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ]);
}

function beginBlock(): number[] {
  return [
    ...[...get(param.input), ...get(block), ...constant(64), i32.mul, i32.add, ...set(pointer)],
    ...[...get(block), ...get(param.blocks), ...constant(1), i32.sub, i32.eq, ...set(isLast)],
  ];
}

function loadMessages(): number[] {
  return [0, 4, 8, 12].flatMap((first) => [
    ...[0, 1, 2, 3].flatMap((lane) => [
      ...[...get(pointer), ...get(param.stride), ...constant(lane), i32.mul, i32.add],
      ...load(first * 4),
      ...set(spare(lane)),
    ]),
    ...transpose(
      [0, 1, 2, 3].map(spare),
      [0, 1, 2, 3].map((at) => message(first + at)),
    ),
  ]);
}

function beginState(): number[] {
  const lanes = [0, 1, 2, 3].flatMap((lane) => [lane, 0, 0, 0]);
  return [
    ...Array.from({ length: 8 }, (_, at) => [...get(hash(at)), ...set(state(at))]).flat(),
    ...initial.slice(0, 4).flatMap((word, at) => [...constant(word), ...splat, ...set(state(8 + at))]),
    ...[...vector(0x0c, ...lanes), ...get(param.counterStep), ...splat, ...multiply],
    ...[...get(param.counterLow), ...splat, ...add, ...set(state(12))],
    ...[...get(param.counterHigh), ...splat, ...set(state(13))],
    ...[...get(param.lastBytes), ...constant(64), ...get(isLast), select, ...splat, ...set(state(14))],
    ...[...get(param.flagsAll), ...get(param.flagsFirst), ...constant(0), ...get(block), i32.eqz, select, i32.or],
    ...[...get(param.flagsLast), ...constant(0), ...get(isLast), select, i32.or, ...splat, ...set(state(15))],
  ];
}

function rounds(): number[] {
  let order: readonly number[] = Array.from({ length: 16 }, (_, at) => at);
  const code: number[] = [];
  for (let round = 0; round < 7; round++) {
    for (const [turn, [a, b, c, d]] of columnsAndDiagonals.entries())
      code.push(...mix([a, b, c, d], order[turn * 2] ?? 0, order[turn * 2 + 1] ?? 0));
    order = permutation.map((from) => order[from] ?? 0);
  }
  return code;
}

function mix([a, b, c, d]: readonly [number, number, number, number], first: number, second: number): number[] {
  const sum = (word: number) => [
    ...[...get(state(a)), ...get(state(b)), ...add, ...get(message(word)), ...add, ...set(state(a))],
  ];
  const turnD = (rotation: readonly number[]) => [
    ...[...get(state(d)), ...get(state(a)), ...xor, ...set(spare(0))],
    ...[...get(spare(0)), ...get(spare(0)), ...shuffle(rotation), ...set(state(d))],
    ...[...get(state(c)), ...get(state(d)), ...add, ...set(state(c))],
  ];
  const turnB = (bits: number) => [
    ...[...get(state(b)), ...get(state(c)), ...xor, ...set(spare(0))],
    ...[...get(spare(0)), ...constant(bits), ...shiftRight, ...get(spare(0)), ...constant(32 - bits), ...shiftLeft],
    ...[...or, ...set(state(b))],
  ];
  return [...sum(first), ...turnD(rotated(2)), ...turnB(12), ...sum(second), ...turnD(rotated(1)), ...turnB(7)];
}

// Rotates each word right by whole bytes.
function rotated(bytes: number): number[] {
  return Array.from({ length: 16 }, (_, at) => (at & ~3) + (((at & 3) + bytes) & 3));
}

// Transposes four vectors of four words: rows become columns.
function transpose(from: readonly number[], to: readonly number[]): number[] {
  const [a = 0, b = 0, c = 0, d = 0] = from;
  const words = (...at: number[]) => at.flatMap((word) => [word * 4, word * 4 + 1, word * 4 + 2, word * 4 + 3]);
  const pair = (left: number, right: number, at: number[], into: number) => [
    ...[...get(left), ...get(right), ...shuffle(words(...at)), ...set(into)],
  ];
  const [ab, abHigh, cd, cdHigh] = [spare(4), spare(5), spare(6), spare(7)];
  const [r0 = 0, r1 = 0, r2 = 0, r3 = 0] = to;
  return [
    ...pair(a, b, [0, 4, 1, 5], ab),
    ...pair(a, b, [2, 6, 3, 7], abHigh),
    ...pair(c, d, [0, 4, 1, 5], cd),
    ...pair(c, d, [2, 6, 3, 7], cdHigh),
    ...pair(ab, cd, [0, 1, 4, 5], r0),
    ...pair(ab, cd, [2, 3, 6, 7], r1),
    ...pair(abHigh, cdHigh, [0, 1, 4, 5], r2),
    ...pair(abHigh, cdHigh, [2, 3, 6, 7], r3),
  ];
}

function storeHashes(): number[] {
  return [0, 4].flatMap((first) => [
    ...transpose(
      [0, 1, 2, 3].map((at) => hash(first + at)),
      [0, 1, 2, 3].map(spare),
    ),
    ...[0, 1, 2, 3].flatMap((lane) => [...constant(0), ...get(spare(lane)), ...store(lane * 32 + first * 4)]),
  ]);
}

function section(id: number, bytes: readonly number[]): number[] {
  return [id, ...unsigned(bytes.length), ...bytes];
}

function name(text: string): number[] {
  return [text.length, ...Array.from(text, (character) => character.charCodeAt(0))];
}

function unsigned(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}

function signed(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest >>= 7) {
    if (rest >= -64 && rest < 64) return [...bytes, rest & 0x7f];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
