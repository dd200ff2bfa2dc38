import assert from "node:assert/strict";
import { test } from "node:test";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import type { Job, JobId } from "./job.ts";
import type { FoundJob, JobLocator } from "./job-store.ts";
import { createReadJobs } from "./read-jobs.ts";

const aJob = (changed: Partial<Job> = {}): Job => ({
  id: newId<"job">(),
  workspaceId: newId<"workspace">(),
  poolId: newId<"pool">(),
  state: "running",
  version: 1,
  createdAt: new Date(0),
  startedAt: null,
  completedAt: null,
  expiresAt: new Date(8e15),
  queuePosition: null,
  progress: null,
  outputs: [],
  error: null,
  outputsReused: false,
  creditsUsed: 0n,
  metadata: null,
  priority: 0,
  attempt: 1,
  ...changed,
});

// A table of jobs that counts the queries.
function aTable(...jobs: Job[]) {
  const clock = handClock();
  const rows = new Map(jobs.map((job) => [job.id, { job, liveVersion: 0, previewVersion: 0 } satisfies FoundJob]));
  const counts = { found: 0, asked: 0, position: 3 };
  const reads = createReadJobs({
    clock,
    fronts: { position: async () => counts.position, joined: () => undefined, left: () => undefined },
    async find(locators) {
      counts.found += locators.length;
      return new Map(
        locators.flatMap((locator) => [...rows].filter(([id, { job }]) => isAt(job, locator) && id === job.id)),
      );
    },
    async findUnchanged(known) {
      counts.asked += known.length;
      const same = known.filter(({ jobId, version, liveVersion }) => {
        const row = rows.get(jobId);
        return row?.job.version === version && row.liveVersion === liveVersion;
      });
      return new Set(same.map(({ jobId }) => jobId));
    },
  });
  const change = (id: JobId, changed: Partial<Job>, liveVersion = 0) => {
    const row = rows.get(id);
    assert.ok(row);
    rows.set(id, { ...row, job: { ...row.job, ...changed }, liveVersion });
  };
  return { clock, reads, counts, rows, change };
}

const isAt = (job: Job, locator: JobLocator) =>
  job.id === locator.jobId && job.workspaceId === locator.workspaceId && job.poolId === locator.poolId;
const locatorOf = (job: Job): JobLocator => ({ jobId: job.id, workspaceId: job.workspaceId, poolId: job.poolId });

test("a job that has not changed is read once and answered as the same object; every change is seen by the next read", async () => {
  const job = aJob();
  const { reads, counts, change } = aTable(job);
  const first = await reads.get(locatorOf(job));
  assert.equal(await reads.get(locatorOf(job)), first);
  assert.deepEqual([counts.found, counts.asked], [1, 1]);
  change(job.id, { version: 2, state: "canceling" });
  assert.equal((await reads.get(locatorOf(job)))?.state, "canceling");
  change(job.id, { version: 2, state: "canceling", metadata: "progress" }, 1);
  assert.equal((await reads.get(locatorOf(job)))?.metadata, "progress");
});

test("a cached job is visible to its owner only, even in one batch, and a deleted one is gone", async () => {
  const job = aJob();
  const { reads, rows } = aTable(job);
  const foreign = { ...locatorOf(job), workspaceId: newId<"workspace">() };
  const elsewhere = { ...locatorOf(job), poolId: newId<"pool">() };
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      [locatorOf(job), foreign, elsewhere, locatorOf(job)].map((locator) => reads.get(locator)),
    );
    assert.deepEqual(
      answers.map((answer) => answer?.id),
      [job.id, undefined, undefined, job.id],
    );
  }
  rows.delete(job.id);
  assert.equal(await reads.get(locatorOf(job)), null);
});

test("the place in the queue is counted for each read, and the object stays the same while it does", async () => {
  const job = aJob({ state: "queued" });
  const { reads, counts } = aTable(job);
  const first = await reads.get(locatorOf(job));
  assert.equal(first?.queuePosition, 3);
  assert.equal(await reads.get(locatorOf(job)), first);
  counts.position = 2;
  assert.equal((await reads.get(locatorOf(job)))?.queuePosition, 2);
});

test("an ended job is not asked for again for five seconds, and never answered beyond its time", async () => {
  const clockStart = handClock().now().getTime();
  const job = aJob({ state: "succeeded", expiresAt: new Date(clockStart + 8_000) });
  const { reads, counts, clock, rows } = aTable(job);
  await reads.get(locatorOf(job));
  await clock.advance(5_000);
  await reads.get(locatorOf(job));
  assert.deepEqual([counts.found, counts.asked], [1, 0]);
  await clock.advance(1);
  await reads.get(locatorOf(job));
  assert.deepEqual([counts.found, counts.asked], [1, 1]);
  rows.delete(job.id);
  assert.equal(await reads.get(locatorOf(job)), null);
});
