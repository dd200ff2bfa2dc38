// A clock that tests move by hand.
import type { Clock } from "./clock.ts";

export interface HandClock extends Clock {
  // Advances both clocks and wakes every sleeper that is due, in order.
  advance(ms: number): Promise<void>;
}

export function handClock(start = new Date("2026-01-01T00:00:00.000Z")): HandClock {
  let elapsed = 0;
  let sleepers: { at: number; wake: () => void }[] = [];
  return {
    now: () => new Date(start.getTime() + elapsed),
    monotonicMs: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const sleeper = { at: elapsed + ms, wake: resolve };
        sleepers.push(sleeper);
        signal?.addEventListener(
          "abort",
          () => {
            sleepers = sleepers.filter((other) => other !== sleeper);
            resolve();
          },
          { once: true },
        );
      }),
    after: (ms, run) => {
      const sleeper = { at: elapsed + ms, wake: run };
      sleepers.push(sleeper);
      return () => {
        sleepers = sleepers.filter((other) => other !== sleeper);
      };
    },
    async advance(ms) {
      const target = elapsed + ms;
      for (;;) {
        const next = sleepers.filter((sleeper) => sleeper.at <= target).sort((a, b) => a.at - b.at)[0];
        if (!next) break;
        elapsed = Math.max(elapsed, next.at);
        sleepers = sleepers.filter((sleeper) => sleeper !== next);
        next.wake();
        await new Promise((resolve) => setImmediate(resolve));
      }
      elapsed = target;
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}
