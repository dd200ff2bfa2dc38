import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId, trustedId } from "../../../foundation/ids.ts";
import { createLaneFronts, positionBound } from "./lane-fronts.ts";
import type { Candidate } from "./ready-store.ts";

const lane = { workspaceId: newId<"workspace">(), poolId: newId<"pool">() };
const job = (number: number, rank = 0): Candidate => ({
  jobId: trustedId(`00000000-0000-7000-8000-${String(number).padStart(12, "0")}`),
  rank,
});

function aFront(queue: Candidate[]) {
  const clock = handClock();
  const state = { reads: 0 };
  const fronts = createLaneFronts({
    clock,
    read: async () => {
      state.reads += 1;
      return [...queue].sort((x, y) => x.rank - y.rank || (x.jobId < y.jobId ? -1 : 1)).slice(0, positionBound);
    },
  });
  return { clock, state, fronts };
}

test("many reads cost one look at the queue", async () => {
  const { fronts, state } = aFront([job(1), job(2), job(3)]);
  const all = await Promise.all([1, 2, 3, 3, 2, 1].map((n) => fronts.position(lane, job(n))));
  assert.deepEqual(all, [0, 1, 2, 2, 1, 0]);
  assert.equal(state.reads, 1);
});

test("a job that came after the look makes it look again, so that no position is too small", async () => {
  const queue = [job(1)];
  const { fronts } = aFront(queue);
  assert.equal(await fronts.position(lane, job(1)), 0);
  queue.push(job(2), job(3));
  assert.equal(await fronts.position(lane, job(3)), 2);
  queue.push(job(9, -5));
  assert.equal(await fronts.position(lane, job(9, -5)), 0);
});

test("beyond the bound nothing is counted or looked up again", async () => {
  const { fronts, state } = aFront(Array.from({ length: 500 }, (_, index) => job(index + 1)));
  assert.equal(await fronts.position(lane, job(400)), positionBound);
  assert.equal(await fronts.position(lane, job(450)), positionBound);
  assert.equal(state.reads, 1);
});

test("what this process adds and takes shows without a look", async () => {
  const { fronts, state } = aFront([job(2), job(4)]);
  assert.equal(await fronts.position(lane, job(4)), 1);
  fronts.joined(lane, job(3));
  fronts.joined(lane, job(3));
  assert.equal(await fronts.position(lane, job(4)), 2);
  fronts.left(lane, job(2));
  assert.equal(await fronts.position(lane, job(4)), 1);
  assert.equal(state.reads, 1);
});
