// Every random choice of a torture run comes from one printed seed. Each part draws from its own named stream, so that
// one part drawing more does not change what the others do.
import { createHash } from "node:crypto";

export interface Seeded {
  // From 0 (inclusive) to 1 (exclusive).
  next(): number;
  between(min: number, max: number): number;
  chance(share: number): boolean;
  pick<T>(items: readonly [T, ...T[]]): T;
  stream(name: string): Seeded;
}

export function seeded(seed: string | number): Seeded {
  let state = createHash("sha256").update(String(seed)).digest().readUInt32LE(0);
  // A Weyl sequence whose steps are mixed by two multiplications: uniform enough for choosing victims.
  const next = () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
  };
  return {
    next,
    between: (min, max) => min + next() * (max - min),
    chance: (share) => next() < share,
    pick: (items) => items[Math.floor(next() * items.length)] ?? items[0],
    stream: (name) => seeded(`${seed} ${name}`),
  };
}
