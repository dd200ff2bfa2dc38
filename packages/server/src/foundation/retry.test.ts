import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { type HandClock, handClock } from "./hand-clock.fixture.ts";
import { backoffMs, type RetryOptions, retry } from "./retry.ts";

function options(clock: HandClock, changes: Partial<RetryOptions> = {}): RetryOptions {
  return {
    attemptsMax: 4,
    firstDelayMs: 100,
    delayMsMax: 1000,
    isRetryable: () => true,
    clock,
    random: () => 0,
    ...changes,
  };
}

// Fails the given number of times, recording when it was called.
function failing(clock: HandClock, times: number): { run: (attempt: number) => Promise<string>; calledAt: number[] } {
  const calledAt: number[] = [];
  return {
    calledAt,
    run: async (attempt) => {
      calledAt.push(clock.monotonicMs());
      if (attempt <= times) throw new Error(`attempt ${attempt}`);
      return "done";
    },
  };
}

test("pauses double from the first delay, and success ends them", async () => {
  const clock = handClock();
  const work = failing(clock, 3);
  const result = retry(work.run, options(clock));
  await clock.advance(0);
  await clock.advance(10_000);
  assert.equal(await result, "done");
  assert.deepEqual(work.calledAt, [0, 50, 150, 350]);
});

test("attempts are bounded and the last failure is the one reported", async () => {
  const clock = handClock();
  const work = failing(clock, 99);
  const result = retry(work.run, options(clock)).catch((error: unknown) => String(error));
  await clock.advance(0);
  await clock.advance(10_000);
  assert.equal(await result, "Error: attempt 4");
  assert.equal(work.calledAt.length, 4);
});

test("a permanent failure is tried once", async () => {
  const clock = handClock();
  const work = failing(clock, 99);
  await assert.rejects(retry(work.run, options(clock, { isRetryable: () => false })), /attempt 1/);
  assert.equal(work.calledAt.length, 1);
});

test("the other side's Retry-After is honoured, unless it leads beyond the total time", async () => {
  const clock = handClock();
  const work = failing(clock, 1);
  const result = retry(work.run, options(clock, { retryAfterMs: () => 3000, totalMsMax: 5000 }));
  await clock.advance(0);
  await clock.advance(10_000);
  await result;
  assert.deepEqual(work.calledAt, [0, 3000]);
  const refused = failing(clock, 1);
  await assert.rejects(retry(refused.run, options(clock, { retryAfterMs: () => 6000, totalMsMax: 5000 })), /attempt 1/);
});

test("an abort during a pause ends the waiting with the signal's reason", async () => {
  const clock = handClock();
  const stop = new AbortController();
  const work = failing(clock, 99);
  const result = retry(work.run, options(clock, { signal: stop.signal })).catch((reason: unknown) => reason);
  await clock.advance(10);
  stop.abort("stopped");
  assert.equal(await result, "stopped");
  assert.equal(work.calledAt.length, 1);
});

test("a pause is between half and the whole of its step, and never above the cap", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      fc.double({ min: 0, max: 0.999999, noNaN: true }),
      (attempt, random) => {
        const pause = backoffMs(attempt, { firstDelayMs: 100, delayMsMax: 60_000 }, () => random);
        const step = Math.min(60_000, 100 * 2 ** (attempt - 1));
        assert.ok(pause >= Math.floor(step / 2) && pause <= step);
      },
    ),
  );
});
