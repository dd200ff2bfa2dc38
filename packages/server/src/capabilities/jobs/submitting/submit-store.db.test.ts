// The statements of submission and change on their own. The older PostgreSQL must understand them too.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CommitUnknown, type Database, sql } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import { lockJobs, writeSteps } from "../changes/change-store.ts";
import { countLanes, listLanes, readFronts, readWindows } from "../dispatch/ready-store.ts";
import type { Submission } from "../job.ts";
import { claimStep } from "../job-steps.ts";
import { aJobsFixture, aWorker, claim, fingerprintOf, type JobsFixture } from "../jobs.fixture.ts";
import { type JobFilter, listJobsBy } from "../list-store.ts";
import { insertJobs, withdrawJobs } from "./submit-store.ts";

const rules = { attemptsMax: 3, keepSeconds: 3600 };

describe("the store of submissions", { timeout: 900_000 }, () => {
  let fixture: JobsFixture;
  before(async () => {
    fixture = await aJobsFixture();
  });
  after(() => fixture.close());
  const newJob = (submission: Submission, isFull = false) => ({
    id: newId<"job">(),
    submission,
    envelope: null,
    isFull,
  });

  test("each submission of a batch gets its own verdict, in order", async () => {
    const workspaceId = await fixture.aWorkspace();
    const keyed = (key: string, text = "a") =>
      fixture.submission(workspaceId, { idempotencyKey: key, fingerprint: fingerprintOf(text) });
    const first = newJob(keyed("k"));
    assert.deepEqual(
      (await insertJobs(fixture.db, [first], rules)).map(({ kind }) => kind),
      ["created"],
    );
    const batch = [
      newJob(keyed("k")),
      newJob(keyed("k", "b")),
      newJob(keyed("k"), true),
      newJob(keyed("new")),
      newJob(keyed("new")),
      newJob(keyed("full"), true),
      newJob(fixture.submission(workspaceId)),
      newJob(fixture.submission(workspaceId)),
    ];
    const verdicts = await insertJobs(fixture.db, batch, rules);
    assert.deepEqual(
      verdicts.map(({ kind }) => kind),
      ["replayed", "key_reused", "replayed", "created", "again", "queue_full", "created", "created"],
    );
    const [known] = verdicts;
    assert.equal(known?.kind === "replayed" ? known.jobId : null, first.id);
  });

  test("the graph of each job is its own, byte for byte", async () => {
    const workspaceId = await fixture.aWorkspace();
    const graphs = [Buffer.from("{}"), Buffer.alloc(0), Buffer.from([0, 255, 128, 1]), Buffer.alloc(100_000, "é")];
    const batch = graphs.map((workflow) => newJob(fixture.submission(workspaceId, { workflow })));
    await insertJobs(fixture.db, batch, rules);
    for (const [index, { id }] of batch.entries()) {
      const [row] = await fixture.db.query<{ submitted: Buffer }>(
        sql`select submitted from job_graphs where job_id = ${id}`,
      );
      assert.deepEqual(row?.submitted, graphs[index]);
    }
  });

  test("labels live and die with their jobs, and lists of labels match the jobs' maps", async () => {
    const workspaceId = await fixture.aWorkspace();
    const other = await fixture.aWorkspace();
    const maps = Array.from({ length: 40 }, (_, at) => ({ all: "", half: `${at % 2}`, one: `${at}` }));
    const batch = maps.map((metadata) => newJob(fixture.submission(workspaceId, { metadata })));
    await insertJobs(fixture.db, batch, rules);
    await insertJobs(fixture.db, [newJob(fixture.submission(other, { metadata: { all: "" } }))], rules);
    const list = async (labels: [string, string][], more: Partial<JobFilter> = {}) => {
      const { poolId } = fixture;
      const base = { workspaceId, poolId, states: null, metadata: null, idempotencyKey: null, before: null, count: 9 };
      return (await listJobsBy(fixture.db, { ...base, labels, ...more })).map(({ job }) => job.metadata);
    };
    const newest = [...maps].reverse();
    const all: [string, string] = ["all", ""];
    assert.deepEqual(await list([all]), newest.slice(0, 9));
    for (const states of [null, ["queued"] as const]) {
      const expected = newest.filter(({ half }) => half === "0").slice(0, 9);
      assert.deepEqual(await list([all, ["half", "0"]], { states }), expected);
      assert.deepEqual(await list([all, ["one", "7"], ["half", "1"]], { states }), [maps[7]]);
    }
    assert.deepEqual(await list([all], { states: ["running"] }), []);
    assert.deepEqual(await list([all], { before: batch[3]?.id ?? null }), maps.slice(0, 3).reverse());
    assert.deepEqual(await list([all], { metadata: "a text" }), []);
    const ids = batch.map(({ id }) => id);
    await withdrawJobs(fixture.db, ids);
    const left = await fixture.db.query(sql`select from job_labels where job_id = any (${ids}::uuid[])`);
    assert.equal(left.length, 0);
  });

  test("lanes are listed once each, read in their order, from a mark on, and counted to a bound", async () => {
    const poolId = newId<"pool">();
    const owners = [await fixture.aWorkspace(), await fixture.aWorkspace(), await fixture.aWorkspace()].sort();
    for (const workspaceId of owners) {
      const batch = [0, 5, 0, -5].map((priority) => newJob(fixture.submission(workspaceId, { poolId, priority })));
      await insertJobs(fixture.db, batch, rules);
    }
    assert.deepEqual((await listLanes(fixture.db, { poolId, known: [], count: 10 })).sort(), owners);
    assert.equal((await listLanes(fixture.db, { poolId, known: [], count: 2 })).length, 2);
    const [one, two, three] = owners;
    assert.ok(one && two && three);
    assert.deepEqual(await listLanes(fixture.db, { poolId, known: [two], count: 9 }), [one, three]);
    assert.deepEqual(await listLanes(fixture.db, { poolId, known: [three, one, newId(), two], count: 9 }), []);
    const lanes = owners.map((workspaceId) => ({ workspaceId, poolId }));
    const [front = []] = await readFronts(fixture.db, lanes, 3);
    assert.deepEqual(
      front.map(({ rank }) => rank),
      [-5, 0, 0],
    );
    const requests = lanes.map(({ workspaceId }) => ({ workspaceId, from: null }));
    const windows = await readWindows(fixture.db, { poolId, lanes: requests, count: 3 });
    assert.deepEqual(
      windows.get(one),
      front.map((candidate) => ({ ...candidate, needsId: null })),
    );
    const [, second] = front;
    assert.ok(second);
    const later = await readWindows(fixture.db, {
      poolId,
      lanes: [{ workspaceId: one, from: second }],
      count: 9,
    });
    assert.equal(later.get(one)?.length, 3);
    const bounds = lanes.map((lane, index) => ({ lane, bound: index === 1 ? 2 : 100 }));
    assert.deepEqual(await countLanes(fixture.db, bounds), [4, 2, 4]);
  });

  test("a job that was claimed while another waited for its lock is not claimed twice", async () => {
    const workspaceId = await fixture.aWorkspace();
    const job = newJob(fixture.submission(workspaceId));
    await insertJobs(fixture.db, [job], rules);
    const claimOnce = () =>
      fixture.db.transaction(async (tx) => {
        const locked = (await lockJobs(tx, [job.id], { skipLocked: false })).get(job.id);
        const step = locked && claimStep(locked, aWorker());
        if (!locked || !step) return false;
        await writeSteps(tx, [{ job: locked, step }], 45);
        return true;
      });
    const wins = await Promise.all(Array.from({ length: 8 }, claimOnce));
    assert.equal(wins.filter(Boolean).length, 1);
    assert.deepEqual(await fixture.broken(), []);
  });

  // Runs the statement and loses the answer, like a connection that breaks at the worst moment.
  function forgetful(lose: { next: boolean; isDone: boolean }): Database {
    const lost = async <T>(run: () => Promise<T>): Promise<T> => {
      if (!lose.next) return run();
      lose.next = false;
      if (lose.isDone) await run();
      throw new CommitUnknown(new Error("Connection terminated"));
    };
    return {
      ...fixture.db,
      query: (statement) =>
        /insert into jobs/.test(statement.text) ? lost(() => fixture.db.query(statement)) : fixture.db.query(statement),
      transaction: (run) => lost(() => fixture.db.transaction(run)),
    };
  }

  for (const isDone of [true, false]) {
    test(`a submission whose answer was lost ${isDone ? "after" : "before"} it was done is one job`, async () => {
      const workspaceId = await fixture.aWorkspace(1_000n);
      const lose = { next: false, isDone };
      const jobs = fixture.aProcess({ database: forgetful(lose) });
      for (const holds of [[], [{ part: "run", amount: 10n }]]) {
        lose.next = true;
        const answer = await jobs.submit(
          fixture.submission(workspaceId, { idempotencyKey: `lost ${holds.length}`, holds }),
        );
        assert.equal(answer.kind, "created");
      }
      const rows = await fixture.db.query(sql`select from jobs where workspace_id = ${workspaceId}`);
      assert.equal(rows.length, 2);
      assert.deepEqual(await fixture.broken(), []);
    });

    test(`an end whose answer was lost ${isDone ? "after" : "before"} it was stored is reported as stored`, async () => {
      const workspaceId = await fixture.aWorkspace();
      const poolId = newId<"pool">();
      const lose = { next: false, isDone };
      const jobs = fixture.aProcess({ database: forgetful(lose) });
      const id = await fixture.submitted(jobs, workspaceId, { poolId });
      const [claimed] = await claim(jobs, poolId);
      assert.ok(claimed);
      lose.next = true;
      const ending = { kind: "succeeded", outputsReused: false, executedWorkflow: null } as const;
      assert.equal(await jobs.workers.finish(claimed.lease, ending), true);
      assert.equal((await jobs.get({ jobId: id, workspaceId, poolId })).state, "succeeded");
    });
  }
});
