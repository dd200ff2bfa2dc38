// The capability with a real database, real files and two processes.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import type { JobId } from "./job.ts";
import {
  aJobsFixture,
  aWorker,
  bytesOf,
  claim,
  fingerprintOf,
  isFault,
  type JobsFixture,
  succeeded,
  until,
} from "./jobs.fixture.ts";
import type { Jobs } from "./jobs.ts";

const failure = { code: "node_execution_error", message: "it broke", nodeId: "1", classType: "EmptyImage" };

describe("jobs", { timeout: 900_000 }, () => {
  let fixture: JobsFixture;
  let jobs: Jobs;
  let workspaceId: WorkspaceId;
  before(async () => {
    fixture = await aJobsFixture();
    jobs = fixture.aProcess();
    workspaceId = await fixture.aWorkspace();
  });
  after(async () => {
    assert.deepEqual(await fixture.broken(), []);
    await fixture.close();
  });
  const at = (jobId: JobId, owner = workspaceId) => ({ jobId, workspaceId: owner, poolId: fixture.poolId });

  test("a job is submitted, claimed, worked on, finished and read", async () => {
    const answer = await jobs.submit(
      fixture.submission(workspaceId, { metadata: "mine", priority: 3, extraData: { api_key_service: "very-secret" } }),
    );
    assert.equal(answer.kind, "created");
    assert.ok(answer.kind === "created");
    const { id } = answer.job;
    assert.deepEqual([answer.job.state, answer.job.queuePosition, answer.job.version], ["queued", 0, 1]);
    assert.deepEqual(await jobs.get(at(id)), answer.job);
    const [claimed] = await claim(jobs, fixture.poolId);
    assert.ok(claimed);
    assert.equal(claimed.lease.jobId, id);
    assert.equal(claimed.lease.attempt, 1);
    assert.deepEqual(claimed.extraData, { api_key_service: "very-secret" });
    const sealed = await fixture.db.query<{ envelope: string }>(
      sql`select envelope from job_secrets where job_id = ${id}`,
    );
    assert.ok(!sealed[0]?.envelope.includes("very-secret"));
    assert.deepEqual(await jobs.workers.heartbeat([claimed.lease]), ["running"]);
    const output = await jobs.workers.output(claimed.lease, {
      nodeId: "9",
      index: 0,
      name: "out.txt",
      contentType: "text/plain",
      source: bytesOf("a picture, in words"),
    });
    assert.equal((await jobs.get(at(id))).outputs.length, 1);
    assert.equal(await jobs.workers.finish(claimed.lease, succeeded), true);
    const done = await jobs.get(at(id));
    assert.equal(done.state, "succeeded");
    assert.deepEqual(done.outputs, [output]);
    assert.deepEqual([done.progress?.value, done.progress?.nodesDone], [1, 1]);
    assert.equal(done.version, 4);
    assert.ok(done.startedAt && done.completedAt && done.startedAt <= done.completedAt);
    assert.equal((await fixture.db.query(sql`select from job_secrets`)).length, 0);
    const asset = await fixture.assets.get({ workspaceId, assetId: output?.assetId ?? null });
    assert.equal(asset.jobId, id);
    assert.ok(Math.abs((asset.expiresAt?.getTime() ?? 0) - done.expiresAt.getTime()) < 120_000);
    await assert.rejects(fixture.assets.remove({ workspaceId, assetId: asset.id }), isFault("asset_in_use"));
  });

  test("unknown, foreign and malformed ids are the same not_found, also for another pool", async () => {
    const id = await fixture.submitted(jobs, workspaceId);
    const stranger = await fixture.aWorkspace();
    for (const wrong of [
      at(newId<"job">()),
      at(id, stranger),
      { ...at(id), poolId: newId<"pool">() },
      { ...at(id), jobId: null },
    ]) {
      await assert.rejects(jobs.get(wrong), isFault("not_found"));
      await assert.rejects(jobs.cancel(wrong), isFault("not_found"));
      await assert.rejects(jobs.workflow(wrong), isFault("not_found"));
      await assert.rejects(jobs.preview(wrong), isFault("not_found"));
    }
    assert.equal((await jobs.cancel(at(id))).job.state, "canceled");
  });

  test("two equal submissions under one key are one job, however they race; another body is refused", async () => {
    const other = fixture.aProcess();
    const submission = fixture.submission(workspaceId, { idempotencyKey: "key-1", fingerprint: fingerprintOf("x") });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => (index % 2 === 0 ? jobs : other).submit(submission)),
    );
    assert.equal(answers.filter(({ kind }) => kind === "created").length, 1);
    assert.equal(answers.filter(({ kind }) => kind === "replayed").length, 39);
    const ids = new Set(answers.map((answer) => ("job" in answer ? answer.job.id : null)));
    assert.equal(ids.size, 1);
    const reused = await other.submit({ ...submission, fingerprint: fingerprintOf("y") });
    assert.equal(reused.kind, "key_reused");
    const [id] = ids;
    assert.ok(id);
    const page = await jobs.list({
      workspaceId,
      poolId: fixture.poolId,
      states: null,
      metadata: null,
      idempotencyKey: "key-1",
      cursor: null,
      limit: 10,
    });
    assert.deepEqual(
      page.jobs.map((job) => job.id),
      [id],
    );
    await jobs.cancel(at(id));
  });

  test("a key is free again when nothing was created", async () => {
    const missing = newId<"asset">();
    const refused = await jobs.submit(fixture.submission(workspaceId, { idempotencyKey: "free", assetIds: [missing] }));
    assert.deepEqual(refused, { kind: "missing_assets", assetIds: [missing] });
    const poor = await jobs.submit(
      fixture.submission(workspaceId, { idempotencyKey: "free", holds: [{ part: "run", amount: 5n }] }),
    );
    assert.deepEqual(poor, { kind: "no_credit", available: 0n });
    const id = await fixture.submitted(jobs, workspaceId, { idempotencyKey: "free" });
    await jobs.cancel(at(id));
  });

  test("the queue of a workspace is bounded, a replay passes all the same, and room comes back at once", async () => {
    const bounded = fixture.aProcess({ limits: { limitOf: () => 5 } });
    const owner = await fixture.aWorkspace();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        bounded.submit(fixture.submission(owner, { idempotencyKey: `q${index}` })),
      ),
    );
    const created = answers.filter(({ kind }) => kind === "created");
    assert.equal(created.length, 5);
    assert.equal(answers.filter(({ kind }) => kind === "queue_full").length, 15);
    const first = answers.findIndex(({ kind }) => kind === "created");
    assert.equal((await bounded.submit(fixture.submission(owner, { idempotencyKey: `q${first}` }))).kind, "replayed");
    const ids = created.flatMap((answer) => (answer.kind === "created" ? [answer.job.id] : []));
    await bounded.cancelMany({ workspaceId: owner, poolId: fixture.poolId, jobIds: ids });
    await systemClock.sleep(60);
    const again = await bounded.submit(fixture.submission(owner));
    assert.equal(again.kind, "created");
    if (again.kind === "created") await bounded.cancel(at(again.job.id, owner));
  });

  test("workspaces take turns; inside one the higher priority goes first, then the older", async () => {
    const [crowded, lone] = [await fixture.aWorkspace(), await fixture.aWorkspace()];
    const poolId = newId<"pool">();
    const many: JobId[] = [];
    for (let index = 0; index < 30; index++) many.push(await fixture.submitted(jobs, crowded, { poolId }));
    const alone = await fixture.submitted(jobs, lone, { poolId });
    const urgent = await fixture.submitted(jobs, crowded, { poolId, priority: 10 });
    const order: JobId[] = [];
    for (let index = 0; index < 4; index++) {
      const [claimed] = await claim(jobs, poolId);
      assert.ok(claimed);
      order.push(claimed.lease.jobId);
    }
    assert.ok(order.slice(0, 2).includes(alone));
    assert.deepEqual(
      order.filter((id) => id !== alone),
      [urgent, many[0], many[1]],
    );
    const positionOf = async (jobId: JobId | undefined) =>
      (await jobs.get({ jobId: jobId ?? null, workspaceId: crowded, poolId })).queuePosition;
    await until(async () => ((await positionOf(many[2])) === 0 ? true : null), "the front of the queue");
    assert.equal(await positionOf(many[5]), 3);
    const late = await fixture.submitted(jobs, crowded, { poolId, priority: 50 });
    assert.equal((await claim(jobs, poolId))[0]?.lease.jobId, late);
  });

  test("one workspace's long jobs never hold every slot while another waits, and get what nobody else wants", async () => {
    const [long, short] = [await fixture.aWorkspace(), await fixture.aWorkspace()];
    const poolId = newId<"pool">();
    for (let index = 0; index < 8; index++) {
      await fixture.submitted(jobs, long, { poolId });
      await fixture.submitted(jobs, short, { poolId });
    }
    const running = new Map<JobId, WorkspaceId>();
    const countOf = (owner: WorkspaceId) => [...running.values()].filter((one) => one === owner).length;
    let ended = 0;
    while (ended < 8) {
      for (const one of await claim(jobs, poolId, { slots: 4 - running.size })) {
        running.set(one.lease.jobId, one.workspaceId);
        if (one.workspaceId !== short) continue;
        assert.equal(await jobs.workers.finish(one.lease, succeeded), true);
        running.delete(one.lease.jobId);
        ended += 1;
      }
      assert.ok(ended === 8 || countOf(long) <= 2, `${countOf(long)} of 4 slots`);
    }
    while (running.size < 4) {
      for (const one of await claim(jobs, poolId, { slots: 4 - running.size }))
        running.set(one.lease.jobId, one.workspaceId);
    }
    assert.equal(countOf(long), 4);
  });

  test("many workers in two processes get every job once", async () => {
    const other = fixture.aProcess();
    const poolId = newId<"pool">();
    const owners = await Promise.all(Array.from({ length: 5 }, () => fixture.aWorkspace()));
    const ids = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        fixture.submitted(index % 2 ? jobs : other, owners[index % 5] ?? workspaceId, { poolId }),
      ),
    );
    const got: JobId[] = [];
    const work = async (process: Jobs) => {
      while (got.length < ids.length) {
        const claimed = await claim(process, poolId, { slots: 3, waitMs: 300 });
        for (const { lease } of claimed) {
          got.push(lease.jobId);
          assert.equal(await process.workers.finish(lease, succeeded), true);
        }
      }
    };
    await Promise.all([jobs, jobs, jobs, other, other, other].map(work));
    assert.deepEqual([...got].sort(), [...ids].sort());
  });

  test("a waiting worker hears of a new job at once, also from another process, and one that left gets none", async () => {
    const other = fixture.aProcess();
    const poolId = newId<"pool">();
    const leaving = new AbortController();
    const gone = claim(other, poolId, { waitMs: 60_000, signal: leaving.signal });
    const waiting = claim(jobs, poolId, { waitMs: 60_000 });
    await systemClock.sleep(50);
    leaving.abort();
    assert.deepEqual(await gone, []);
    const id = await fixture.submitted(other, workspaceId, { poolId });
    assert.equal((await waiting)[0]?.lease.jobId, id);
  });

  test("a stale attempt changes nothing: no heartbeat, no output, no end, no progress", async () => {
    const poolId = newId<"pool">();
    const id = await fixture.submitted(jobs, workspaceId, { poolId });
    const [first] = await claim(jobs, poolId);
    assert.ok(first);
    await fixture.loseLease(id);
    await sweepUntil(jobs, async () => (await jobs.get({ ...at(id), poolId })).state === "queued");
    await fixture.passBackoff();
    const [second] = await claim(jobs, poolId);
    assert.equal(second?.lease.attempt, 2);
    assert.ok(second);
    assert.deepEqual(await jobs.workers.heartbeat([first.lease, second.lease]), ["lost", "running"]);
    const late = { nodeId: "1", index: 0, name: "late.txt", contentType: "text/plain", source: bytesOf("late") };
    assert.equal(await jobs.workers.output(first.lease, late), null);
    assert.equal(await jobs.workers.finish(first.lease, succeeded), false);
    await jobs.workers.giveBack(first.lease);
    const stranger = { ...second.lease, workerId: aWorker() };
    assert.equal(await jobs.workers.finish(stranger, succeeded), false);
    assert.equal((await jobs.get({ ...at(id), poolId })).state, "running");
    const right = { ...late, name: "right.txt", source: bytesOf("right") };
    const output = await jobs.workers.output(second.lease, right);
    // A repeated output is the same output.
    assert.deepEqual(await jobs.workers.output(second.lease, { ...right, source: bytesOf("right") }), output);
    assert.equal(await jobs.workers.finish(second.lease, succeeded), true);
    assert.equal(await jobs.workers.finish(second.lease, { kind: "canceled" }), false);
    assert.deepEqual((await jobs.get({ ...at(id), poolId })).outputs, [output]);
  });

  test("a job whose workers go silent three times fails; one that is given back is not used up", async () => {
    const poolId = newId<"pool">();
    const id = await fixture.submitted(jobs, workspaceId, { poolId });
    for (let times = 0; times < 5; times++) {
      const [claimed] = await claim(jobs, poolId);
      assert.ok(claimed);
      await jobs.workers.giveBack(claimed.lease);
    }
    for (let times = 1; times <= 3; times++) {
      await fixture.passBackoff();
      const [claimed] = await claim(jobs, poolId, { waitMs: 60_000 });
      assert.equal(claimed?.lease.attempt, 5 + times);
      await fixture.loseLease(id);
      await sweepUntil(jobs, async () => (await jobs.get({ ...at(id), poolId })).state !== "running");
    }
    const job = await jobs.get({ ...at(id), poolId });
    assert.deepEqual([job.state, job.error?.code], ["failed", "worker_lost"]);
  });

  test("a retryable failure runs again while there are attempts, any other ends the job", async () => {
    const poolId = newId<"pool">();
    const id = await fixture.submitted(jobs, workspaceId, { poolId });
    const [first] = await claim(jobs, poolId);
    assert.ok(first);
    assert.equal(await jobs.workers.finish(first.lease, { kind: "failed", problem: failure, isRetryable: true }), true);
    assert.equal((await jobs.get({ ...at(id), poolId })).state, "queued");
    await fixture.passBackoff();
    const [second] = await claim(jobs, poolId, { waitMs: 60_000 });
    assert.ok(second);
    await jobs.workers.finish(second.lease, { kind: "failed", problem: failure, isRetryable: false });
    const job = await jobs.get({ ...at(id), poolId });
    assert.deepEqual([job.state, job.error], ["failed", failure]);
  });

  test("cancel: queued ends, running is interrupted, ended stays; in bulk all or none", async () => {
    const poolId = newId<"pool">();
    const here = (jobId: JobId) => ({ ...at(jobId), poolId });
    const running = await fixture.submitted(jobs, workspaceId, { poolId });
    const [claimed] = await claim(jobs, poolId);
    assert.ok(claimed);
    const queued = await fixture.submitted(jobs, workspaceId, { poolId });
    const bulk = { workspaceId, poolId, jobIds: [running, queued, newId<"job">()] };
    await assert.rejects(jobs.cancelMany(bulk), isFault("not_found"));
    assert.equal((await jobs.get(here(queued))).state, "queued");
    assert.deepEqual(await jobs.cancelMany({ ...bulk, jobIds: [running, queued] }), [running, queued]);
    assert.equal((await jobs.get(here(queued))).state, "canceled");
    const again = await jobs.cancel(here(running));
    assert.deepEqual([again.job.state, again.begun], ["canceling", false]);
    assert.deepEqual(await jobs.workers.heartbeat([claimed.lease]), ["canceling"]);
    // A result that arrives now no longer counts.
    assert.equal(await jobs.workers.finish(claimed.lease, succeeded), true);
    assert.equal((await jobs.get(here(running))).state, "canceled");
    const last = await jobs.cancel(here(running));
    assert.deepEqual([last.job.state, last.begun], ["canceled", false]);
  });

  test("waiting and running jobs expire on time, stay visible for a day, then go with their key and holds", async () => {
    const poolId = newId<"pool">();
    const here = (jobId: JobId) => ({ ...at(jobId), poolId });
    const upload = await fixture.assets.receive({
      workspaceId,
      source: bytesOf("an input"),
      expectedHash: null,
      describe: () => ({
        contentType: "text/plain",
        filePath: "in.txt",
        tags: [],
        keepSeconds: null,
        expectedHash: null,
      }),
      jobId: null,
    });
    const running = await fixture.submitted(jobs, workspaceId, { poolId, assetIds: [upload.asset.id] });
    const [claimed] = await claim(jobs, poolId);
    const queued = await fixture.submitted(jobs, workspaceId, { poolId, idempotencyKey: "over" });
    assert.ok(claimed);
    const inUse = fixture.assets.remove({ workspaceId, assetId: upload.asset.id });
    await assert.rejects(inUse, isFault("asset_in_use"));
    await fixture.age(running);
    await fixture.age(queued);
    for (const id of [queued, running])
      await sweepUntil(jobs, async () => (await jobs.get(here(id))).state === "expired");
    assert.deepEqual(await jobs.workers.heartbeat([claimed.lease]), ["lost"]);
    await fixture.assets.remove({ workspaceId, assetId: upload.asset.id });
    await fixture.age(queued);
    await assert.rejects(fixture.aProcess().get(here(queued)), isFault("not_found"));
    // The key of a job past its retention is free, swept or not.
    const next = await jobs.submit(fixture.submission(workspaceId, { poolId, idempotencyKey: "over" }));
    assert.equal(next.kind, "created");
    await fixture.age(running);
    await sweepUntil(jobs, async () => {
      return (await fixture.db.query(sql`select from jobs where id = ${running}`)).length === 0;
    });
  });
});

// Runs the sweep as a process does, until it has had the expected effect.
async function sweepUntil(jobs: Jobs, isDone: () => Promise<boolean>): Promise<void> {
  const stop = new AbortController();
  const running = jobs.run(createBackground({ clock: systemClock, log: silentLog }), stop.signal);
  try {
    await until(async () => ((await isDone()) ? true : null), "what a sweep does");
  } finally {
    stop.abort();
    await running;
  }
}
