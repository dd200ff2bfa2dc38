import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import fc from "fast-check";
import { calmHour } from "../../../../test/support/calm-hour.ts";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { type KeyId, newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createUsage, type Usage } from "./usage.ts";
import type { UsageFilter, UsagePosition, UsageRow } from "./usage-row.ts";
import { forgetUsage, spentBy } from "./usage-store.ts";

let database: TestDatabase;
let usage: Usage;
before(async () => {
  database = await testDatabase();
  usage = createUsage({ database, log: silentLog });
});
after(async () => {
  await usage.close();
  await database.close();
});

interface Given {
  readonly at?: string;
  readonly subject?: string;
  readonly outcome?: string;
  readonly credits?: bigint;
  readonly isReplay?: boolean;
  readonly apiKeyId?: KeyId | null;
}

async function store(workspaceId: WorkspaceId, rows: readonly Given[]): Promise<void> {
  for (const row of rows) {
    await database.execute(sql`
      insert into usage (id, workspace_id, api_key_id, subject, outcome, credits, is_replay, at, total_ms)
      values (${newId()}, ${workspaceId}, ${row.apiKeyId ?? null}, ${row.subject ?? "model:a/b"},
              ${row.outcome ?? "succeeded"}, ${String(row.credits ?? 0n)}::bigint, ${row.isReplay ?? false},
              coalesce(${row.at ?? null}::timestamptz, now()), 1)`);
  }
}

async function walk(workspaceId: WorkspaceId, filter: UsageFilter, limit: number): Promise<UsageRow[]> {
  const rows: UsageRow[] = [];
  let before: UsagePosition | null = null;
  do {
    const page: Awaited<ReturnType<Usage["list"]>> = await usage.list({ workspaceId, filter, before, limit });
    rows.push(...page.rows);
    before = page.next;
    assert.ok(rows.length < 1_000, "a walk ends");
  } while (before !== null);
  return rows;
}

describe("listing", () => {
  test("gives every row once, newest first, whatever the page size, also where moments are equal or microseconds apart", async () => {
    const workspaceId = newId<"workspace">();
    const same = "2026-03-01T10:00:00.123456Z";
    await store(workspaceId, [
      ...Array.from({ length: 5 }, () => ({ at: same })),
      ...Array.from({ length: 6 }, (_, index) => ({ at: `2026-03-01T10:00:00.12345${index}Z` })),
      {},
    ]);
    for (const limit of [1, 2, 5, 12, 100]) {
      const rows = await walk(workspaceId, {}, limit);
      assert.equal(new Set(rows.map(({ id }) => id)).size, 12, `pages of ${limit}`);
      const positions = rows.map(({ position }) => `${position.at} ${position.id}`);
      assert.deepEqual(positions, [...positions].sort().reverse());
    }
  });

  test("narrows by each filter; from is included, to is not", async () => {
    const [workspaceId, apiKeyId] = [newId<"workspace">(), newId<"key">()];
    await store(workspaceId, [
      { at: "2026-01-01T00:00:00Z", subject: "model:x/1", apiKeyId },
      { at: "2026-01-02T00:00:00Z", outcome: "provider_error", isReplay: true },
      { at: "2026-01-03T00:00:00Z", apiKeyId },
    ]);
    const days = async (filter: UsageFilter) => (await walk(workspaceId, filter, 100)).map(({ at }) => at.getUTCDate());
    assert.deepEqual(await days({ from: new Date("2026-01-02"), to: new Date("2026-01-03") }), [2]);
    assert.deepEqual(await days({ subject: "model:x/1" }), [1]);
    assert.deepEqual(await days({ outcome: "provider_error" }), [2]);
    assert.deepEqual(await days({ apiKeyId }), [3, 1]);
    assert.deepEqual(await days({ isReplay: true }), [2]);
    assert.deepEqual(await days({ isReplay: false, apiKeyId, to: new Date("2026-01-03") }), [1]);
  });

  test("never shows another workspace's rows: not in a list, a sum, a walk or a key's spending", async () => {
    const [own, other, apiKeyId] = [newId<"workspace">(), newId<"workspace">(), newId<"key">()];
    await store(other, [{ credits: 5n, apiKeyId }]);
    assert.deepEqual(await walk(own, {}, 10), []);
    assert.deepEqual(await usage.sumByDay({ workspaceId: own, filter: {}, bySubject: true }), []);
    for await (const rows of usage.walk(own, {})) assert.deepEqual(rows, []);
    const since = new Date(0);
    assert.equal(await spentBy(database, { workspaceId: own, apiKeyId, since }), 0n);
    assert.equal(await spentBy(database, { workspaceId: other, apiKeyId, since }), 5n);
  });
});

test("sums by day equal the rows, whatever the rows are (random rows)", { timeout: 900_000 }, async () => {
  const row = fc.record({
    at: fc.integer({ min: 0, max: 4 * 86_400_000 - 1 }).map((ms) => new Date(Date.UTC(2026, 1, 26) + ms).toISOString()),
    subject: fc.constantFrom("model:a/b", "partner:c"),
    outcome: fc.constantFrom("succeeded", "provider_error"),
    credits: fc.bigInt(0n, 10n ** 15n),
    isReplay: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 12 }), async (rows) => {
      const workspaceId = newId<"workspace">();
      await store(workspaceId, rows);
      for (const bySubject of [false, true]) {
        const filter = { from: new Date("2026-02-26"), to: new Date("2026-03-01") };
        const days = await usage.sumByDay({ workspaceId, filter, bySubject });
        const within = rows.filter(({ at }) => at < "2026-03-01");
        const groups = Map.groupBy(within, ({ at, subject }) => `${at.slice(0, 10)} ${bySubject ? subject : null}`);
        const expected = [...groups].map(([name, of]) => {
          const calls = of.filter(({ isReplay }) => !isReplay);
          const failures = calls.filter(({ outcome }) => outcome !== "succeeded").length;
          const credits = of.reduce((sum, one) => sum + one.credits, 0n);
          return { name, calls: calls.length, failures, replays: of.length - calls.length, credits };
        });
        const byName = (one: { name: string }, two: { name: string }) => one.name.localeCompare(two.name);
        const got = days.map(({ day, subject, ...figures }) => ({ name: `${day} ${subject}`, ...figures }));
        assert.deepEqual(got.sort(byName), expected.sort(byName));
      }
    }),
    { numRuns: 20 },
  );
});

test("what is recorded is there after close, many in one go, and a row that cannot be stored takes no other along", async () => {
  await calmHour();
  const workspaceId = newId<"workspace">();
  const own = createUsage({ database, log: silentLog });
  const row = {
    workspaceId,
    requestId: null,
    callId: null,
    apiKeyId: null,
    outcome: "insufficient_credits",
    status: 402,
  };
  for (let count = 0; count < 600; count++) {
    own.recordUsage({
      ...row,
      subject: count === 300 ? "bad\0subject" : "model:a/b",
      isReplay: count % 2 === 0,
      totalMs: 1.4,
    });
  }
  await own.close();
  const [day] = await usage.sumByDay({ workspaceId, filter: {}, bySubject: false });
  assert.deepEqual([day?.calls, day?.failures, day?.replays, day?.credits], [300, 300, 299, 0n]);
  let walked = 0;
  for await (const rows of usage.walk(workspaceId, {})) walked += rows.length;
  assert.equal(walked, 599);
});

test("retention takes what is too old, in batches, and nothing else", async () => {
  const workspaceId = newId<"workspace">();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
  await store(workspaceId, [{ at: daysAgo(401) }, { at: daysAgo(402) }, { at: daysAgo(500) }, { at: daysAgo(399) }]);
  assert.equal(await forgetUsage(database, { keepDays: 400, batchRows: 2 }), 2);
  assert.ok((await forgetUsage(database, { keepDays: 400, batchRows: 10 })) >= 1);
  assert.equal(await forgetUsage(database, { keepDays: 400, batchRows: 10 }), 0);
  assert.equal((await walk(workspaceId, {}, 10)).length, 1);
});
