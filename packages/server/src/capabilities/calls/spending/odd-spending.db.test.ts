// Odd hours by the sums of real usage rows, with a clock that is moved by hand.
import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/index.ts";
import { type HandClock, handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { createAudit } from "../../audit/index.ts";
import { createUsageSumming } from "../usage/add-up-usage.work.ts";
import { type OddSpending, oddRule } from "./odd-hour.ts";
import { createOddSpending, type OddSpendingWatch } from "./odd-spending.ts";
import { oddHours } from "./odd-spending-store.ts";

const hourMs = 3_600_000;
const weekMs = 7 * 24 * hourMs;
const credits = (whole: number) => whole * 1_000_000;
const by = { actor: { kind: "system", id: null } } as const;
const { signal } = new AbortController();
// A Wednesday.
const now = new Date("2026-01-07T12:00:00.000Z");

let database: TestDatabase;
let clock: HandClock;
let watch: OddSpendingWatch;
let told: OddSpending[];
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(async () => {
  await database.execute(sql`truncate usage`);
  await database.execute(sql`update spending_looks set looked_until = null`);
  await database.execute(sql`truncate spending_alerts, spending_watches`);
  clock = handClock(now);
  watch = createOddSpending({ database, audit: createAudit({ database }), clock });
  told = [];
});

const notices = {
  async enqueue(_: unknown, found: readonly OddSpending[]) {
    told.push(...found);
    return () => undefined;
  },
};

async function aWorkspace(): Promise<WorkspaceId> {
  const id: WorkspaceId = newId();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${id}, 'Studio', now())`);
  return id;
}

// Spends in the hours that begin so many hours after the clock's first full hour; negative ones are before.
async function spend(workspaceId: WorkspaceId, spendings: readonly (readonly [hours: number, credits: number])[]) {
  await database.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, status, credits, is_replay, at, total_ms, request_id)
    select gen_random_uuid(), ${workspaceId}, 'model:a/b', 'succeeded', 200, micro, false,
           ${now}::timestamptz + hours * interval '1 hour' + interval '17 minutes', 10, gen_random_uuid()
    from unnest(${spendings.map(([hours]) => hours)}::int[], ${spendings.map(([, amount]) => String(credits(amount)))}::bigint[])
      as given (hours, micro)`);
}

const week = (count: number) => (-count * weekMs) / hourMs;
const usual = (weeks: number, amount: number) =>
  Array.from({ length: weeks }, (_, n) => [week(n + 1), amount] as const);

// The first round starts the watch; then the hour of the test passes and its sums are made.
async function pass(hours = 1) {
  await watch.round(notices);
  await clock.advance(hours * hourMs + 60_000);
  await createUsageSumming({ database }).round(signal);
  return watch.round(notices);
}

test("an hour far above the same hour of past weeks is told once, with the figures", async () => {
  const workspaceId = await aWorkspace();
  await spend(workspaceId, [...usual(8, 40), [0, 250], [0, 260]]);
  assert.equal(await pass(), 1);
  const [odd = assert.fail(), ...others] = told;
  assert.deepEqual(others, []);
  assert.deepEqual([odd.workspaceId, odd.hour, odd.sequence, odd.weeks], [workspaceId, now, 1, 8]);
  assert.deepEqual([odd.spent, odd.average, odd.highest].map(Number), [credits(510), credits(40), credits(40)]);
  assert.equal(await watch.round(notices), 0);
  const { alerts, isOn, atLeast } = await watch.of(workspaceId);
  assert.deepEqual([alerts.length, isOn, atLeast], [1, true, oddRule.atLeast]);
});

test("the rule: the amount, the highest week, three times the average, and four weeks of usage", async () => {
  const cases: readonly (readonly [string, number, readonly (readonly [number, number])[]])[] = [
    ["below the amount", 0, [...usual(8, 1), [0, 199]]],
    [
      "nothing at this hour, ever, and then the amount",
      1,
      [
        [week(8), 0],
        [week(8) + 5, 3],
        [0, 200],
      ],
    ],
    ["a week was as high", 0, [...usual(7, 10), [week(8), 900], [0, 900]]],
    ["just below three times the average", 0, [...usual(8, 100), [0, 299]]],
    ["three times the average", 1, [...usual(8, 100), [0, 300]]],
    ["three weeks of usage", 0, [...usual(3, 10), [0, 900]]],
    ["four weeks of usage", 1, [...usual(4, 10), [0, 900]]],
    ["another hour of the day was high", 1, [...usual(8, 10), [week(1) + 1, 5_000], [0, 900]]],
    ["another day of the week was high", 1, [...usual(8, 10), [-24, 5_000], [0, 900]]],
  ];
  const expected = new Map<WorkspaceId, readonly [string, number]>();
  for (const [name, count, spendings] of cases) {
    const workspaceId = await aWorkspace();
    await spend(workspaceId, spendings);
    expected.set(workspaceId, [name, count]);
  }
  await pass();
  for (const [workspaceId, [name, count]] of expected)
    assert.equal(told.filter((odd) => odd.workspaceId === workspaceId).length, count, name);
});

test("a workspace chooses its amount, or turns it off", async () => {
  const [small, off] = [await aWorkspace(), await aWorkspace()];
  for (const each of [small, off]) await spend(each, [...usual(8, 1), [0, 30]]);
  await watch.set(small, { isOn: true, atLeast: 20_000_000n }, by);
  await watch.set(off, { isOn: false, atLeast: 20_000_000n }, by);
  await pass();
  assert.deepEqual(
    told.map(({ workspaceId }) => workspaceId),
    [small],
  );
});

test("a failed hand-over writes nothing, and several processes tell each hour once", async () => {
  const workspaceId = await aWorkspace();
  await spend(workspaceId, [...usual(8, 10), [0, 900], [1, 901]]);
  await watch.round(notices);
  await clock.advance(2 * hourMs + 60_000);
  await createUsageSumming({ database }).round(signal);
  const failing = { enqueue: () => Promise.reject(new Error("not now")) };
  await assert.rejects(watch.round(failing));
  assert.deepEqual((await watch.of(workspaceId)).alerts, []);
  const processes = [1, 2, 3].map(() => createOddSpending({ database, audit: createAudit({ database }), clock }));
  await Promise.all(processes.map((each) => each.round(notices)));
  await watch.round(notices);
  assert.deepEqual(
    told.map(({ sequence }) => sequence),
    [1, 2],
  );
});

test("after a long stop only the last six hours are looked at, and a clock that goes back repeats nothing", async () => {
  const workspaceId = await aWorkspace();
  await spend(workspaceId, [...usual(8, 10), [0, 900], [200, 900]]);
  assert.equal(await pass(201), 6);
  assert.equal(told.length, 1);
  assert.deepEqual(told[0]?.hour, new Date(now.getTime() + 200 * hourMs));
  const behind = createOddSpending({ database, audit: createAudit({ database }), clock: handClock(now) });
  assert.equal(await behind.round(notices), 0);
});

test("what it costs among 1,000 workspaces with eight weeks of hours", { timeout: 900_000 }, async (t) => {
  const workspaces = 1_000;
  await database.execute(sql`
    insert into workspaces (id, name, created_at) select gen_random_uuid(), 'many', now() from generate_series(1, ${workspaces}::int)`);
  await database.execute(
    sql`update usage_sums_span set rolled_from = ${new Date(now.getTime() - 9 * weekMs)}, rolled_until = ${now}`,
  );
  await database.execute(sql`
    insert into usage_sums (workspace_id, is_day, detail, slot, subject, outcome, status, is_replay, calls, credits, first_at, last_at)
    select w.id, false, detail, ${now}::timestamptz - hour * interval '1 hour', '', 'succeeded', 200, false, 5,
           case when hour = 1 then 900000000 else 10000000 end, now(), now()
    from workspaces w cross join generate_series(1, 24 * 7 * 9, 6) as hour cross join (values (0)) as d (detail) where w.name = 'many'`);
  await database.execute(sql`analyze usage_sums`);
  const looked = { hour: new Date(now.getTime() - hourMs), rule: oddRule, at: now };
  const rows = await database.transaction((tx) =>
    tx.query<Record<string, unknown>>(sql`explain (analyze, buffers, format json) ${oddHours(looked)}`),
  );
  const [plan] = (Object.values(rows[0] ?? {})[0] ?? []) as Record<string, unknown>[];
  const root = plan?.["Plan"] as Record<string, number>;
  const pages = (root["Shared Hit Blocks"] ?? 0) + (root["Shared Read Blocks"] ?? 0);
  t.diagnostic(`${workspaces} workspaces, all odd: ${pages} pages, ${plan?.["Execution Time"]} ms`);
  // Eight weeks, the first hour and the alert itself, at a few index pages each: it grows with those that spent much, not with rows.
  assert.ok(pages < workspaces * 90, `${pages} pages`);
  const [{ count } = assert.fail()] = await database.query<{ count: number }>(sql`
    select count(*)::int as count from spending_alerts`);
  assert.equal(count, workspaces);
});
