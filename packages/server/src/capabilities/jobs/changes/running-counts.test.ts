import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { runningCounts } from "./running-counts.ts";

const poolId = newId<"pool">();
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

test("a cheap count is repeated each time", async () => {
  const { counts, reads } = counted(1);
  for (let time = 0; time < 3; time++) await counts.of(poolId);
  assert.equal(reads(), 3);
});

test("a costly count is cached in proportion to its cost, for at most a quarter of a second", async () => {
  for (const [costMs, keptMs] of [
    [2, 40],
    [100, 250],
  ] as const) {
    const { clock, counts, reads } = counted(costMs);
    await counts.of(poolId);
    clock.advance(keptMs - 1);
    await counts.of(poolId);
    assert.equal(reads(), 1);
    clock.advance(1);
    await counts.of(poolId);
    assert.equal(reads(), 2);
  }
});

test("between counts, jobs that start and end here adjust the count of their pool", async () => {
  const { counts, reads } = counted(5);
  await counts.of(poolId);
  counts.changed({ poolId, workspaceId: one }, -1);
  counts.changed({ poolId, workspaceId: other }, 1);
  counts.changed({ poolId: newId<"pool">(), workspaceId: one }, 1);
  assert.deepEqual(
    [...(await counts.of(poolId))],
    [
      [one, 2],
      [other, 1],
    ],
  );
  for (let time = 0; time < 3; time++) counts.changed({ poolId, workspaceId: other }, -1);
  assert.equal((await counts.of(poolId)).get(other), 0);
  assert.equal(reads(), 1);
});
