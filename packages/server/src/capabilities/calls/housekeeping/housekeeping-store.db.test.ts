import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { calmHour } from "../../../../test/support/calm-hour.ts";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { createBackground } from "../../../foundation/background.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { type Log, silentLog } from "../../../foundation/log.ts";
import { createAnswerHour, listAnswerHours } from "../answers/answer-store.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { closeMonth, fundWallet } from "../ledger/ledger-store.ts";
import { type Calls, createCalls } from "../protocol/calls.ts";
import { callsFixture } from "../rounds/calls.fixture.ts";
import { createHousekeeping, monthAfter } from "./housekeeping.ts";

const hourMs = 3_600_000;
const signal = new AbortController().signal;
let database: TestDatabase;
let calls: Calls;
let released: string[];
let warnings: string[];

before(async () => {
  database = await testDatabase();
  const blobs = { keep: async () => "hash", read: async () => null, release: async () => undefined };
  calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  await callsFixture(database).keepAwake(calls.ownerId);
});
after(async () => {
  await calls.close();
  await database.close();
});
beforeEach(async () => {
  await calmHour();
  released = [];
  warnings = [];
});

const log: Log = { ...silentLog, warn: (_fields: unknown, message?: string) => void warnings.push(message ?? "") };

function keeper(usageKeepDays = 400) {
  const blobs = {
    release: async (_tx: unknown, hash: string, holder: { id: string }) => void released.push(`${hash} ${holder.id}`),
  };
  return createHousekeeping({ database, log, blobs, usageKeepDays });
}

const hourAgo = (hours: number) => new Date(Math.floor(Date.now() / hourMs) * hourMs - hours * hourMs);

async function answerAt(hoursAgo: number, blobHash: string | null): Promise<string> {
  const callId = newId();
  await database.execute(sql`
    insert into call_answers (call_id, answered_at, status, headers, body, blob_hash, body_bytes)
    values (${callId}, now() - ${hoursAgo} * interval '1 hour', 200, '{}', ${blobHash === null ? Buffer.from("x") : null}, ${blobHash}, 1)`);
  return callId;
}

// How many tables each round made, until one made none.
async function madeBy(housekeeping: ReturnType<typeof createHousekeeping>): Promise<readonly number[]> {
  const made: number[] = [];
  for (;;) {
    const { hoursMade } = await housekeeping.round(signal);
    if (hoursMade === 0) return made;
    made.push(hoursMade);
  }
}

const answerCount = async () => (await database.query(sql`select 1 from call_answers`)).length;

describe("answers", () => {
  test("a round makes four tables at most, nearest hour first, until the hour of now and the 48 after it have theirs", async () => {
    const hours = async () => (await listAnswerHours(database)).map(({ hour }) => hour.getTime());
    const from = (...ahead: number[]) => ahead.map((each) => hourAgo(-each).getTime());
    assert.equal((await keeper().round(signal)).hoursMade, 4);
    assert.deepEqual(await hours(), from(0, 1, 2, 3));
    assert.deepEqual(await madeBy(keeper()), [...Array.from({ length: 11 }, () => 4), 1]);
    assert.deepEqual(await hours(), from(...Array.from({ length: 49 }, (_, each) => each)));
    assert.deepEqual(warnings, []);
  });

  test("an hour is dropped 25 hours after it began, with the blobs its answers held; younger ones stay", async () => {
    for (const hours of [24, 25, 26, 30]) await createAnswerHour(database, hourAgo(hours));
    const [old, edge] = [await answerAt(30, "h30"), await answerAt(23.9, "h24")];
    await answerAt(30, null);
    const before = await answerCount();
    const report = await keeper().round(signal);
    assert.equal(report.hoursDropped, 3);
    assert.ok(released.includes(`h30 ${old}`));
    assert.ok(!released.some((line) => line.endsWith(edge)));
    assert.equal(await answerCount(), before - 2);
  });

  test("what a failed release leaves behind is dropped whole by a later round", async () => {
    await createAnswerHour(database, hourAgo(40));
    const callId = await answerAt(40, "h40");
    const broken = createHousekeeping({
      database,
      log,
      blobs: { release: () => Promise.reject(new Error("no storage")) },
    });
    assert.equal((await broken.round(signal)).hoursDropped, 0);
    assert.equal(warnings.length, 1);
    assert.equal((await keeper().round(signal)).hoursDropped, 1);
    assert.deepEqual(released, [`h40 ${callId}`]);
  });

  test("answers that came while their hour had no table end too, in batches, with their blobs", async () => {
    const callId = await answerAt(60, "h60");
    await answerAt(61, null);
    const before = await answerCount();
    assert.equal((await keeper().round(signal)).answersForgotten, 2);
    assert.deepEqual(released, [`h60 ${callId}`]);
    assert.equal(await answerCount(), before - 2);
  });

  test("an hour whose answers came before its table is left to the default one, and the others are made", async () => {
    const fresh = await testDatabase();
    try {
      await fresh.execute(sql`
        insert into call_answers (call_id, answered_at, status, headers, body, body_bytes)
        values (${newId()}, now(), 200, '{}', 'x', 1)`);
      const own = createHousekeeping({
        database: fresh,
        log,
        blobs: { release: async () => undefined },
      });
      assert.deepEqual(
        await madeBy(own),
        Array.from({ length: 12 }, () => 4),
      );
      assert.deepEqual(warnings, []);
    } finally {
      await fresh.close();
    }
  });
});

// Began 27 hours ago. Null means it is open.
async function keyedCall(workspaceId: string, key: string, endedHoursAgo: number | null): Promise<void> {
  const id = newId(Date.now() - 27 * hourMs);
  const isOpen = endedHoursAgo === null;
  await database.execute(sql`
    insert into calls (id, workspace_id, subject, idempotency_key, fingerprint, state, owner_id, takes_slot, is_costly, hold,
                       settled, recovery, longest_run_seconds, finished_at)
    values (${id}, ${workspaceId}, 's', ${key}, 'x', ${isOpen ? "open" : "finished"}, ${isOpen ? newId() : null}, false, false,
            0, ${isOpen ? null : 0}, 'ask', 600, now() - ${endedHoursAgo}::int * interval '1 hour')`);
  await database.execute(
    sql`insert into call_keys (workspace_id, idempotency_key, call_id) values (${workspaceId}, ${key}, ${id})`,
  );
}

test("keys whose 24 hours are over are forgotten; others answer on", async () => {
  const workspaceId = newId<"workspace">();
  await keyedCall(workspaceId, "old", 26);
  await keyedCall(workspaceId, "young", 23);
  await keyedCall(workspaceId, "open", null);
  assert.equal((await keeper().round(signal)).keysForgotten, 1);
  const left = await database.query<{ key: string }>(sql`
    delete from call_keys where workspace_id = ${workspaceId} returning idempotency_key as key`);
  assert.deepEqual(left.map(({ key }) => key).sort(), ["open", "young"]);
  await database.execute(sql`delete from calls where workspace_id = ${workspaceId}`);
});

test("usage is kept for the configured time", async () => {
  const row = (days: number) =>
    database.execute(sql`
      insert into usage (id, workspace_id, subject, outcome, credits, is_replay, at, total_ms)
      values (${newId()}, ${newId()}, 's', 'succeeded', 0, false, now() - ${days} * interval '1 day', 1)`);
  for (const days of [5, 11, 12]) await row(days);
  assert.equal((await keeper(10).round(signal)).usageForgotten, 2);
  assert.equal((await keeper(10).round(signal)).usageForgotten, 0);
});

describe("the books", () => {
  // The journal is append-only for us too; a test that travels in time has to switch the guard off.
  async function ageJournal(workspaceId: WorkspaceId, months: number): Promise<void> {
    await database.transaction(async (tx) => {
      await tx.execute(sql`grant update on journal to current_user`);
      await tx.execute(sql`alter table journal disable trigger journal_is_append_only`);
      await tx.execute(sql`
        update journal set at = at - ${months} * interval '1 month' where workspace_id = ${workspaceId}`);
      await tx.execute(sql`alter table journal enable trigger journal_is_append_only`);
      await tx.execute(sql`revoke update on journal from current_user`);
    });
  }

  async function requireInvariants(): Promise<void> {
    for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
  }

  const closings = (workspaceId: WorkspaceId) =>
    database.query<{ month: string; available: string }>(sql`
      select to_char(month, 'YYYY-MM') as month, available from journal_closings where workspace_id = ${workspaceId} order by month`);

  test("every ended month is closed once, in order, also after a long sleep; the invariants hold before and after", async () => {
    const [early, late] = [
      await callsFixture(database).newWorkspace(70n),
      await callsFixture(database).newWorkspace(30n),
    ];
    await ageJournal(early, 5);
    await ageJournal(late, 3);
    await fundWallet(database, { transactionId: newId(), workspaceId: late, amount: 1n });
    await requireInvariants();
    await Promise.all([keeper().round(signal), keeper().round(signal), keeper().round(signal)]);
    await keeper().round(signal);
    // A month is not closed within 36 hours of its end.
    const grace = new Date(Date.now() - 36 * hourMs);
    const months = 5 - (grace.getUTCMonth() === new Date().getUTCMonth() ? 0 : 1);
    const closed = await closings(early);
    assert.equal(closed.length, months);
    assert.deepEqual(new Set(closed.map(({ available }) => available)), new Set(["70"]));
    assert.equal((await closings(late)).length, months - 2);
    await requireInvariants();
    assert.equal((await keeper().round(signal)).monthsClosed, 0);
  });

  test("a line at the border of an hour or of the month is in one closing, and no statement reads more than an hour", async () => {
    // Journal lines cannot be removed, so this test has its own database.
    const own = await testDatabase();
    const workspaceId = await callsFixture(own).newWorkspace(1n);
    const moments = [
      "2021-01-31T23:59:59.999999Z",
      "2021-02-01T00:00:00Z",
      "2021-02-01T00:59:59.999999Z",
      "2021-02-01T01:00:00Z",
      "2021-02-28T23:59:59.999999Z",
      "2021-03-01T00:00:00Z",
    ];
    for (const [index, at] of moments.entries())
      await own.execute(sql`
        insert into journal (transaction_id, kind, workspace_id, debit, credit, amount, at)
        values (${newId()}, 'fund', ${workspaceId}, 'funding', 'available', ${10 ** index}, ${at}::timestamptz)`);
    const statements: string[] = [];
    const watched = {
      ...own,
      query: (statement: Parameters<typeof own.query>[0]) => {
        statements.push(statement.text);
        return own.query<never>(statement);
      },
    };
    await closeMonth(watched, "2021-02-01");
    const closed = sql`select available from journal_closings where workspace_id = ${workspaceId} and month = '2021-02-01'`;
    assert.deepEqual(await own.query(closed), [{ available: "11110" }]);
    assert.equal(statements.length, 28 * 24);
    await own.close();
  });

  test("a month is followed by the next, over a year's end too", () => {
    assert.deepEqual(["2026-01-01", "2026-12-01", "2028-02-01"].map(monthAfter), [
      "2026-02-01",
      "2027-01-01",
      "2028-03-01",
    ]);
  });
});

test("it repeats until it is stopped", async () => {
  const clock = handClock();
  const stopping = new AbortController();
  const rounds: number[] = [];
  const counted = {
    ...database,
    query: (statement: Parameters<typeof database.query>[0]) => {
      if (/clock_timestamp\(\) as now/.test(statement.text)) rounds.push(clock.monotonicMs());
      return database.query<never>(statement);
    },
  };
  const blobs = { release: async () => undefined };
  const running = createHousekeeping({ database: counted, log, blobs, everySeconds: 600 }).run(
    createBackground({ clock, log }),
    stopping.signal,
  );
  const until = async (count: number) => {
    for (let tries = 0; rounds.length < count && tries < 12_000; tries++) {
      await clock.advance(600_000);
      await systemClock.sleep(5);
    }
    assert.ok(rounds.length >= count);
  };
  await until(6);
  stopping.abort();
  await running;
});
