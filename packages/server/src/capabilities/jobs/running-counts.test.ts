import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { runningCounts } from "./running-counts.ts";
import { shareOf } from "./workspace-share.ts";

const [one, other] = [newId<"workspace">(), newId<"workspace">()];

function counted(costMs: number) {
  const clock = handClock();
  let reads = 0;
  const counts = runningCounts({
    clock,
    async count() {
      reads++;
      clock.advance(costMs);
      return new Map([[one, 3]]);
    },
  });
  return { clock, counts, reads: () => reads };
}

test("what costs next to nothing is counted anew each time", async () => {
  const { counts, reads } = counted(1);
  for (let time = 0; time < 3; time++) await counts();
  assert.equal(reads(), 3);
});

test("what costs something is counted anew after a time in proportion to it, at most a quarter of a second", async () => {
  for (const [costMs, keptMs] of [
    [2, 40],
    [100, 250],
  ] as const) {
    const { clock, counts, reads } = counted(costMs);
    await counts();
    clock.advance(keptMs - 1);
    await counts();
    assert.equal(reads(), 1);
    clock.advance(1);
    await counts();
    assert.equal(reads(), 2);
  }
});

test("meanwhile what is claimed here is counted on, and full is full", async () => {
  const { counts } = counted(5);
  const share = async () => shareOf({ running: await counts(), free: 5, share: 0.5 });
  assert.equal((await share()).isFull(one), false);
  (await share()).took(one);
  (await share()).took(one);
  assert.deepEqual([...(await counts())], [[one, 5]]);
  assert.deepEqual([(await share()).isFull(one), (await share()).isFull(other)], [true, false]);
});
