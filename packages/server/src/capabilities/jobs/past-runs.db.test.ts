// What past runs report: figures of runs that succeeded and ran once, of the newest, and nothing if too little is known.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { expectedFrom } from "../../foundation/run-times.ts";
import { createPastRuns } from "./past-runs.ts";
import { likeJobsSubject } from "./submitting/like-jobs.ts";
import { findTimesOfLikeJobs } from "./submitting/past-jobs-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const day = 86_400_000;
const aSubject = () => `model:a/${newId()}`;
const open = (clock = handClock(new Date())) => ({ clock, runs: createPastRuns({ database, clock, log: silentLog }) });

interface Run {
  readonly ms?: number | null;
  readonly outcome?: string;
  readonly isReplay?: boolean;
  readonly daysAgo?: number;
}

async function ran(subject: string, runs: readonly Run[]): Promise<void> {
  await database.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, credits, is_replay, at, total_ms, provider_ms)
    select gen_random_uuid(), gen_random_uuid(), ${subject}, outcome, 0, is_replay, now() - days * interval '1 day', 9999, ms
    from unnest(${runs.map(({ outcome }) => outcome ?? "succeeded")}::text[],
                ${runs.map(({ isReplay }) => isReplay ?? false)}::boolean[],
                ${runs.map(({ daysAgo }) => daysAgo ?? 0)}::float8[],
                ${runs.map(({ ms }) => (ms === undefined ? 1000 : ms))}::int[]) as given (outcome, is_replay, days, ms)`);
}

describe("of models", () => {
  test("median, p90 and count come from the runs of all workspaces", async () => {
    const subject = aSubject();
    await ran(
      subject,
      Array.from({ length: 11 }, (_, index) => ({ ms: (index + 1) * 100 })),
    );
    assert.deepEqual(await open().runs.expectedSeconds(subject), { median: 0.6, p90: 1, count: 11 });
  });

  test("two runs say nothing; failures, replays, followed calls and what is older than a week do not count", async () => {
    const subject = aSubject();
    const others = [{ outcome: "provider_error" }, { isReplay: true }, { ms: null }, { daysAgo: 8 }];
    await ran(subject, [{ ms: 100 }, { ms: 200 }, ...others, ...others]);
    const { clock, runs } = open();
    assert.equal(await runs.expectedSeconds(subject), undefined);
    await ran(subject, [{ ms: 300 }]);
    // Cached for a minute, then read again.
    assert.equal(await runs.expectedSeconds(subject), undefined);
    await clock.advance(60_001);
    const found = { median: 0.2, p90: 0.28, count: 3 };
    assert.deepEqual(await runs.expectedSeconds(subject), found);
    assert.deepEqual(runs.expectedSeconds(subject), found, "at once where it is remembered");
  });

  test("only the newest two hundred count", async () => {
    const subject = aSubject();
    const old = Array.from({ length: 50 }, () => ({ ms: 60_000, daysAgo: 3 }));
    await ran(subject, [...old, ...Array.from({ length: 200 }, () => ({ ms: 1_000 }))]);
    assert.deepEqual(await open().runs.expectedSeconds(subject), { median: 1, p90: 1, count: 200 });
  });
});

describe("of graphs", () => {
  const like = { poolId: newId(), needsId: newId(), nodesTotal: 4 };

  async function done(more: { ms: number; state?: string; attempt?: number; reused?: boolean; nodes?: number }) {
    const isRunning = more.state === "running";
    await database.execute(sql`
      insert into jobs (id, workspace_id, pool_id, needs_id, state, attempt, attempts_max, priority, nodes_total,
                        holds_assets, holds_credits, created_at, started_at, finished_at, expires_at, due_at, outputs_reused,
                        worker_id, claimed_at)
      values (${newId()}, ${newId()}, ${like.poolId}, ${like.needsId}, ${more.state ?? "succeeded"}, ${more.attempt ?? 1}, 3, 0,
              ${more.nodes ?? like.nodesTotal}, false, false, now() - interval '1 hour', now() - interval '1 minute',
              ${isRunning ? sql`null` : sql`now() - interval '1 minute' + ${more.ms} * interval '1 millisecond'`}, now(), now(),
              ${more.reused ?? false}, ${isRunning ? newId() : null}::uuid, ${isRunning ? new Date() : null}::timestamptz)`);
  }

  test("count runs of the same pool, needs and size that ran once, from start to finish", async () => {
    for (const ms of [1_000, 2_000]) await done({ ms });
    await done({ ms: 4_000, reused: true });
    for (const other of [{ state: "failed" }, { state: "running" }, { attempt: 2 }, { nodes: 5 }])
      await done({ ms: 100, ...other });
    const { runs } = open();
    assert.deepEqual(await runs.expectedSeconds(likeJobsSubject(like)), { median: 2, p90: 3.6, count: 3 });
    for (const other of [{ poolId: newId() }, { needsId: newId() }, { nodesTotal: 6 }])
      assert.equal(await runs.expectedSeconds(likeJobsSubject({ ...like, ...other })), undefined);
    const since = new Date(Date.now() + day);
    assert.equal(await findTimesOfLikeJobs(database, { ...like, since, countMax: 10 }), null);
  });
});

test("a subject of any text, and a database that is away, are no reason to fail", async () => {
  const { runs } = open();
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `graph:${text}`),
      ),
      async (text) => {
        assert.equal(await runs.expectedSeconds(text.replaceAll("\0", "")), undefined);
      },
    ),
    { numRuns: 30 },
  );
  const away = { query: () => Promise.reject(new Error("away")), execute: () => Promise.reject(new Error("away")) };
  const alone = createPastRuns({ database: away, clock: handClock(), log: silentLog });
  assert.equal(await alone.expectedSeconds("model:a/b"), undefined);
});

test("the estimate lies between the shortest and the longest run, and p90 is not below the median", () => {
  const ms = fc.integer({ min: 0, max: 10_000_000 });
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 200 }), ms, ms, (count, a, b) => {
      const expected = expectedFrom({ count, medianMs: Math.min(a, b), p90Ms: Math.max(a, b) });
      assert.ok(expected && expected.p90 >= expected.median && expected.median >= 0 && expected.count === count);
    }),
  );
  for (const count of [1, 2]) assert.equal(expectedFrom({ count, medianMs: 1, p90Ms: 1 }), null);
});
