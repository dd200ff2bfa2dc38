// Caps of keys against the real database, with two "processes" (each with its own cache).
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { calmHour } from "../../../../test/support/calm-hour.ts";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { sql } from "../../../foundation/database/sql.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type HandClock, handClock } from "../../../foundation/hand-clock.fixture.ts";
import { type KeyId, newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createAudit } from "../../audit/index.ts";
import type { CallId } from "../call/call-opening.ts";
import { type Calls, createCalls } from "../protocol/calls.ts";
import { callsFixture } from "../rounds/calls.fixture.ts";
import { createKeyCaps, type KeyCaps } from "./credits-caps.ts";

const by = { actor: { kind: "system", id: null } } as const;
let database: TestDatabase;
let calls: Calls;
let clock: HandClock;
let caps: KeyCaps;
let workspaceId: WorkspaceId;
let apiKeyId: KeyId;

const newCaps = () => createKeyCaps({ database, audit: createAudit({ database }), clock });
const key = () => ({ workspaceId, apiKeyId });

before(async () => {
  database = await testDatabase();
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
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
  clock = handClock();
  caps = newCaps();
  workspaceId = await callsFixture(database).newWorkspace(1_000_000_000n);
  apiKeyId = newId<"key">();
  await database.execute(sql`
    insert into api_keys (id, workspace_id, name, prefix, hash, role, scopes, created_at)
    values (${apiKeyId}, ${workspaceId}, 'k', 'p', sha256(${apiKeyId}::text::bytea), 'member', '{models}', now())`);
});

async function begin(callId: CallId, hold: bigint) {
  const verdict = await calls.begin({
    id: callId,
    workspaceId,
    subject: "model:a/b",
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    isValid: true,
    hold,
    priceRecordId: null,
    takesSlot: false,
    isCostly: false,
    slotsMax: 1,
    costlySlotsMax: 1,
    recovery: "ask",
    longestRunSeconds: 60,
  });
  assert.ok(verdict.kind === "begun");
  const usage = { requestId: null, apiKeyId, subject: "model:a/b", status: 200, totalMs: 1, providerMs: 1 };
  return (charge: bigint) =>
    calls.finish({ call: verdict.call, state: "finished", outcome: "succeeded", charge, answer: null, usage });
}

// Does what the code that begins calls does.
async function admit(hold: bigint, by: KeyCaps = caps): Promise<(charge: bigint) => Promise<boolean>> {
  const callId = newId<"call">();
  await by.requireWithinCap({ ...key(), callId, hold });
  return begin(callId, hold);
}

const spending = async () => {
  const { spentDay, spentMonth, held } = await caps.look(key());
  return [spentDay, spentMonth, held];
};

const moveSpending = (interval: string) =>
  database.execute(sql`
    update api_key_caps set spent_on = (spent_on - ${interval}::interval)::date where api_key_id = ${apiKeyId}`);

test("a key without a cap is never refused, and nothing is written for it", async () => {
  await (await admit(900_000n))(10n);
  assert.deepEqual(await spending(), [10n, 10n, 0n]);
  assert.deepEqual(await database.query(sql`select 1 from api_key_calls where api_key_id = ${apiKeyId}`), []);
});

test("the refusal is 402 and names the cap with its figures", async () => {
  await caps.set(key(), { day: 2_500_000n, month: null }, by);
  await (await admit(1_000_000n))(500_000n);
  await admit(1_000_000n);
  await assert.rejects(admit(1_000_001n), (thrown: unknown) => {
    assert.ok(thrown instanceof Fault);
    assert.equal(thrown.status, 402);
    assert.equal(
      thrown.message,
      "This key may spend 2.5 credits per day. 0.5 are spent, 1 are held by its open calls and 1 are left, but this call may cost 1.000001.",
    );
    assert.deepEqual(thrown.details, { cap: "day", most: "2.5", spent: "0.5", held: "1", left: "1", hold: "1.000001" });
    return true;
  });
  await admit(1_000_000n);
});

test("open calls count as their holds, ended ones as what they cost; what was never begun is given back", async () => {
  await caps.set(key(), { day: null, month: 100n }, by);
  const finish = await admit(80n);
  await assert.rejects(admit(21n), { code: "insufficient_credits" });
  assert.deepEqual(await spending(), [0n, 0n, 80n]);
  await finish(30n);
  assert.deepEqual(await spending(), [30n, 30n, 0n]);
  const callId = newId<"call">();
  await caps.requireWithinCap({ ...key(), callId, hold: 70n });
  await assert.rejects(admit(1n), { code: "insufficient_credits" });
  await caps.giveBack({ ...key(), callId, hold: 1n });
  await (await admit(70n))(70n);
  await assert.rejects(admit(1n), { code: "insufficient_credits" });
  await (await admit(0n))(0n);
});

test("a total counts over days and months, for calls and for whole jobs with their running time", async () => {
  await caps.set(key(), { day: null, month: null, total: 100n }, by);
  await (await admit(60n))(40n);
  await moveSpending("400 days");
  await assert.rejects(admit(61n), /This key may spend 0.0001 credits in all/);
  assert.deepEqual(await caps.totals(workspaceId, [apiKeyId]), new Map([[apiKeyId, { total: 100n, spent: 40n }]]));
  const callId = newId<"call">();
  const job = { ...key(), callId, runningTime: 20n };
  await assert.rejects(caps.requireJobWithinTotal({ ...job, hold: 61n }), { code: "insufficient_credits" });
  const finish = await begin(callId, 0n);
  await caps.requireJobWithinTotal({ ...job, hold: 60n });
  await assert.rejects(admit(41n), { code: "insufficient_credits" }, "the running time is held");
  await finish(0n);
  assert.equal((await caps.look(key())).spentTotal, 40n);
  assert.deepEqual((await newCaps().totals(newId(), [apiKeyId])).size, 0, "of another workspace");
});

test("a key without a total is never refused for a whole job", async () => {
  await caps.set(key(), { day: 10n, month: null }, by);
  await caps.requireJobWithinTotal({ ...key(), callId: newId(), hold: 1_000n, runningTime: 500n });
  await (await admit(10n))(10n);
});

test("giving back a call that has begun changes nothing", async () => {
  await caps.set(key(), { day: 100n, month: null }, by);
  const callId = newId<"call">();
  await caps.requireWithinCap({ ...key(), callId, hold: 60n });
  await begin(callId, 60n);
  await caps.giveBack({ ...key(), callId, hold: 1n });
  assert.deepEqual(await spending(), [0n, 0n, 60n]);
});

test("a reservation that never begins counts for five minutes", async () => {
  await caps.set(key(), { day: 100n, month: null }, by);
  await caps.requireWithinCap({ ...key(), callId: newId(), hold: 100n });
  await assert.rejects(admit(1n), { code: "insufficient_credits" });
  await database.execute(sql`
    update api_key_calls set reserved_at = now() - interval '301 seconds' where api_key_id = ${apiKeyId}`);
  await admit(100n);
});

test("300 racing calls on a cap for 50, from two processes: exactly 50 pass, and the cap is never exceeded", async () => {
  await caps.set(key(), { day: 500n, month: null }, by);
  const processes = [caps, newCaps()];
  const results = await Promise.allSettled(
    Array.from({ length: 300 }, (_, index) => admit(10n, processes[index % 2] ?? caps)),
  );
  const passed = results.filter((result) => result.status === "fulfilled");
  assert.equal(passed.length, 50);
  for (const result of results) {
    if (result.status === "rejected") assert.equal(result.reason.code, "insufficient_credits");
  }
  await Promise.all(passed.map(({ value }) => value(4n)));
  assert.deepEqual(await spending(), [200n, 200n, 0n]);
});

describe("time", () => {
  test("a new day starts at zero and keeps the month; a new month starts at zero", async () => {
    await caps.set(key(), { day: 100n, month: 150n }, by);
    await (await admit(100n))(100n);
    await assert.rejects(admit(1n), /credits per day/);
    // On the first of a month, yesterday belongs to another month.
    const isFirst = new Date().getUTCDate() === 1;
    await moveSpending("1 day");
    if (!isFirst) {
      assert.deepEqual(await spending(), [0n, 100n, 0n]);
      await assert.rejects(admit(51n), /credits per month/);
    }
    await moveSpending("32 days");
    assert.deepEqual(await spending(), [0n, 0n, 0n]);
  });

  test("a first cap begins with what the key has spent this month; a changed one goes on", async () => {
    await (await admit(500n))(40n);
    await caps.set(key(), { day: 50n, month: null }, by);
    assert.deepEqual(await spending(), [40n, 40n, 0n]);
    await (await admit(10n))(10n);
    await caps.set(key(), { day: 60n, month: 70n }, by);
    assert.deepEqual(await spending(), [50n, 50n, 0n]);
    await caps.set(key(), { day: null, month: null }, by);
    await (await admit(1_000n))(0n);
    assert.deepEqual(await spending(), [50n, 50n, 0n]);
  });

  test("another process sees a new cap within 5 seconds", async () => {
    const other = newCaps();
    await admit(100n, other);
    await caps.set(key(), { day: 1n, month: null }, by);
    await admit(100n, other);
    await clock.advance(5_000);
    await assert.rejects(admit(100n, other), { code: "insufficient_credits" });
  });
});

test("a cap of another workspace's key is neither seen nor changed", async () => {
  await caps.set(key(), { day: 1n, month: null }, by);
  const foreign = { workspaceId: newId<"workspace">(), apiKeyId };
  assert.equal((await caps.look(foreign)).day, null);
  await caps.set(foreign, { day: null, month: null }, by);
  assert.equal((await caps.look(key())).day, 1n);
});
