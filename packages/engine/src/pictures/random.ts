// Normally distributed numbers from a seed, identical to the application's on the CPU: a Mersenne twister (MT19937, seeded with
// the lower 32 bits), and pairs of uniform numbers turned into pairs of normal ones. Sixteen numbers and more are made in blocks
// of sixteen from 24-bit uniforms; fewer one by one from 53-bit uniforms.
import { logarithm, sineAndCosine } from "./vector-functions.ts";

const size = 624;
const middle = 397;

class Twister {
  readonly #state = new Uint32Array(size);
  #at = size;

  constructor(seed: number) {
    this.#state[0] = seed >>> 0;
    for (let index = 1; index < size; index++) {
      const previous = this.#state[index - 1] ?? 0;
      this.#state[index] = Math.imul(1812433253, previous ^ (previous >>> 30)) + index;
    }
  }

  next(): number {
    if (this.#at === size) this.#twist();
    let value = this.#state[this.#at++] ?? 0;
    value ^= value >>> 11;
    value ^= (value << 7) & 0x9d2c5680;
    value ^= (value << 15) & 0xefc60000;
    return (value ^ (value >>> 18)) >>> 0;
  }

  #twist(): void {
    const state = this.#state;
    for (let index = 0; index < size; index++) {
      const mixed = ((state[index] ?? 0) & 0x80000000) | ((state[(index + 1) % size] ?? 0) & 0x7fffffff);
      const odd = mixed & 1 ? 0x9908b0df : 0;
      state[index] = (state[(index + middle) % size] ?? 0) ^ (mixed >>> 1) ^ odd;
    }
    this.#at = 0;
  }
}

// Integers from 0 to `most`, as the application's number library draws them: as many bits as needed, repeated while the result
// is too large.
export function legacyDraws(seed: number): (most: number) => number {
  const twister = new Twister(seed);
  return (most) => {
    const mask = 2 ** (32 - Math.clz32(most)) - 1;
    let drawn = (twister.next() & mask) >>> 0;
    while (drawn > most) drawn = (twister.next() & mask) >>> 0;
    return drawn;
  };
}

export function normals(seed: bigint, count: number): Float32Array {
  const out = new Float32Array(count);
  const twister = new Twister(Number(BigInt.asUintN(32, seed)));
  if (count < 16) fillFew(twister, out);
  else fillBlocks(twister, out);
  return out;
}

function fillBlocks(twister: Twister, out: Float32Array): void {
  for (let at = 0; at < out.length; at++) out[at] = uniform24(twister);
  for (let at = 0; at + 16 <= out.length; at += 16) normalBlock(out, at);
  if (out.length % 16 === 0) return;
  const last = out.length - 16;
  for (let at = last; at < out.length; at++) out[at] = uniform24(twister);
  normalBlock(out, last);
}

const { fround } = Math;
const fullTurn = fround(2 * Math.PI);

function normalBlock(out: Float32Array, start: number): void {
  for (let at = start; at < start + 8; at++) {
    const radius = fround(Math.sqrt(-2 * logarithm(fround(1 - (out[at] ?? 0)))));
    const [sine, cosine] = sineAndCosine(fround(fullTurn * (out[at + 8] ?? 0)));
    out[at] = radius * cosine;
    out[at + 8] = radius * sine;
  }
}

function fillFew(twister: Twister, out: Float32Array): void {
  for (let at = 0; at < out.length; at += 2) {
    const angle = 2 * Math.PI * uniform53(twister);
    const radius = Math.sqrt(-2 * Math.log1p(-uniform53(twister)));
    out[at] = radius * Math.cos(angle);
    if (at + 1 < out.length) out[at + 1] = radius * Math.sin(angle);
  }
}

function uniform24(twister: Twister): number {
  return (twister.next() & 0xffffff) * 2 ** -24;
}

// The first number drawn is the upper half.
function uniform53(twister: Twister): number {
  const upper = twister.next();
  const lower = twister.next();
  return ((upper & 0x1fffff) * 2 ** 32 + lower) * 2 ** -53;
}
