import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newestWins } from "./newest-wins.ts";

test("the first comes at once, then the newest of every interval, and the last is not lost", async () => {
  const clock = handClock();
  const given: number[] = [];
  const paced = newestWins<number>(clock, 100, (value) => given.push(value));
  for (let value = 0; value < 30; value++) {
    paced.offer(value);
    await clock.advance(10);
  }
  await clock.advance(100);
  assert.deepEqual(given, [0, 9, 19, 29]);
});

test("a waiting value can be flushed at once or dropped", async () => {
  const clock = handClock();
  const given: string[] = [];
  const paced = newestWins<string>(clock, 100, (value) => given.push(value));
  paced.offer("a");
  paced.offer("b");
  paced.flush();
  paced.offer("c");
  paced.clear();
  await clock.advance(1_000);
  assert.deepEqual(given, ["a", "b"]);
});
