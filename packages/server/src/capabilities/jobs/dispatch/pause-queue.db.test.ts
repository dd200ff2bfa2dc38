// Pausing a workspace's queue, with two processes on one database.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { systemClock } from "../../../foundation/clock.ts";
import { sql } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { aJobsFixture, aWorker, claim, type JobsFixture, succeeded, until } from "../jobs.fixture.ts";
import type { Jobs } from "../jobs.ts";

describe("a paused queue", { timeout: 900_000 }, () => {
  let fixture: JobsFixture;
  let here: Jobs;
  let elsewhere: Jobs;
  const entries: string[] = [];
  const by = { actor: { kind: "key" as const, id: newId() } };
  before(async () => {
    fixture = await aJobsFixture();
    const audit = { append: async (_tx: unknown, entry: { action: string }) => void entries.push(entry.action) };
    here = fixture.aProcess({ audit });
    elsewhere = fixture.aProcess();
  });
  after(async () => {
    assert.deepEqual(await fixture.broken(), []);
    await fixture.close();
  });
  const stateOf = async (workspaceId: WorkspaceId) => {
    const { pausedAt, queued, running } = await here.queue.read(workspaceId);
    return [pausedAt !== null, queued, running];
  };

  test("accepts submissions, lets running jobs continue and starts none, in any pool and process", async () => {
    const workspaceId = await fixture.aWorkspace();
    const poolId = newId<"pool">();
    const other = newId<"pool">();
    await fixture.submitted(here, workspaceId, { poolId });
    const [running] = await claim(here, poolId);
    assert.ok(running);
    const waiting = await fixture.submitted(here, workspaceId, { poolId });
    assert.equal((await here.queue.setPaused(workspaceId, true, by)).pausedAt !== null, true);
    const later = await fixture.submitted(elsewhere, workspaceId, { poolId });
    await fixture.submitted(elsewhere, workspaceId, { poolId: other });
    assert.deepEqual(await stateOf(workspaceId), [true, 3, 1]);
    assert.equal((await here.get({ jobId: later, workspaceId, poolId })).queuePosition, 1);
    for (const jobs of [here, elsewhere])
      for (const pool of [poolId, other]) assert.deepEqual(await claim(jobs, pool, { slots: 5, waitMs: 300 }), []);
    assert.equal(await here.workers.finish(running.lease, succeeded), true);
    // Another workspace's jobs in the same pool are still claimed.
    const neighbour = await fixture.aWorkspace();
    const theirs = await fixture.submitted(here, neighbour, { poolId });
    assert.equal((await claim(elsewhere, poolId))[0]?.lease.jobId, theirs);
    await fixture.age(waiting);
    await until(async () => {
      await (here as Jobs & { sweep(): Promise<void> }).sweep();
      return (await here.get({ jobId: waiting, workspaceId, poolId })).state === "expired" ? true : null;
    }, "a paused job expires");
    assert.deepEqual(await stateOf(workspaceId), [true, 2, 0]);
    // Resumed here, started there: the waiting worker is notified.
    const claimed = claim(elsewhere, poolId);
    await here.queue.setPaused(workspaceId, false, by);
    assert.equal((await claimed)[0]?.lease.jobId, later);
    assert.equal((await claim(here, other)).length, 1);
    assert.deepEqual(entries, ["queue.pause", "queue.resume"]);
  });

  test("pausing twice, or resuming a running queue, changes nothing and writes no audit entry", async () => {
    const workspaceId = await fixture.aWorkspace();
    const from = entries.length;
    await here.queue.setPaused(workspaceId, false, by);
    const first = await here.queue.setPaused(workspaceId, true, by);
    const again = await here.queue.setPaused(workspaceId, true, by);
    assert.deepEqual(again, first);
    assert.deepEqual(entries.slice(from), ["queue.pause"]);
    // The pause is in the database, so a process that starts later knows it.
    assert.deepEqual((await fixture.aProcess().queue.read(workspaceId)).pausedAt, first.pausedAt);
  });

  test("has nothing claimed after the pause was answered, however busy both processes are", async () => {
    const workspaceId = await fixture.aWorkspace();
    const poolId = newId<"pool">();
    for (let count = 0; count < 200; count++) await fixture.submitted(here, workspaceId, { poolId });
    const begun = async () => {
      const [row] = await fixture.db.query<{ begun: number }>(sql`
        select count(*)::int as begun from jobs where pool_id = ${poolId} and attempt > 0`);
      return row?.begun ?? 0;
    };
    const stop = new AbortController();
    const busy = [here, elsewhere].flatMap((jobs) =>
      [1, 2].map(async () => {
        while (!stop.signal.aborted)
          await claim(jobs, poolId, { workerId: aWorker(), waitMs: 200, signal: stop.signal });
      }),
    );
    try {
      for (let round = 0; round < 8; round++) {
        const before = await begun();
        await until(async () => ((await begun()) > before ? true : null), "jobs are claimed");
        await here.queue.setPaused(workspaceId, true, by);
        const answered = await begun();
        await systemClock.sleep(60);
        assert.equal(await begun(), answered, `round ${round}`);
        await elsewhere.queue.setPaused(workspaceId, false, by);
      }
    } finally {
      stop.abort();
      await Promise.all(busy);
    }
  });
});
