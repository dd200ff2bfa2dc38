import assert from "node:assert/strict";
import { test } from "node:test";
import { newId } from "../../../foundation/ids.ts";
import type { WorkerOffer } from "../job-needs.ts";
import { passOverMsMax } from "./place-jobs.ts";
import { createShelf } from "./shelf.ts";

const knows = (...classes: string[]): WorkerOffer => ({ classes: new Set(classes), modelsLoaded: new Set() });
const job = (needsId: string) => ({
  jobId: newId<"job">(),
  workspaceId: newId<"workspace">(),
  rank: 0,
  needsId,
  needs: { classes: [needsId], models: [] },
  passedSinceMs: null,
});

test("a job nobody can run is skipped until a worker arrives that can", () => {
  const shelf = createShelf();
  const [a, b] = [job("A"), job("B")];
  shelf.put([a, b], [knows("B")], 5);
  assert.deepEqual(shelf.leftOut(), ["A"]);
  assert.equal(shelf.admit([knows("B", "C")]), false);
  assert.deepEqual(
    shelf.take([knows("B")]).map(({ jobId }) => jobId),
    [b.jobId],
  );
  assert.ok(shelf.has(a.jobId) && !shelf.has(b.jobId));
  assert.equal(shelf.admit([knows("A")]), true);
  assert.deepEqual(shelf.leftOut(), []);
  assert.equal(shelf.admit([knows("A")]), false, "told once");
  assert.deepEqual(
    shelf.take([knows("A")]).map(({ passedSinceMs }) => passedSinceMs),
    [5],
  );
});

test("a job that waits for its models is due after its time, one that nobody can run is not", () => {
  const shelf = createShelf();
  assert.equal(shelf.nextDueMs(), null);
  shelf.put([job("A")], [], 0);
  assert.equal(shelf.nextDueMs(), null);
  shelf.put([job("B")], [knows("B")], 100);
  assert.equal(shelf.nextDueMs(), 100 + passOverMsMax);
});

test("the shelf stays small, however many jobs are passed over", () => {
  const shelf = createShelf();
  shelf.put(
    Array.from({ length: 5_000 }, (_, at) => job(`class ${at}`)),
    [],
    0,
  );
  assert.ok(shelf.leftOut().length <= 500);
  assert.ok(shelf.take([{ classes: null, modelsLoaded: new Set() }]).length <= 256);
});
