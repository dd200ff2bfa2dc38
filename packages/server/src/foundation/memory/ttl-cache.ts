// What was looked up a moment ago, believed for a while. The age counts from the moment a look-up began, so a change that
// was committed longer ago than that is always seen. Look-ups of one key that are under way are shared, and failures are
// not remembered. A deleted key is looked up afresh by the next caller, even while an older look-up still runs.
// Null stands for "there is none" and is bounded apart: a flood of invented keys cannot push out the good ones.
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

  // Without what is known to be absent.
  get size(): number {
    return this.#found.size;
  }

  // Undefined: unknown, or too old to be believed.
  get(key: Key): Value | undefined {
    const entry = this.#found.get(key) ?? this.#absent.get(key);
    return entry !== undefined && entry.untilMs > this.#clock.monotonicMs() ? entry.value : undefined;
  }

  // What was found last, however long ago that was, until it is deleted or has to make room.
  getStale(key: Key): Value | undefined {
    return this.#found.get(key)?.value;
  }

  // At once when it is remembered, otherwise a promise.
  getOrLoad(key: Key, load: (key: Key) => Promise<Value>): Value | Promise<Value> {
    const entry = this.#found.get(key) ?? this.#absent.get(key);
    if (entry !== undefined && entry.untilMs > this.#clock.monotonicMs()) return entry.value;
    return this.#loading.get(key) ?? this.#load(key, load);
  }

  set(key: Key, value: Value, untilMs = this.#clock.monotonicMs() + this.#keepMs): void {
    // Deleted first, so that the first entry is always the oldest.
    this.#found.delete(key);
    this.#absent.delete(key);
    (value === null ? this.#absent : this.#found).set(key, { value, untilMs });
  }

  delete(key: Key): void {
    this.#found.delete(key);
    this.#absent.delete(key);
    this.#loading.delete(key);
  }

  // Forgets also what was not found and what is being looked up: it is unknown yet whether it matches.
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
      // Deleted meanwhile: what was read may be older than the change for which it was deleted.
      if (this.#loading.get(key) === loading) this.set(key, value, untilMs);
      return value;
    } finally {
      if (this.#loading.get(key) === loading) this.#loading.delete(key);
    }
  }
}
