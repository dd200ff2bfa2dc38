// The clock, passed in as a value. Tests move it by hand; nothing else in the code base reads Date.now().
// `monotonicMs` measures durations and never jumps; `now` is the wall clock, for times that people read.
export interface Clock {
  now(): Date;
  monotonicMs(): number;
  // Resolves after `ms`, or earlier when the signal fires. Never rejects.
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  // Runs once after `ms`, unless the returned function is called first. For timeouts that every request sets and hardly any
  // uses: a sleep with a signal would cost many times as much.
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener("abort", done, { once: true });
    }),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

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
