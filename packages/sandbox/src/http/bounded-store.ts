// Keeps things in memory for a while, within a budget: the oldest go first if there are too many entries or bytes, and expired
// ones are removed even if they were never read.
import { BoundedMap } from "@atelier/engine/bounded-map";

interface StoreLimits {
  readonly entriesMax: number;
  readonly bytesMax: number;
  readonly keepSeconds: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  readonly expiresMs: number;
}

// Whether there is room for one more; if there are too many entries, the oldest that has ended is forgotten.
export function makeRoom<Value>(entries: Map<string, Value>, max: number, isEnded: (entry: Value) => boolean): boolean {
  if (entries.size < max) return true;
  const ended = entries.entries().find(([, entry]) => isEnded(entry));
  return ended !== undefined && entries.delete(ended[0]);
}

export class BoundedStore<Value> {
  readonly #entries: BoundedMap<string, Entry<Value>>;
  readonly #keepMs: number;
  readonly #nowMs: () => number;

  constructor({ entriesMax, bytesMax, keepSeconds }: StoreLimits, nowMs: () => number = () => performance.now()) {
    this.#entries = new BoundedMap(entriesMax, { bytesMax, bytesOf: ({ bytes }) => bytes });
    this.#keepMs = keepSeconds * 1000;
    this.#nowMs = nowMs;
  }

  get bytes(): number {
    return this.#entries.bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  // A value larger than the whole budget is not kept at all.
  put(key: string, value: Value, bytes: number): void {
    const now = this.#nowMs();
    this.#entries.delete(key);
    // Insertion order is the order of expiry, so we only look from the oldest on.
    for (const [oldest, { expiresMs }] of this.#entries) {
      if (expiresMs > now) break;
      this.#entries.delete(oldest);
    }
    this.#entries.set(key, { value, bytes, expiresMs: now + this.#keepMs });
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry && entry.expiresMs > this.#nowMs()) return entry.value;
    this.#entries.delete(key);
    return undefined;
  }
}
