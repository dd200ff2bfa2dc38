// Things kept for a while, in memory, within a budget: the oldest go first when entries or bytes are too many, and what
// has expired is gone even if nobody asked.

export interface StoreLimits {
  readonly entriesMax: number;
  readonly bytesMax: number;
  readonly keepSeconds: number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly bytes: number;
  readonly expiresMs: number;
}

export class BoundedStore<Value> {
  readonly #entries = new Map<string, Entry<Value>>();
  readonly #limits: StoreLimits;
  readonly #nowMs: () => number;
  #bytes = 0;

  constructor(limits: StoreLimits, nowMs: () => number = () => performance.now()) {
    this.#limits = limits;
    this.#nowMs = nowMs;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get size(): number {
    return this.#entries.size;
  }

  // What is larger than the whole budget is not kept at all.
  put(key: string, value: Value, bytes: number): void {
    this.#drop(key);
    if (bytes > this.#limits.bytesMax) return;
    this.#entries.set(key, { value, bytes, expiresMs: this.#nowMs() + this.#limits.keepSeconds * 1000 });
    this.#bytes += bytes;
    this.#makeRoom();
  }

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    if (!entry) return undefined;
    if (entry.expiresMs > this.#nowMs()) return entry.value;
    this.#drop(key);
    return undefined;
  }

  // Insertion order is the order of expiry, so looking from the oldest on is enough.
  #makeRoom(): void {
    const now = this.#nowMs();
    for (const [key, entry] of this.#entries) {
      const isOver = this.#entries.size > this.#limits.entriesMax || this.#bytes > this.#limits.bytesMax;
      if (!isOver && entry.expiresMs > now) return;
      this.#drop(key);
    }
  }

  #drop(key: string): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
  }
}
