// What the upkeep does with leases whose server is gone.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createBackground } from "../../foundation/background.ts";
import { type Database, type Statement, sql } from "../../foundation/database/index.ts";
import { AwayFault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { runUpkeep, type UpkeepDeps } from "./attempts/upkeep.work.ts";
import type { RunningJobs } from "./create-jobs.ts";
import type { JobId } from "./job.ts";
import { aJobsFixture, claim, type JobsFixture, succeeded } from "./jobs.fixture.ts";

describe("leases that a killed server left", { timeout: 900_000 }, () => {
  let fixture: JobsFixture;
  let jobs: RunningJobs;
  before(async () => {
    fixture = await aJobsFixture();
    jobs = fixture.aProcess();
  });
  after(() => fixture.close());

  test("end on their own, whatever state their jobs are in, and every invariant holds again", async () => {
    const { db, poolId } = fixture;
    const workspaceId = await fixture.aWorkspace();
    const claimed = async () => {
      const id = await fixture.submitted(jobs, workspaceId);
      const [one] = await claim(jobs, poolId);
      assert.equal(one?.lease.jobId, id);
      return one.lease;
    };
    const [alive, runs, cancels, isDue, ended, waits] = [
      await claimed(),
      await claimed(),
      await claimed(),
      await claimed(),
      await claimed(),
      await claimed(),
    ];
    const stateOf = async (jobId: JobId) => (await jobs.get({ jobId, workspaceId, poolId })).state;
    await jobs.cancel({ jobId: cancels.jobId, workspaceId, poolId });
    await fixture.age(isDue.jobId);
    await jobs.workers.finish(ended, succeeded);
    await jobs.workers.giveBack(waits);
    for (const jobId of [waits.jobId, ended.jobId, newId<"job">()])
      await db.execute(sql`
        insert into job_leases (job_id, attempt, worker_id, pool_id, workspace_id, lease_until)
        values (${jobId}, 1, ${newId()}, ${poolId}, ${workspaceId}, now())`);
    await db.execute(sql`
      update job_leases set lease_until = now() - interval '3 hours' where job_id <> ${alive.jobId}`);
    assert.ok((await fixture.broken()).some((name) => name.startsWith("I16 ")));

    await jobs.sweep();
    assert.deepEqual(await db.query(sql`select job_id from job_leases`), [{ job_id: alive.jobId }]);
    const states = [runs, cancels, isDue, ended, waits].map(({ jobId }) => stateOf(jobId));
    assert.deepEqual(await Promise.all(states), ["queued", "canceled", "expired", "succeeded", "queued"]);
    assert.deepEqual(await fixture.broken(), []);
    const [next] = await claim(jobs, poolId);
    assert.equal(next?.lease.jobId, waits.jobId);
  });

  test("are looked for each round, though another step fails; not at once after the database was away", async () => {
    const roundsThatLook = async (failure: Error) => {
      const clock = handClock();
      const looks: number[] = [];
      const query = async (statement: Statement) => {
        if (!statement.text.includes("job_leases")) throw failure;
        looks.push(clock.monotonicMs() / 1000);
        return [];
      };
      const deps = { database: { query } as unknown as Database, clock, leaseSeconds: 45, sweepSeconds: 5 };
      const stopping = new AbortController();
      const running = runUpkeep(
        deps as unknown as UpkeepDeps,
        createBackground({ clock, log: silentLog }),
        stopping.signal,
      );
      await clock.advance(0);
      await clock.advance(20_000);
      stopping.abort();
      await running;
      return looks;
    };
    assert.deepEqual(await roundsThatLook(new Error("a row that cannot be written")), [0, 5, 10, 15, 20]);
    assert.deepEqual(await roundsThatLook(new AwayFault("The database is not available right now.", null)), [0]);
  });
});
