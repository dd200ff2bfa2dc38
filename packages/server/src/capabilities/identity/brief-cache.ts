// Look-ups remembered for a few seconds, found or not. The age counts from the moment the look-up began, so a change
// that was committed more than `keepMs` ago is always seen. Look-ups of one key that are under way are shared; failures
// are not remembered; a dropped key is looked up afresh by the next caller, even while an older look-up still runs.
// Found and not found are bounded apart: a flood of invented keys cannot push out the good ones.
import type { Clock } from "../../foundation/clock.ts";

export interface BriefCache<Value extends object> {
  // At once when remembered, otherwise a promise.
  get(key: string, look: () => Promise<Value | null>): Value | null | Promise<Value | null>;
  // Whether the last look-up found something, however long ago; false when forgotten.
  wasFound(key: string): boolean;
  drop(key: string): void;
  // Also forgets everything that was not found: the change may be why it is there now.
  dropWhere(matches: (value: Value) => boolean): void;
}

export interface BriefCacheOptions {
  readonly clock: Clock;
  readonly keepMs: number;
  readonly entriesMax: number;
}

interface Remembered<Value> {
  readonly value: Value;
  readonly lookedAtMs: number;
}

export function createBriefCache<Value extends object>(options: BriefCacheOptions): BriefCache<Value> {
  const { clock, keepMs, entriesMax } = options;
  const found = new Map<string, Remembered<Value>>();
  const absent = new Map<string, Remembered<null>>();
  const pending = new Map<string, Promise<Value | null>>();

  const isFresh = (entry: Remembered<unknown> | undefined): boolean =>
    entry !== undefined && clock.monotonicMs() - entry.lookedAtMs < keepMs;

  function remember(key: string, value: Value | null, lookedAtMs: number): void {
    found.delete(key);
    absent.delete(key);
    if (value === null) put(absent, key, { value, lookedAtMs }, entriesMax);
    else put(found, key, { value, lookedAtMs }, entriesMax);
  }

  async function lookUp(key: string, look: () => Promise<Value | null>): Promise<Value | null> {
    const lookedAtMs = clock.monotonicMs();
    const running = look();
    pending.set(key, running);
    try {
      const value = await running;
      // Dropped meanwhile: what was read may be older than the change that dropped it.
      if (pending.get(key) === running) remember(key, value, lookedAtMs);
      return value;
    } finally {
      if (pending.get(key) === running) pending.delete(key);
    }
  }

  return {
    get(key, look) {
      const entry = found.get(key) ?? absent.get(key);
      if (entry !== undefined && isFresh(entry)) return entry.value;
      return pending.get(key) ?? lookUp(key, look);
    },
    wasFound: (key) => found.has(key),
    drop(key) {
      found.delete(key);
      absent.delete(key);
      pending.delete(key);
    },
    dropWhere(matches) {
      for (const [key, entry] of found) if (matches(entry.value)) found.delete(key);
      absent.clear();
      // What is being looked up cannot be judged yet, so none of it is remembered.
      pending.clear();
    },
  };
}

function put<Entry>(map: Map<string, Entry>, key: string, entry: Entry, entriesMax: number): void {
  const oldest = map.size >= entriesMax ? map.keys().next().value : undefined;
  if (oldest !== undefined) map.delete(oldest);
  map.set(key, entry);
}
