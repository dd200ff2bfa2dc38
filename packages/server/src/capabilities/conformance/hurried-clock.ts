// A clock whose waits end immediately, in the right order, so that the kit runs minutes of polling in milliseconds.
// Requests over the network take no time on this clock.
import type { Clock } from "../../foundation/clock.ts";

export interface HurriedClock extends Clock {
  // Lets time pass without waiting, for example to age a token.
  skip(ms: number): void;
}

export function hurriedClock(start = new Date("2026-01-01T00:00:00.000Z")): HurriedClock {
  let elapsedMs = 0;
  let alarms: { readonly atMs: number; readonly run: () => void }[] = [];
  const skip = (ms: number) => {
    elapsedMs += ms;
    const due = alarms.filter(({ atMs }) => atMs <= elapsedMs);
    alarms = alarms.filter((alarm) => !due.includes(alarm));
    for (const { run } of due) run();
  };
  return {
    skip,
    now: () => new Date(start.getTime() + elapsedMs),
    monotonicMs: () => elapsedMs,
    async sleep(ms, signal) {
      if (signal?.aborted) return;
      skip(ms);
      await new Promise((resolve) => setImmediate(resolve));
    },
    after(ms, run) {
      const alarm = { atMs: elapsedMs + ms, run };
      alarms.push(alarm);
      return () => {
        alarms = alarms.filter((other) => other !== alarm);
      };
    },
  };
}
