import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock, systemClock } from "./clock.ts";

test("a hand-moved clock wakes sleepers in the order of their times", async () => {
  const clock = handClock();
  const woken: number[] = [];
  for (const ms of [30, 10, 20]) void clock.sleep(ms).then(() => woken.push(ms));
  await clock.advance(25);
  assert.deepEqual(woken, [10, 20]);
  await clock.advance(5);
  assert.deepEqual(woken, [10, 20, 30]);
  assert.equal(clock.monotonicMs(), 30);
});

test("a sleeper that is woken by its signal is not woken again", async () => {
  const clock = handClock();
  const stop = new AbortController();
  let times = 0;
  void clock.sleep(10, stop.signal).then(() => {
    times += 1;
  });
  stop.abort();
  await clock.advance(100);
  assert.equal(times, 1);
  await systemClock.sleep(60_000, stop.signal);
});
