import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { createCursors } from "../../../foundation/cursor.ts";
import { newId, newRequestId, type WorkspaceId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import { createMetrics } from "../../../foundation/metrics.ts";
import { createAudit } from "../../audit/index.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { type Calls, createCalls } from "../protocol/calls.ts";
import { callsFixture } from "../rounds/calls.fixture.ts";
import { type Credits, changeOf, createCredits, deriveTransactionId } from "./credits.ts";
import { issueCreditCursor, readCreditCursor } from "./credits-cursor.ts";
import { registerCreditMetrics } from "./credits-metrics.ts";
import type { CreditPosition } from "./credits-store.ts";

let database: TestDatabase;
let credits: Credits;
let calls: Calls;
let workspaceId: WorkspaceId;
const by = { actor: { kind: "admin", id: "t1", name: "on call" }, requestId: newRequestId() } as const;
const audit = () => createAudit({ database });

before(async () => {
  database = await testDatabase();
  credits = createCredits({ database, audit: audit() });
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
  workspaceId = await callsFixture(database).newWorkspace(100n);
});

async function aCall(charge: bigint) {
  const verdict = await calls.begin({
    workspaceId,
    subject: "model:a/b",
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    isValid: true,
    hold: 50n,
    priceRecordId: null,
    takesSlot: true,
    isCostly: false,
    slotsMax: 10,
    costlySlotsMax: 10,
    recovery: "ask",
    longestRunSeconds: 60,
  });
  assert.ok(verdict.kind === "begun");
  const usage = { requestId: null, apiKeyId: null, subject: "model:a/b", status: 200, totalMs: 1, providerMs: 1 };
  const finish = () =>
    calls.finish({ call: verdict.call, state: "finished", outcome: "succeeded", charge, answer: null, usage });
  return { id: verdict.call.id, finish };
}

const actionsOn = async (id: string) =>
  (await audit().list({ filter: { subjectId: id }, before: null, limit: 10 })).entries.map(({ action, after }) => ({
    action,
    after,
  }));

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
}

describe("a move", () => {
  test("under the same name is the same move; for another amount it is refused; in another workspace it is another", async () => {
    const transactionId = deriveTransactionId("fund", workspaceId, "invoice-7");
    const move = { transactionId, workspaceId, amount: 30n, note: "Invoice 7" };
    assert.deepEqual(await credits.topUp(move, by), {
      isNew: true,
      wallet: { available: 130n, held: 0n, inFlight: 0 },
    });
    assert.equal((await credits.topUp(move, by)).isNew, false);
    await assert.rejects(credits.topUp({ ...move, amount: 31n }, by), { code: "conflict" });
    assert.equal((await credits.wallet(workspaceId)).available, 130n);
    assert.deepEqual(await actionsOn(transactionId), [
      { action: "credits.fund", after: { amount: "30", reason: "Invoice 7" } },
    ]);
    const other = await callsFixture(database).newWorkspace(1n);
    assert.notEqual(deriveTransactionId("fund", other, "invoice-7"), transactionId);
    assert.notEqual(deriveTransactionId("withdraw", workspaceId, "invoice-7"), transactionId);
    await assert.rejects(credits.topUp({ ...move, workspaceId: other }, by), { code: "conflict" });
    await requireInvariants();
  });

  test("that withdraws more than is available changes nothing and is not audited", async () => {
    const move = { transactionId: deriveTransactionId("withdraw", workspaceId, null), workspaceId, amount: 101n };
    await assert.rejects(credits.withdraw(move, by), { code: "conflict" });
    assert.deepEqual(await actionsOn(move.transactionId), []);
    assert.equal((await credits.withdraw({ ...move, amount: 100n }, by)).wallet.available, 0n);
    await requireInvariants();
  });

  test("made twenty times at once under one name happens once, in and out", async () => {
    const once = async (run: () => Promise<{ isNew: boolean }>) => {
      const results = await Promise.all(Array.from({ length: 20 }, run));
      assert.equal(results.filter(({ isNew }) => isNew).length, 1);
    };
    const inward = { transactionId: deriveTransactionId("fund", workspaceId, "k"), workspaceId, amount: 7n };
    await once(() => credits.topUp(inward, by));
    const outward = { transactionId: deriveTransactionId("withdraw", workspaceId, "k"), workspaceId, amount: 9n };
    await once(() => credits.withdraw(outward, by));
    assert.equal((await credits.wallet(workspaceId)).available, 98n);
    await requireInvariants();
  });

  test("whose audit entry cannot be written does not happen", async () => {
    const broken = createCredits({ database, audit: { append: () => Promise.reject(new Error("no audit")) } });
    const move = { transactionId: deriveTransactionId("fund", workspaceId, null), workspaceId, amount: 5n };
    await assert.rejects(broken.topUp(move, by), /no audit/);
    assert.equal((await credits.wallet(workspaceId)).available, 100n);
    assert.deepEqual(await credits.linesOf(move), []);
  });
});

describe("a refund", () => {
  test("happens once; a call that is open, free or unknown has nothing to refund", async () => {
    const call = await aCall(20n);
    await assert.rejects(credits.refund(call.id, by), { code: "conflict" });
    await call.finish();
    const refunded = await credits.refund(call.id, { ...by, note: "Black picture" });
    assert.deepEqual([refunded.amount, refunded.wallet.available], [20n, 100n]);
    await assert.rejects(credits.refund(call.id, by), { code: "conflict" });
    assert.deepEqual(await actionsOn(call.id), [
      { action: "credits.refund", after: { amount: "20", reason: "Black picture" } },
    ]);
    const free = await aCall(0n);
    await free.finish();
    await assert.rejects(credits.refund(free.id, by), { code: "conflict" });
    await assert.rejects(credits.refund(newId(), by), { code: "not_found" });
    await requireInvariants();
  });
});

describe("the journal as a list", () => {
  test("explains the balance to the last micro-credit, on pages of any size, and leaves holds out", async () => {
    for (const charge of [10n, 0n, 3n]) await (await aCall(charge)).finish();
    const open = await aCall(1n);
    await credits.topUp({ transactionId: newId(), workspaceId, amount: 5n }, by);
    for (const limit of [1, 2, 100]) {
      let [sum, before]: [bigint, CreditPosition | null] = [0n, null];
      const kinds: string[] = [];
      do {
        const page: Awaited<ReturnType<Credits["lines"]>> = await credits.lines({ workspaceId, before, limit });
        for (const line of page.lines) {
          sum += changeOf(line);
          kinds.push(line.kind);
        }
        before = page.next;
      } while (before !== null);
      assert.deepEqual(kinds, ["fund", "settle", "settle", "fund"]);
      const { available, held } = await credits.wallet(workspaceId);
      assert.equal(sum, available + held);
    }
    await open.finish();
    const lines = await credits.linesOf({ workspaceId, transactionId: open.id });
    assert.deepEqual(lines.map(({ kind, amount }) => `${kind} ${amount}`).sort(), [
      "hold 50",
      "release 49",
      "settle 1",
    ]);
    assert.deepEqual(await credits.linesOf({ workspaceId: newId(), transactionId: open.id }), []);
  });

  test("has cursors of its own workspace only", () => {
    const cursors = createCursors({ secrets: [Buffer.alloc(32, 1)], clock: systemClock });
    const position = { at: "2026-01-01T00:00:00.123456Z", transactionId: newId(), kind: "fund" };
    const cursor = issueCreditCursor(cursors, workspaceId, position);
    assert.deepEqual(readCreditCursor(cursors, workspaceId, cursor), position);
    assert.equal(readCreditCursor(cursors, newId(), cursor), null);
    fc.assert(fc.property(fc.string(), (text) => readCreditCursor(cursors, workspaceId, text) === null));
  });
});

test("the metrics page shows the books", async () => {
  const metrics = createMetrics();
  registerCreditMetrics(metrics, database);
  const text = await metrics.text();
  metrics.stop();
  assert.match(text, /^atelier_credits_available 0\.\d+$/m);
  for (const name of ["credits_held", "calls_in_flight", "journal_lines", "journal_closed_seconds"]) {
    assert.match(text, new RegExp(`^atelier_${name} \\d`, "m"));
  }
});
