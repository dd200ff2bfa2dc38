// What follows from a job's life: credits, webhooks, watchers, lists.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createBackground } from "../../foundation/background.ts";
import { systemClock } from "../../foundation/clock.ts";
import { type Queryable, sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { findWallet } from "../calls/shared-sql.ts";
import type { JobNotice } from "./changes/change-jobs.ts";
import type { Job, JobId } from "./job.ts";
import { aJobsFixture, bytesOf, claim, isFault, type JobsFixture, succeeded, until } from "./jobs.fixture.ts";
import type { JobChange, Jobs } from "./jobs.ts";
import { forgetLive } from "./live/live-store.ts";
import type { JobEnding } from "./worker-port.ts";

describe("what follows from jobs", { timeout: 900_000 }, () => {
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

  test("credits: held at submission, freed by part, charged by the second and never above the hold, once", async () => {
    const paid = fixture.aProcess({ settings: { runPricePerSecond: 1_000_000_000n } });
    const poolId = newId<"pool">();
    const owner = await fixture.aWorkspace(1_000n);
    const holds = [
      { part: "run", amount: 300n },
      { part: "7", amount: 200n },
      { part: "8", amount: 100n },
    ];
    const id = await fixture.submitted(paid, owner, { poolId, holds });
    assert.deepEqual(
      (await paid.submit(fixture.submission(owner, { poolId, holds: [{ part: "run", amount: 401n }] }))).kind,
      "no_credit",
    );
    const [claimed] = await claim(paid, poolId);
    assert.ok(claimed);
    await paid.workers.releasePart(claimed.lease, "7");
    await paid.workers.releasePart(claimed.lease, "7");
    await paid.workers.releasePart(claimed.lease, "unknown");
    assert.deepEqual(await moneyOf(owner), [600n, 400n]);
    await paid.workers.finish(claimed.lease, succeeded);
    await paid.workers.releasePart(claimed.lease, "8");
    assert.deepEqual(await moneyOf(owner), [700n, 0n]);
    const waiting = await fixture.submitted(paid, owner, { poolId, holds });
    await paid.cancel({ jobId: waiting, workspaceId: owner, poolId });
    assert.deepEqual(await moneyOf(owner), [700n, 0n]);
    const usage = await fixture.db.query<{ credits: string }>(
      sql`select credits from usage where workspace_id = ${owner}`,
    );
    assert.deepEqual(usage, [{ credits: "300" }]);
    const ended = await paid.get({ jobId: id, workspaceId: owner, poolId });
    assert.deepEqual([ended.state, ended.creditsUsed], ["succeeded", 300n]);
    assert.equal((await paid.get({ jobId: waiting, workspaceId: owner, poolId })).creditsUsed, 0n);
  });
  const moneyOf = async (owner: WorkspaceId) => {
    const { available, held } = await findWallet(fixture.db, owner);
    return [available, held];
  };

  test("every state change is queued for the receiver in its own transaction, numbered without gaps", async () => {
    const sent: JobNotice[] = [];
    let failOnce = false;
    const notifier = {
      enqueue: async (tx: Queryable, notices: readonly JobNotice[]) => {
        if (failOnce) {
          failOnce = false;
          throw new Error("the outbox refused");
        }
        for (const { job, sequence } of notices)
          await tx.execute(sql`
            insert into webhook_deliveries
              (id, workspace_id, subject_id, sequence, type, url, receiver, body, status, created_at, delivered_at)
            values (${newId()}, ${job.workspaceId}, ${job.id}, ${sequence}, 'job', 'https://example.com/hook',
              'https://example.com', ''::bytea, 'delivered', now(), now())`);
        sent.push(...notices);
        return [];
      },
      wake: () => undefined,
    };
    const notifying = fixture.aProcess({ notifier });
    const poolId = newId<"pool">();
    const id = await fixture.submitted(notifying, workspaceId, { poolId, webhookUrl: "https://example.com/hook" });
    const [claimed] = await claim(notifying, poolId);
    assert.ok(claimed);
    failOnce = true;
    await assert.rejects(notifying.workers.finish(claimed.lease, succeeded), /refused/);
    assert.equal((await notifying.get({ ...at(id), poolId })).state, "running");
    await notifying.cancel({ ...at(id), poolId });
    await notifying.workers.finish(claimed.lease, { kind: "canceled" });
    assert.deepEqual(
      sent.map(({ job, sequence }) => [sequence, job.state]),
      [
        [1, "running"],
        [2, "canceling"],
        [3, "canceled"],
      ],
    );
    assert.deepEqual(await fixture.broken(), []);
    const number = (table: "notice" | "job", sequence: number) =>
      fixture.db.execute(
        table === "job"
          ? sql`update jobs set sequence = ${sequence} where id = ${id}`
          : sql`update webhook_deliveries set sequence = ${sequence} where subject_id = ${id} and sequence >= 3`,
      );
    await number("job", 4);
    assert.match((await fixture.broken()).join(), /^I18 /, "a change that was not told is seen");
    await number("notice", 4);
    await number("job", 3);
    assert.match((await fixture.broken()).join(), /^I18 /, "a notice of no change is seen");
    await number("notice", 3);
  });

  const problem = { code: "node_execution_error", message: "", nodeId: null, classType: null };
  const endings: Readonly<Record<string, JobEnding>> = {
    succeeded,
    failed: { kind: "failed", problem, isRetryable: false },
    canceled: { kind: "canceled" },
  };
  for (const [state, ending] of Object.entries(endings))
    test(`a job's last live state stays readable after it has ${state}, for as long as the job exists`, async () => {
      const poolId = newId<"pool">();
      const id = await fixture.submitted(jobs, workspaceId, { poolId });
      const here = { ...at(id), poolId };
      const seen: JobChange[] = [];
      const leave = fixture.aProcess().watch(id, (change) => seen.push(change));
      const [claimed] = await claim(jobs, poolId);
      assert.ok(claimed);
      // Two in a row: the second would have to wait for its turn, and the job ends before that.
      for (const text of ["first", "last"]) {
        jobs.workers.preview(claimed.lease, { nodeId: "2", contentType: "image/png", bytes: Buffer.from(text) });
        await new Promise((resolve) => setImmediate(resolve));
      }
      assert.equal(await jobs.workers.finish(claimed.lease, ending), true);
      await until(() => seen.find(({ kind, job }) => kind === "status" && job.state === state) ?? null, "the end");
      leave();
      const shown = seen.filter(({ preview }) => preview !== null);
      assert.equal(shown.at(-1)?.preview?.bytes.toString(), "last");
      await fixture.db.execute(sql`update job_live set changed_at = now() - interval '2 hours' where job_id = ${id}`);
      await forgetLive(fixture.db);
      assert.equal((await jobs.preview(here))?.bytes.toString(), "last");
    });

  test("a watcher in another process sees state, progress, preview and outputs, the end last; progress never falls", async () => {
    const other = fixture.aProcess();
    const poolId = newId<"pool">();
    const here = (jobId: JobId) => ({ ...at(jobId), poolId });
    const id = await fixture.submitted(jobs, workspaceId, { poolId, nodesTotal: 4 });
    const seen: JobChange[] = [];
    const leave = other.watch(id, (change) => seen.push(change));
    const [first] = await claim(jobs, poolId);
    assert.ok(first);
    const progress = (value: number) => ({
      value,
      nodesDone: Math.round(value * 4),
      nodesTotal: 4,
      currentNode: "2",
      currentNodeClass: "ImageScale",
      step: null,
      steps: null,
      message: null,
    });
    jobs.workers.progress(first.lease, progress(0.5));
    jobs.workers.preview(first.lease, { nodeId: "2", contentType: "image/png", bytes: Buffer.from("tiny") });
    await until(() => seen.find(({ kind }) => kind === "preview") ?? null, "a preview");
    await until(() => seen.find(({ kind }) => kind === "progress") ?? null, "progress");
    assert.equal((await other.get(here(id))).progress?.value, 0.5);
    assert.equal((await other.preview(here(id)))?.bytes.toString(), "tiny");
    await fixture.loseLease(id);
    await sweepUntil(jobs, async () => (await jobs.get(here(id))).state === "queued");
    await fixture.passBackoff();
    const [second] = await claim(jobs, poolId, { waitMs: 60_000 });
    assert.ok(second);
    jobs.workers.progress(first.lease, progress(0.9));
    jobs.workers.progress(second.lease, progress(0.25));
    await systemClock.sleep(700);
    assert.equal((await other.get(here(id))).progress?.value, 0.5);
    jobs.workers.progress(second.lease, progress(0.75));
    await until(async () => ((await other.get(here(id))).progress?.value === 0.75 ? true : null), "more progress");
    await jobs.workers.output(second.lease, {
      nodeId: "4",
      index: 0,
      name: "o.txt",
      contentType: "text/plain",
      source: bytesOf("o"),
    });
    await jobs.workers.finish(second.lease, succeeded);
    await until(() => seen.find(({ job }) => job.state === "succeeded") ?? null, "the end");
    await systemClock.sleep(50);
    leave();
    const last = seen.at(-1);
    assert.deepEqual([last?.kind, last?.job.state], ["status", "succeeded"]);
    assert.ok(seen.some(({ kind }) => kind === "output"));
    assertRising(seen.map(({ job }) => job.version));
    assertRising(seen.flatMap(({ job }) => job.progress?.value ?? []));
    // A read looks up the cost in the books; a watcher does not.
    assert.deepEqual({ ...last?.job, creditsUsed: 0n }, await other.get(here(id)));
  });

  test("lists go newest first through pages, by state, by metadata, and refuse a foreign cursor", async () => {
    const owner = await fixture.aWorkspace();
    const poolId = newId<"pool">();
    const ids: JobId[] = [];
    for (let index = 0; index < 7; index++) {
      ids.unshift(await fixture.submitted(jobs, owner, { poolId, metadata: index % 2 ? "odd" : null }));
    }
    await jobs.cancel({ jobId: ids[0] ?? null, workspaceId: owner, poolId });
    const asked = {
      workspaceId: owner,
      poolId,
      states: null,
      metadata: null,
      idempotencyKey: null,
      cursor: null,
      limit: 3,
    };
    const got: Job[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await jobs.list({ ...asked, cursor });
      got.push(...page.jobs);
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    assert.deepEqual(
      got.map((job) => job.id),
      ids,
    );
    const only = async (changed: object) =>
      (await jobs.list({ ...asked, limit: 50, ...changed })).jobs.map(({ id }) => id);
    assert.deepEqual(await only({ states: ["canceled"] }), ids.slice(0, 1));
    assert.deepEqual(await only({ states: ["queued", "canceled"] }), ids);
    assert.deepEqual(await only({ metadata: "odd" }), [ids[1], ids[3], ids[5]]);
    assert.deepEqual(await only({ metadata: "odd", states: ["running"] }), []);
    const page = await jobs.list(asked);
    await assert.rejects(jobs.list({ ...asked, metadata: "odd", cursor: page.nextCursor }), isFault("invalid_cursor"));
  });

  test("the database refuses to change an ended job", async () => {
    const id = await fixture.submitted(jobs, workspaceId);
    await jobs.cancel(at(id));
    await assert.rejects(
      fixture.db.execute(sql`update jobs set state = 'queued', finished_at = null where id = ${id}`),
      /ended job/,
    );
  });
});

function assertRising(values: readonly number[]): void {
  for (const [index, value] of values.entries())
    assert.ok(index === 0 || value >= (values[index - 1] ?? 0), `${values}`);
}

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
