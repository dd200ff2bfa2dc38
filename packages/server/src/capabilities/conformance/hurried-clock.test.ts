import assert from "node:assert/strict";
import { test } from "node:test";
import { startDeadline } from "../../foundation/deadline.ts";
import { hurriedClock } from "./hurried-clock.ts";

test("a wait passes at once and the time with it", async () => {
  const clock = hurriedClock();
  const began = clock.now().getTime();
  await clock.sleep(60_000);
  assert.equal(clock.now().getTime() - began, 60_000);
  assert.equal(clock.monotonicMs(), 60_000);
});

test("a deadline comes while somebody waits, once, and not when it was called off", async () => {
  const clock = hurriedClock();
  const runs: string[] = [];
  clock.after(500, () => runs.push("early"));
  clock.after(500, () => runs.push("called off"))();
  const deadline = startDeadline({ clock, afterMs: 1000 });
  await clock.sleep(999);
  assert.deepEqual([runs, deadline.signal.aborted], [["early"], false]);
  clock.skip(1);
  await clock.sleep(5000);
  assert.deepEqual([runs, deadline.signal.aborted], [["early"], true]);
});
