import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import { type PlannedWorker, planWorkers, readWorkerRange, startPauseMs } from "./plan-workers.ts";

const worker = (number: number, state: PlannedWorker["state"], idleSinceMs: number | null = null): PlannedWorker => ({
  number,
  state,
  idleSinceMs,
});
const plan = (workers: readonly PlannedWorker[], wanted: number, nowMs = 100_000) =>
  planWorkers(workers, { wanted, idleMs: 60_000, nowMs });

describe("a plan for workers", () => {
  test("starts what is lacking, from zero too, and counts those that are starting", () => {
    assert.equal(plan([], 3).start, 3);
    assert.equal(plan([worker(0, "ready"), worker(1, "starting")], 4).start, 2);
    assert.deepEqual(plan([], 0), { start: 0, letGo: [], keep: [], forget: [], lookAtMs: null });
  });

  test("keeps one that was about to leave before it starts another", () => {
    const { keep, start } = plan([worker(0, "leaving"), worker(1, "ready")], 3);
    assert.deepEqual([keep, start], [[0], 1]);
  });

  test("lets go only those without a job for long enough, the longest idle first, and never more than are too many", () => {
    const workers = [
      worker(0, "ready", 39_000),
      worker(1, "ready"),
      worker(2, "ready", 20_000),
      worker(3, "ready", 90_000),
    ];
    assert.deepEqual(plan(workers, 0).letGo, [2, 0]);
    assert.equal(plan(workers, 0).lookAtMs, 150_000, "when the next one's time is up");
    assert.deepEqual(plan(workers, 3).letGo, [2]);
    assert.deepEqual(plan(workers, 4).letGo, []);
  });

  test("starts nothing more while a start waits after a failure, and forgets it when it is not wanted any more", () => {
    assert.equal(plan([worker(0, "waiting")], 4).start, 0);
    assert.deepEqual(plan([worker(0, "waiting"), worker(1, "ready")], 1).forget, [0]);
  });

  test("never lets one with a job go, and never ends above what is wanted for lack of trying", () => {
    const some = fc.array(
      fc.record({
        state: fc.constantFrom<PlannedWorker["state"]>("starting", "ready", "leaving", "waiting"),
        idleSinceMs: fc.option(fc.integer({ min: 0, max: 200_000 })),
      }),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(some, fc.integer({ min: 0, max: 12 }), (drawn, wanted) => {
        const workers = drawn.map((each, number) => ({ ...each, number }));
        const made = plan(workers, wanted);
        for (const number of made.letGo) assert.ok(workers[number]?.idleSinceMs !== null);
        const working = workers.filter(({ state }) => state === "ready" || state === "starting").length;
        assert.ok(working + made.start + made.keep.length <= Math.max(working, wanted));
        assert.ok(working - made.letGo.length >= Math.min(working, wanted));
      }),
    );
  });
});

test("pauses between failed starts double up to a minute", () => {
  assert.deepEqual([1, 2, 3, 4, 7, 40].map(startPauseMs), [1_000, 2_000, 4_000, 8_000, 60_000, 60_000]);
});

test("--workers is auto, a number or a range", () => {
  assert.equal(readWorkerRange("auto"), null);
  assert.deepEqual(readWorkerRange("3"), { min: 3, max: 3 });
  assert.deepEqual(readWorkerRange("0..4"), { min: 0, max: 4 });
  for (const wrong of ["", "0", "4..0", "-1..2", "a..b", "0..1001", "1.5"])
    assert.equal(readWorkerRange(wrong), undefined);
});
