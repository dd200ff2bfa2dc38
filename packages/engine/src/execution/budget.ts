// A job's memory budget. Every picture's memory is requested here, so a canvas that would not fit is refused before anything is
// allocated. We count buffers: values may share one, and it counts until the last is released.
import { buffersOf, type Value } from "../pictures/picture.ts";
import { NodeError } from "./node-error.ts";
import { SpareMemory } from "./spare-memory.ts";

const megabyte = 1024 * 1024;

interface BudgetMemory {
  readonly spare: SpareMemory;
  // Whether something outside the job still needs it.
  readonly isKept: (buffer: ArrayBufferLike) => boolean;
}

export class Budget {
  readonly #bytesMax: number;
  readonly #memory: BudgetMemory;
  readonly #holders = new Map<ArrayBufferLike, number>();
  #used = 0;
  #peak = 0;

  constructor(bytesMax: number, memory: BudgetMemory = { spare: new SpareMemory(0), isKept: () => true }) {
    this.#bytesMax = bytesMax;
    this.#memory = memory;
  }

  get used(): number {
    return this.#used;
  }

  get peak(): number {
    return this.#peak;
  }

  floats(count: number, what: string): Float32Array {
    if (!Number.isSafeInteger(count) || count < 0) throw new NodeError(`${what} has an invalid size.`);
    this.expect(count * 4, what);
    const floats = this.#memory.spare.floats(count);
    this.#count(floats.buffer);
    return floats;
  }

  // Throws if this much more would be too much; reserves nothing.
  expect(bytes: number, what: string): void {
    if (this.#used + bytes <= this.#bytesMax) return;
    const needed = Math.ceil((this.#used + bytes) / megabyte);
    const allowed = Math.floor(this.#bytesMax / megabyte);
    throw new NodeError(
      `${what} does not fit: the job would need ${needed} MiB of memory, and ${allowed} MiB are allowed.`,
      "out_of_memory",
    );
  }

  hold(values: readonly Value[]): void {
    for (const buffer of values.flatMap(buffersOf)) {
      this.#count(buffer);
      this.#holders.set(buffer, (this.#holders.get(buffer) ?? 0) + 1);
    }
  }

  release(values: readonly Value[]): void {
    for (const buffer of values.flatMap(buffersOf)) {
      this.#holders.set(buffer, Math.max(0, (this.#holders.get(buffer) ?? 0) - 1));
    }
    this.dropUnheld();
  }

  // Drops what a node allocated and did not pass on.
  dropUnheld(): void {
    for (const [buffer, holders] of this.#holders) {
      if (holders > 0) continue;
      this.#holders.delete(buffer);
      this.#used -= buffer.byteLength;
      if (!this.#memory.isKept(buffer)) this.#memory.spare.give(buffer);
    }
  }

  holds(buffer: ArrayBufferLike): boolean {
    return this.#holders.has(buffer);
  }

  #count(buffer: ArrayBufferLike): void {
    if (this.#holders.has(buffer)) return;
    this.#holders.set(buffer, 0);
    this.#used += buffer.byteLength;
    this.#peak = Math.max(this.#peak, this.#used);
  }
}
