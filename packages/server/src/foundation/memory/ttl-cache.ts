// A cache with a maximum age. The age counts from the moment a look-up began, so a change committed longer ago than that is
// always seen. Concurrent look-ups of one key are shared, and failures are not cached. After a delete, the next caller looks
// the key up again, even while an older look-up still runs.
// Null means "does not exist" and has its own bound: a flood of invented keys cannot evict the good ones.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../clock.ts";

export interface TtlCacheOptions<Value> {
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly keepMs: number;
  readonly entriesMax: number;
  // See BoundedMap.
  readonly bytesMax?: number;
  readonly bytesOf?: (value: Value) => number;
}

interface Entry<Value> {
  readonly value: Value;
  readonly untilMs: number;
}

export class TtlCache<Key, Value> {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #keepMs: number;
  readonly #found: BoundedMap<Key, Entry<Value>>;
  readonly #absent: BoundedMap<Key, Entry<Value>>;
  readonly #loading = new Map<Key, Promise<Value>>();

  constructor({ clock, keepMs, entriesMax, bytesMax, bytesOf }: TtlCacheOptions<Value>) {
    this.#clock = clock;
    this.#keepMs = keepMs;
    const bytes =
      bytesMax === undefined || bytesOf === undefined
        ? {}
        : { bytesMax, bytesOf: ({ value }: Entry<Value>) => bytesOf(value) };
    this.#found = new BoundedMap(entriesMax, bytes);
    this.#absent = new BoundedMap(entriesMax);
  }

  // Not counting keys known to be absent.
  get size(): number {
    return this.#found.size;
  }

  // Undefined if unknown or expired.
  get(key: Key): Value | undefined {
    const entry = this.#found.get(key) ?? this.#absent.get(key);
    return entry !== undefined && entry.untilMs > this.#clock.monotonicMs() ? entry.value : undefined;
  }

  // The last value found, however old, until it is deleted or evicted.
  getStale(key: Key): Value | undefined {
    return this.#found.get(key)?.value;
  }

  // Returns the value directly if it is cached, otherwise a promise.
  getOrLoad(key: Key, load: (key: Key) => Promise<Value>): Value | Promise<Value> {
    const entry = this.#found.get(key) ?? this.#absent.get(key);
    if (entry !== undefined && entry.untilMs > this.#clock.monotonicMs()) return entry.value;
    return this.#loading.get(key) ?? this.#load(key, load);
  }

  set(key: Key, value: Value, untilMs = this.#clock.monotonicMs() + this.#keepMs): void {
    // Delete first, so that the first entry is always the oldest.
    this.#found.delete(key);
    this.#absent.delete(key);
    (value === null ? this.#absent : this.#found).set(key, { value, untilMs });
  }

  delete(key: Key): void {
    this.#found.delete(key);
    this.#absent.delete(key);
    this.#loading.delete(key);
  }

  // Also forgets negative results and look-ups in progress: we do not know yet whether they match.
  deleteWhere(matches: (value: Value) => boolean): void {
    for (const [key, { value }] of this.#found) if (matches(value)) this.#found.delete(key);
    this.#absent.clear();
    this.#loading.clear();
  }

  clear(): void {
    this.deleteWhere(() => true);
  }

  async #load(key: Key, load: (key: Key) => Promise<Value>): Promise<Value> {
    const untilMs = this.#clock.monotonicMs() + this.#keepMs;
    const loading = load(key);
    this.#loading.set(key, loading);
    try {
      const value = await loading;
      // If it was deleted in the meantime, do not store it: the value may be older than the change that caused the delete.
      if (this.#loading.get(key) === loading) this.set(key, value, untilMs);
      return value;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }
}
