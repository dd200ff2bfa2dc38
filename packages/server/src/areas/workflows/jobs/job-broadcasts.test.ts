import assert from "node:assert/strict";
import { test } from "node:test";
import type { JobChange, JobId } from "../../../capabilities/jobs/index.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId } from "../../../foundation/ids.ts";
import { aJob, aSurface } from "../jobs.fixture.ts";
import { createJobBroadcasts } from "./job-broadcasts.ts";

// Watches as the capability offers them, and who watches what.
function stage() {
  const clock = handClock();
  const watching = new Map<JobId, (change: JobChange) => void>();
  const jobs = {
    watch(jobId: JobId, receive: (change: JobChange) => void) {
      watching.set(jobId, receive);
      return () => void watching.delete(jobId);
    },
  };
  return { clock, watching, broadcasts: createJobBroadcasts({ surface: aSurface(), jobs, clock }) };
}
const at = (host: string) => ({ headers: { host } });

test("readers of one job at one address share a watch; another address has links of its own", () => {
  const { broadcasts } = stage();
  const jobId = newId<"job">();
  const [one, two, other] = [at("a"), at("a"), at("b")].map((arrival) => broadcasts.enter(jobId, arrival));
  assert.equal(one?.broadcast, two?.broadcast);
  assert.notEqual(one?.broadcast, other?.broadcast);
  assert.equal(broadcasts.size, 2);
});

test("it is kept for a while after the last reader, and found again by whoever comes back", async () => {
  const { broadcasts, clock, watching } = stage();
  const jobId = newId<"job">();
  const first = broadcasts.enter(jobId, at("a"));
  first.leave();
  await clock.advance(30_000);
  const again = broadcasts.enter(jobId, at("a"));
  assert.equal(again.broadcast, first.broadcast);
  again.leave();
  await clock.advance(61_000);
  broadcasts.enter(newId<"job">(), at("a"));
  assert.deepEqual([broadcasts.size, watching.has(jobId)], [1, false]);
});

test("a job that has ended is let go when nobody reads it any more", () => {
  const { broadcasts, watching } = stage();
  const job = aJob();
  const { leave } = broadcasts.enter(job.id, at("a"));
  watching.get(job.id)?.({ kind: "status", job, preview: null });
  leave();
  assert.equal(broadcasts.size, 1);
  watching.get(job.id)?.({ kind: "status", job: { ...job, state: "canceled", version: 2 }, preview: null });
  assert.equal(broadcasts.size, 0);
});

test("however many jobs were read and left, the number kept is bounded", () => {
  const { broadcasts, watching } = stage();
  for (let count = 0; count < 1000; count++) broadcasts.enter(newId<"job">(), at("a")).leave();
  assert.ok(broadcasts.size <= 257 && watching.size === broadcasts.size, `${broadcasts.size} are kept`);
});
