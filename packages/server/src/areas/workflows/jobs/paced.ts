// At most one call per interval; calls offered in between become one at its end. The newest wins, because the caller sends what
// is newest at that time.
import type { Clock } from "../../../foundation/clock.ts";

export interface Paced {
  offer(): void;
  // Sends what is waiting, now.
  flush(): void;
  stop(): void;
}

export function paced(clock: Clock, intervalMs: number, send: () => void): Paced {
  const stopped = new AbortController();
  let nextMs = Number.NEGATIVE_INFINITY;
  let isWaiting = false;
  const now = () => {
    isWaiting = false;
    nextMs = clock.monotonicMs() + intervalMs;
    send();
  };
  return {
    offer() {
      if (isWaiting || stopped.signal.aborted) return;
      const waitMs = nextMs - clock.monotonicMs();
      if (waitMs <= 0) return now();
      isWaiting = true;
      void clock.sleep(waitMs, stopped.signal).then(() => {
        if (isWaiting && !stopped.signal.aborted) now();
      });
    },
    flush() {
      if (isWaiting) now();
    },
    stop: () => stopped.abort(),
  };
}
