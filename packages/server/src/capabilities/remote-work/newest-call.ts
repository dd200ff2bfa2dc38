// Calls where only the newest counts: one in flight per key, a pause between them, and a call that is superseded while it
// waits is never made.
import type { Clock } from "../../foundation/clock.ts";

export interface NewestCalls {
  push(key: string, run: () => Promise<unknown>): void;
  // Makes the waiting call without the pause, and waits for the one in flight.
  settle(key: string): Promise<void>;
  forget(key: string): void;
  close(): void;
}

const pauseMs = 500;

export function createNewestCalls(clock: Clock): NewestCalls {
  const waiting = new Map<string, () => Promise<unknown>>();
  const busy = new Set<string>();
  const calling = new Map<string, Promise<void>>();
  const closing = new AbortController();

  async function call(key: string, next: () => Promise<unknown>): Promise<void> {
    waiting.delete(key);
    // Only a hint: if it fails, the next one replaces it.
    const called = next().then(
      () => undefined,
      () => undefined,
    );
    calling.set(key, called);
    await called;
    if (calling.get(key) === called) calling.delete(key);
  }

  async function run(key: string): Promise<void> {
    if (busy.has(key)) return;
    busy.add(key);
    for (let next = waiting.get(key); next && !closing.signal.aborted; next = waiting.get(key)) {
      await call(key, next);
      await clock.sleep(pauseMs, closing.signal);
    }
    busy.delete(key);
  }

  return {
    push(key, next) {
      waiting.set(key, next);
      void run(key);
    },
    async settle(key) {
      const last = waiting.get(key);
      waiting.delete(key);
      await calling.get(key);
      if (last && !closing.signal.aborted) await call(key, last);
    },
    forget: (key) => void waiting.delete(key),
    close() {
      closing.abort();
      waiting.clear();
    },
  };
}
