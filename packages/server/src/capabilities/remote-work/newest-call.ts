// Calls of which only the newest counts: one in flight for each key, a pause between them, and what is overtaken while it
// waits is never made.
import type { Clock } from "../../foundation/clock.ts";

export interface NewestCalls {
  tell(key: string, run: () => Promise<unknown>): void;
  forget(key: string): void;
  close(): void;
}

const pauseMs = 500;

export function createNewestCalls(clock: Clock): NewestCalls {
  const waiting = new Map<string, () => Promise<unknown>>();
  const busy = new Set<string>();
  const closing = new AbortController();

  async function run(key: string): Promise<void> {
    if (busy.has(key)) return;
    busy.add(key);
    for (let next = waiting.get(key); next && !closing.signal.aborted; next = waiting.get(key)) {
      waiting.delete(key);
      // A hint: what does not get through is overtaken by the next.
      await next().catch(() => undefined);
      await clock.sleep(pauseMs, closing.signal);
    }
    busy.delete(key);
  }

  return {
    tell(key, call) {
      waiting.set(key, call);
      void run(key);
    },
    forget: (key) => void waiting.delete(key),
    close() {
      closing.abort();
      waiting.clear();
    },
  };
}
