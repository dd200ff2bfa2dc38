import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "./clock.ts";
import { handClock } from "./hand-clock.fixture.ts";

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

test("a timer runs once at its time, and never after it was cancelled", async () => {
  const clock = handClock();
  const ran: string[] = [];
  clock.after(10, () => ran.push("kept"));
  clock.after(10, () => ran.push("called off"))();
  await clock.advance(9);
  assert.equal(ran.length, 0);
  await clock.advance(100);
  assert.deepEqual(ran, ["kept"]);
  await new Promise<void>((resolve) => {
    systemClock.after(1, () => ran.push("called off"))();
    systemClock.after(5, resolve);
  });
  assert.deepEqual(ran, ["kept"]);
});
