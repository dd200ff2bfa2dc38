// At most one call in each interval; what is offered in between is one call at its end. The newest wins because the
// caller sends what is newest then.
import type { Clock } from "../../../foundation/clock.ts";

export interface Paced {
  offer(): void;
  // Sends what waits, now.
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
