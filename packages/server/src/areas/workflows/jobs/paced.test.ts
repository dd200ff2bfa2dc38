import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { paced } from "./paced.ts";

test("the first goes at once, the rest of an interval is one call at its end, and silence stays silence", async () => {
  const clock = handClock();
  const sentAt: number[] = [];
  const pace = paced(clock, 500, () => sentAt.push(clock.monotonicMs()));
  for (let offered = 0; offered < 100; offered++) {
    pace.offer();
    await clock.advance(20);
  }
  assert.deepEqual(sentAt, [0, 500, 1000, 1500, 2000]);
  await clock.advance(5000);
  assert.equal(sentAt.length, 5);
});

test("a waiting call can be sent early, once, and a stopped one sends nothing", async () => {
  const clock = handClock();
  let sent = 0;
  const pace = paced(clock, 500, () => sent++);
  pace.offer();
  pace.offer();
  pace.flush();
  pace.flush();
  assert.equal(sent, 2);
  await clock.advance(1000);
  assert.equal(sent, 2);
  pace.offer();
  pace.offer();
  pace.stop();
  await clock.advance(1000);
  assert.equal(sent, 3);
});
