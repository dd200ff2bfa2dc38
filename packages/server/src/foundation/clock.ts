// The clock, passed in as a value. Tests move one by hand (hand-clock.fixture.ts); nothing else in the code base reads Date.now().
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
