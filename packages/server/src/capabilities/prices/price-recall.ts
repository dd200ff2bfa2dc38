// Remembers answers for a while, counted from when they were asked for, so that none is ever older than that. A dropped
// key forgets its answer and also the one that is on its way.
import type { Clock } from "../../foundation/clock.ts";

export interface Recall<Key, Value> {
  get(key: Key): Value | Promise<Value>;
  drop(key: Key): void;
}

export interface RecallOptions<Key, Value> {
  readonly clock: Clock;
  readonly look: (key: Key) => Promise<Value>;
  readonly keepMs: number;
  readonly entriesMax: number;
}

export function recallFor<Key, Value>(options: RecallOptions<Key, Value>): Recall<Key, Value> {
  const { clock, look, keepMs, entriesMax } = options;
  const entries = new Map<Key, { readonly value: Value; readonly askedMs: number }>();
  const pending = new Map<Key, Promise<Value>>();

  async function lookUp(key: Key): Promise<Value> {
    const askedMs = clock.monotonicMs();
    const running = look(key);
    pending.set(key, running);
    try {
      const value = await running;
      if (pending.get(key) === running) remember(key, { value, askedMs });
      return value;
    } finally {
      if (pending.get(key) === running) pending.delete(key);
    }
  }

  function remember(key: Key, entry: { readonly value: Value; readonly askedMs: number }): void {
    // Deleted first, so that the map stays in the order of asking and the first entry is the oldest.
    entries.delete(key);
    const oldest = entries.size >= entriesMax ? entries.keys().next() : null;
    if (oldest && !oldest.done) entries.delete(oldest.value);
    entries.set(key, entry);
  }

  return {
    get(key) {
      const entry = entries.get(key);
      if (entry && clock.monotonicMs() - entry.askedMs < keepMs) return entry.value;
      return pending.get(key) ?? lookUp(key);
    },
    drop(key) {
      entries.delete(key);
      pending.delete(key);
    },
  };
}
