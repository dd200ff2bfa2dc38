// Figures over usage, compared with a sum computed row by row.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { UsageSums } from "./usage-figures.ts";
import { groupFailures, type SeriesQuery, sumModels, sumSeries } from "./usage-figures-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

interface Given {
  readonly minute: number;
  readonly subject: string;
  readonly outcome: string;
  readonly credits: number;
  readonly isReplay: boolean;
  readonly totalMs: number;
}

const beginning = Date.parse("2026-02-27T23:00:00Z");
const atOf = ({ minute }: Given) => new Date(beginning + minute * 60_000);

async function store(workspaceId: WorkspaceId, rows: readonly Given[]): Promise<void> {
  await database.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, credits, is_replay, at, total_ms, request_id)
    select gen_random_uuid(), ${workspaceId}, *, gen_random_uuid() from unnest(
      ${rows.map((row) => row.subject)}::text[], ${rows.map((row) => row.outcome)}::text[],
      ${rows.map((row) => row.credits)}::bigint[], ${rows.map((row) => row.isReplay)}::boolean[],
      ${rows.map(atOf)}::timestamptz[], ${rows.map((row) => row.totalMs)}::int[])`);
}

const row: fc.Arbitrary<Given> = fc.record({
  minute: fc.integer({ min: 0, max: 3_000 }),
  subject: fc.constantFrom(...Array.from({ length: 12 }, (_, index) => `model:a/${index}`), "partner:p/o", "job"),
  outcome: fc.constantFrom("succeeded", "provider_error", "rate_limited"),
  credits: fc.integer({ min: 0, max: 2_000_000_000 }),
  isReplay: fc.boolean(),
  totalMs: fc.integer({ min: 0, max: 2_000_000 }),
});

function sumOf(rows: readonly Given[]): UsageSums {
  const calls = rows.filter(({ isReplay }) => !isReplay);
  return {
    calls: calls.length,
    failures: calls.filter(({ outcome }) => outcome !== "succeeded").length,
    replays: rows.length - calls.length,
    credits: rows.reduce((sum, { credits }) => sum + BigInt(credits), 0n),
  };
}

function added(parts: readonly UsageSums[]): UsageSums {
  const start: UsageSums = { calls: 0, failures: 0, replays: 0, credits: 0n };
  return parts.reduce(
    (sum, part) => ({
      calls: sum.calls + part.calls,
      failures: sum.failures + part.failures,
      replays: sum.replays + part.replays,
      credits: sum.credits + part.credits,
    }),
    start,
  );
}

const sumsIn = ({ calls, failures, replays, credits }: UsageSums): UsageSums => ({ calls, failures, replays, credits });

// The longest time among that share of the calls: ours is never below it, and at most one cell above.
function assertTime(reported: number | null, rows: readonly Given[], share: number): void {
  const measured = rows.flatMap(({ isReplay, totalMs }) => (isReplay ? [] : [totalMs])).sort((one, two) => one - two);
  const exact = measured[Math.max(0, Math.ceil(measured.length * share) - 1)];
  if (exact === undefined) {
    assert.equal(reported, null);
    return;
  }
  assert.ok(reported !== null && reported >= exact && reported <= exact * 1.06 + 1, `${reported} for ${exact}`);
  assert.ok(measured.includes(reported), "a time that was measured");
}

const steps = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const;
const keyOf = {
  none: () => "",
  subject: (given: Given) => given.subject,
  outcome: (given: Given) => (given.isReplay ? "replayed" : given.outcome),
  api_key_id: () => "person",
  family: (given: Given) => given.subject.split(":")[0] ?? "",
} as const;

describe("a series", () => {
  test("is the sum of its rows in every step, grouping and filter, and its total is over all of them", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { maxLength: 60 }),
        fc.constantFrom("minute", "hour", "day"),
        fc.constantFrom("none", "subject", "outcome", "api_key_id", "family"),
        fc.constantFrom<SeriesQuery["filter"]>({}, { family: "model" }, { isFailure: true }, { isReplay: false }),
        async (rows, step, by, filter) => {
          const workspaceId = newId<"workspace">();
          await store(workspaceId, rows);
          await store(newId<"workspace">(), rows);
          const span = { from: new Date(beginning + 60 * 60_000), to: new Date(beginning + 2_500 * 60_000) };
          const query = {
            workspaceId,
            filter: { ...filter, ...span },
            step,
            by,
            withTimes: true,
            groupsMax: 8,
          } as const;
          const { points, groups, total } = await sumSeries(database, query);
          const within = rows.filter(
            (given) =>
              atOf(given) >= span.from &&
              atOf(given) < span.to &&
              (filter.family === undefined || given.subject.startsWith(`${filter.family}:`)) &&
              (filter.isFailure === undefined || (!given.isReplay && given.outcome !== "succeeded")) &&
              (filter.isReplay === undefined || given.isReplay === filter.isReplay),
          );
          assert.deepEqual(sumsIn(total), sumOf(within));
          assert.deepEqual(added(points), sumOf(within));
          assert.deepEqual(added(groups), sumOf(within));
          assertTime(total.p50Ms, within, 0.5);
          assertTime(total.p95Ms, within, 0.95);
          const named = new Set(groups.map(({ key }) => key));
          assert.ok(named.size <= 9);
          const slot = (given: Given) => atOf(given).getTime() - (atOf(given).getTime() % steps[step]);
          const keyIn = (given: Given) => (named.has(keyOf[by](given)) ? keyOf[by](given) : null);
          for (const point of points) {
            const own = within.filter((given) => slot(given) === point.at.getTime() && keyIn(given) === point.key);
            assert.deepEqual(sumsIn(point), sumOf(own));
            assertTime(point.p50Ms, own, 0.5);
            assertTime(point.p95Ms, own, 0.95);
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  test("names the eight largest groups, the largest first, and the rest together at the end", async () => {
    const workspaceId = newId<"workspace">();
    const base = { minute: 0, outcome: "succeeded", credits: 1, isReplay: false, totalMs: 5 };
    await store(
      workspaceId,
      Array.from({ length: 12 }, (_, index) =>
        Array.from({ length: index + 1 }, () => ({ ...base, subject: `model:m/${index}` })),
      ).flat(),
    );
    const query = { workspaceId, filter: {}, step: "day", by: "subject", withTimes: false, groupsMax: 8 } as const;
    const { groups, total } = await sumSeries(database, query);
    assert.deepEqual(
      groups.map(({ key, calls }) => [key, calls]),
      [...[11, 10, 9, 8, 7, 6, 5, 4].map((index) => [`model:m/${index}`, index + 1]), [null, 10]],
    );
    assert.deepEqual([total.calls, total.p50Ms], [78, null]);
  });

  test("without rows is empty, and its total is 0", async () => {
    const query = { workspaceId: newId<"workspace">(), filter: {}, step: "hour", by: "subject" } as const;
    const series = await sumSeries(database, { ...query, withTimes: true, groupsMax: 8 });
    const total = { calls: 0, failures: 0, replays: 0, credits: 0n, p50Ms: null, p95Ms: null };
    assert.deepEqual(series, { points: [], groups: [], total });
  });
});

test("failures are grouped by outcome, subject and status; totals are over all groups, whatever the limit", async () => {
  const workspaceId = newId<"workspace">();
  const base = { minute: 0, subject: "model:a/1", outcome: "provider_error", credits: 2, isReplay: false, totalMs: 5 };
  await store(workspaceId, [
    { ...base, minute: 3 },
    { ...base, minute: 9 },
    base,
    { ...base, outcome: "rate_limited" },
    { ...base, outcome: "succeeded" },
    { ...base, isReplay: true },
  ]);
  const { groups, total } = await groupFailures(database, { workspaceId, filter: {}, limit: 1 });
  assert.equal(groups.length, 1);
  const [first] = groups;
  assert.deepEqual([first?.outcome, first?.count, first?.credits], ["provider_error", 3, 6n]);
  assert.deepEqual([first?.firstAt, first?.lastAt], [atOf(base), atOf({ ...base, minute: 9 })]);
  assert.ok(first?.lastRequestId);
  assert.deepEqual(total, { count: 4, groups: 2, credits: 8n });
  const none = await groupFailures(database, { workspaceId: newId<"workspace">(), filter: {}, limit: 5 });
  assert.deepEqual(none, { groups: [], total: { count: 0, groups: 0, credits: 0n } });
});

test("models are counted without replays and timed by what succeeded", async () => {
  const workspaceId = newId<"workspace">();
  const base = { minute: 0, subject: "model:a/1", outcome: "succeeded", credits: 0, isReplay: false, totalMs: 5 };
  await store(workspaceId, [
    ...[10, 20, 30].map((totalMs) => ({ ...base, totalMs })),
    { ...base, outcome: "provider_error", totalMs: 9_000 },
    { ...base, isReplay: true, totalMs: 1 },
    { ...base, subject: "model:a/2", outcome: "provider_error" },
    { ...base, subject: "partner:p/o" },
  ]);
  const found = await sumModels(database, { workspaceId, since: new Date(beginning), countMax: 10 });
  assert.deepEqual(
    found.map(({ model, calls, successes, p50Ms, p95Ms }) => [model, calls, successes, p50Ms, p95Ms]),
    [
      ["a/1", 4, 3, 20, 30],
      ["a/2", 1, 0, null, null],
    ],
  );
});
