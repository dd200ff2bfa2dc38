// Figures from sums, compared with the same figures from rows alone: they are equal, whatever has been added up so far and
// whatever happened to the rows meanwhile. usage-figures-store.db.test.ts shows that figures from rows are right.
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { type Database, openDatabase, type Queryable } from "../../../foundation/database/index.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { type KeyId, newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { addUpStretch, createUsageSumming } from "./add-up-usage.work.ts";
import { groupFailures, type SeriesQuery, sumModels, sumSeries } from "./usage-figures-store.ts";
import { dayMs, hourMs } from "./usage-filter-store.ts";
import type { UsageFilter } from "./usage-row.ts";
import { forgetUsage, spentBy, sumUsage } from "./usage-store.ts";
import { closableUntil, type SumsSpan } from "./usage-sums-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(() => database.execute(sql`truncate usage`));

const workspaces = [newId<"workspace">(), newId<"workspace">()] as const;
const apiKeys = [newId<"key">(), newId<"key">()] as const;
const { signal } = new AbortController();

interface Given {
  readonly minutesAgo: number;
  readonly owner: WorkspaceId;
  readonly subject: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly apiKeyId: KeyId | null;
  readonly credits: number;
  readonly isReplay: boolean;
  readonly totalMs: number;
}

async function store(rows: readonly Given[]): Promise<void> {
  await database.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, status, api_key_id, credits, is_replay, at, total_ms, request_id)
    select gen_random_uuid(), workspace_id, subject, outcome, status, api_key_id, credits, is_replay,
           now() - minutes * interval '1 minute', total_ms, gen_random_uuid()
    from unnest(
      ${rows.map((row) => row.owner)}::uuid[], ${rows.map((row) => row.subject)}::text[],
      ${rows.map((row) => row.outcome)}::text[], ${rows.map((row) => row.status)}::int[],
      ${rows.map((row) => row.apiKeyId)}::uuid[], ${rows.map((row) => row.credits)}::bigint[],
      ${rows.map((row) => row.isReplay)}::boolean[], ${rows.map((row) => row.minutesAgo)}::float8[],
      ${rows.map((row) => row.totalMs)}::int[]
    ) as given (workspace_id, subject, outcome, status, api_key_id, credits, is_replay, minutes, total_ms)`);
}

// Spread evenly: fast-check prefers extremes.
const even = (minutes: number) => fc.noBias(fc.integer({ min: 0, max: minutes * 60_000 })).map((ms) => ms / 60_000);

const row: fc.Arbitrary<Given> = fc.record({
  // Many in the last hours, where rows and sums meet.
  minutesAgo: fc.oneof(even(150), even(4_500)),
  owner: fc.constantFrom(workspaces[0], workspaces[0], workspaces[1]),
  subject: fc.constantFrom("model:a/1", "model:a/2", "partner:p/o", "job"),
  outcome: fc.constantFrom("succeeded", "provider_error", "rate_limited"),
  status: fc.constantFrom(200, 502, null),
  apiKeyId: fc.constantFrom(...apiKeys, null),
  credits: fc.integer({ min: 0, max: 2_000_000_000 }),
  isReplay: fc.boolean(),
  totalMs: fc.integer({ min: 0, max: 2_000_000 }),
});

// What happens to the rows and their sums, in sequence.
type Event =
  | { readonly kind: "add up"; readonly minutes: number }
  | { readonly kind: "correct" | "move" | "remove"; readonly which: number }
  | { readonly kind: "arrive"; readonly given: Given }
  | { readonly kind: "forget"; readonly keepDays: number };

const event: fc.Arbitrary<Event> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("add up"), minutes: fc.constantFrom(5, 25, 90, 800, 3_000) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("correct", "move", "remove"), which: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("arrive"), given: row }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("forget"), keepDays: fc.constantFrom(1, 2) }) },
) as fc.Arbitrary<Event>;

async function happen(happened: Event): Promise<void> {
  if (happened.kind === "add up") {
    await database.transaction((tx) => addUpStretch(tx, happened.minutes * 60_000));
  } else if (happened.kind === "arrive") {
    await store([{ ...happened.given, minutesAgo: 0 }]);
  } else if (happened.kind === "forget") {
    await forgetUsage(database, { keepDays: happened.keepDays, batchRows: 2 });
  } else {
    const one = sql`(select ctid from usage order by id offset ${happened.which} % (1 + (select count(*) from usage)) limit 1)`;
    if (happened.kind === "correct") await database.execute(sql`update usage set credits = 7 where ctid = ${one}`);
    if (happened.kind === "move")
      await database.execute(sql`update usage set at = at - interval '100 minutes' where ctid = ${one}`);
    if (happened.kind === "remove") await database.execute(sql`delete from usage where ctid = ${one}`);
  }
}

const spanOf = async (db: Queryable): Promise<SumsSpan> => {
  const [span] = await db.query<SumsSpan>(sql`select rolled_from as from, rolled_until as until from usage_sums_span`);
  return span ?? assert.fail();
};

interface Question extends Pick<SeriesQuery, "step" | "by" | "withTimes"> {
  readonly filter: UsageFilter;
}

async function figures(db: Queryable, { filter, ...asked }: Question) {
  const [workspaceId, apiKeyId] = [workspaces[0], apiKeys[0]];
  const since = filter.from ?? new Date(0);
  return {
    series: await sumSeries(db, { workspaceId, filter, ...asked, groupsMax: 2 }),
    days: await sumUsage(db, { workspaceId, filter, bySubject: asked.by === "subject" }),
    failures: await groupFailures(db, { workspaceId, filter, limit: 3 }),
    models: await sumModels(db, { workspaceId, since, countMax: 10 }),
    spent: await spentBy(db, { workspaceId, apiKeyId, since }),
  };
}

class Undone extends Error {}

// With a span that starts at the end of time, and without sums, only rows are read.
async function figuresOfRows(asked: Question): Promise<Awaited<ReturnType<typeof figures>>> {
  let found: Awaited<ReturnType<typeof figures>> | undefined;
  const undone = database.transaction(async (tx) => {
    await tx.execute(sql`update usage_sums_span set rolled_from = 'infinity', rolled_until = 'infinity'`);
    await tx.execute(sql`delete from usage_sums`);
    found = await figures(tx, asked);
    throw new Undone();
  });
  await assert.rejects(undone, Undone);
  return found ?? assert.fail();
}

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
}

const ago = even(4_500).map((minutes) => Math.round(minutes * 60_000));
const moment = fc.oneof(
  ago.map((ms) => (now: number) => now - ms),
  ago.map((ms) => (now: number) => now - ms - ((now - ms) % hourMs)),
  ago.map((ms) => (now: number) => now - ms - ((now - ms) % dayMs)),
);

const question = fc.record({
  step: fc.constantFrom("minute", "hour", "day"),
  by: fc.constantFrom("none", "subject", "outcome", "api_key_id", "family"),
  withTimes: fc.boolean(),
  narrowed: fc.constantFrom<UsageFilter>(
    {},
    {},
    {},
    { family: "model" },
    { subject: "model:a/1" },
    { outcome: "provider_error" },
    { isFailure: true },
    { isFailure: false },
    { isReplay: true },
    { apiKeyId: apiKeys[0] },
    { requestOrCallId: newId() },
  ),
  from: fc.option(moment, { nil: undefined }),
  to: fc.option(moment, { nil: undefined }),
});

test("equal the rows in every span, filter and grouping, even after the rows are gone", async () => {
  // So that no sum is 0 by chance.
  let counted = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 40, maxLength: 80 }),
      fc.array(fc.tuple(event, question, question), { minLength: 3, maxLength: 9 }),
      async (rows, events) => {
        await database.execute(sql`truncate usage`);
        await store(rows);
        for (const [happened, ...asked] of events) {
          await happen(happened);
          for (const { narrowed, from, to, ...rest } of asked) {
            const now = Date.now();
            const [since, until] = [from?.(now), to?.(now)];
            const isTurned = since !== undefined && until !== undefined && since > until;
            const span = isTurned ? [until, since] : [since, until];
            const [first, last] = span.map((ms) => (ms === undefined ? ms : new Date(ms)));
            const wanted = { ...rest, filter: { ...narrowed, from: first, to: last } };
            const found = await figures(database, wanted);
            assert.deepEqual(found, await figuresOfRows(wanted));
            counted += found.series.total.calls;
          }
        }
        await requireInvariants();
      },
    ),
    { numRuns: 12 },
  );
  assert.ok(counted > 300, String(counted));
});

const anyRow = (more: Partial<Given> = {}): Given => ({
  minutesAgo: 0,
  owner: workspaces[0],
  subject: "model:a/1",
  outcome: "succeeded",
  status: 200,
  apiKeyId: null,
  credits: 1,
  isReplay: false,
  totalMs: 5,
  ...more,
});

const linesOf = async (isDay: boolean): Promise<number> => {
  const [found] = await database.query<{ count: number }>(
    sql`select count(*)::int as count from usage_sums where detail = 2 and is_day = ${isDay}`,
  );
  return found?.count ?? 0;
};

describe("adding up", () => {
  test("reaches everything that is old enough, one process at a time, and a second round adds nothing", async () => {
    await store(Array.from({ length: 300 }, (_, index) => anyRow({ minutesAgo: 10 + index * 30 })));
    await Promise.all([1, 2, 3].map(() => createUsageSumming({ database }).round(signal)));
    const reached = await createUsageSumming({ database }).round(signal);
    const [hours, days] = [await linesOf(false), await linesOf(true)];
    // 150 hours, and the complete days among them.
    assert.ok(hours >= 150 && hours <= 152, String(hours));
    assert.ok(days >= 6 && days <= 7, String(days));
    await createUsageSumming({ database }).round(signal);
    assert.deepEqual([await linesOf(false), await linesOf(true)], [hours, days]);
    const { until } = await spanOf(database);
    assert.ok(reached !== null && until >= reached && until.getTime() > Date.now() - 8 * 60_000);
    const { total } = await sumSeries(database, {
      workspaceId: workspaces[0],
      filter: {},
      step: "day",
      by: "none",
      withTimes: false,
      groupsMax: 1,
    });
    assert.equal(total.calls, 300);
    await requireInvariants();
  });

  test("that fails halfway leaves everything as it was, and the next one goes on from there", async () => {
    await store([anyRow({ minutesAgo: 3_000 }), anyRow({ minutesAgo: 100 })]);
    await database.transaction((tx) => addUpStretch(tx, dayMs));
    const earlier = [await spanOf(database), await linesOf(false), await linesOf(true)];
    const undone = database.transaction(async (tx) => {
      await addUpStretch(tx, dayMs);
      throw new Undone();
    });
    await assert.rejects(undone, Undone);
    assert.deepEqual([await spanOf(database), await linesOf(false), await linesOf(true)], earlier);
    await createUsageSumming({ database }).round(signal);
    assert.equal(await linesOf(false), 2);
  });

  test("waits for open transactions and for other writers", async () => {
    const exact = { grain: "1 microsecond", grace: "0" };
    const other: Database = openDatabase({ connection: database.url, poolSize: 1, readers: 0 });
    try {
      await store([anyRow({ minutesAgo: 100 })]);
      await createUsageSumming({ database }).round(signal);
      const before = await spanOf(database);
      await other.transaction(async (tx) => {
        const [began] = await tx.query<{ at: Date }>(sql`select now() as at`);
        const closable = await database.transaction((mine) => closableUntil(mine, exact));
        assert.ok(began && closable <= began.at, "no later than the beginning of the open transaction");
        await tx.execute(sql`update usage set credits = 9`);
        assert.equal(await createUsageSumming({ database }).round(signal), null);
      });
      const after = await spanOf(database);
      assert.ok(after.until < before.until, "the sums end before the changed row");
    } finally {
      await other.close();
    }
  });
});

// The sums rely on this: a row with another time could land in a closed stretch.
test("every statement of ours gives a usage row the moment of its transaction", () => {
  const folder = join(import.meta.dirname, "../../..");
  const givesMoment = (text: string) =>
    [...text.matchAll(/insert into usage\s*\(([^)]*)\)/g)].filter(([, names = ""]) => /\bat\b/.test(names)).length;
  assert.equal(givesMoment("insert into usage (id, at) values"), 1, "a planted one is found");
  const stores = globSync("**/*-store.ts", { cwd: folder }).map((path) => readFileSync(join(folder, path), "utf8"));
  assert.ok(stores.some((text) => text.includes("insert into usage (")));
  assert.deepEqual(
    stores.filter((text) => givesMoment(text) > 0),
    [],
  );
});
