// Passes on the newest of many values, at most one per interval, so a sender of a hundred a second costs no more than a
// sender of ten.
import type { Clock } from "../../../foundation/clock.ts";

export interface NewestWins<T> {
  offer(value: T): void;
  // Delivers the pending value now.
  flush(): void;
  // Drops the pending value.
  clear(): void;
}

export function newestWins<T>(clock: Clock, everyMs: number, give: (value: T) => void): NewestWins<T> {
  let waiting: { readonly value: T } | null = null;
  let cancel: (() => void) | null = null;
  let gaveAtMs = Number.NEGATIVE_INFINITY;
  const stop = () => {
    cancel?.();
    cancel = null;
  };
  const flush = () => {
    stop();
    if (waiting === null) return;
    const { value } = waiting;
    waiting = null;
    gaveAtMs = clock.monotonicMs();
    give(value);
  };
  return {
    offer(value) {
      waiting = { value };
      if (cancel !== null) return;
      const leftMs = gaveAtMs + everyMs - clock.monotonicMs();
      if (leftMs <= 0) flush();
      else cancel = clock.after(leftMs, flush);
    },
    flush,
    clear() {
      stop();
      waiting = null;
    },
  };
}
