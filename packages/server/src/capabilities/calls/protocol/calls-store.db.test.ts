// Money and once-ness against the real database, with several concurrent "processes" (owners with their own pools).
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { type Database, openDatabase } from "../../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import type { CallEnding, CallOpening, OpenCall } from "../call/call-opening.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { createFollower } from "../following/follower.ts";
import { catalog, emptyLedger, linesOf } from "../ledger/ledger.fixture.ts";
import { findWallet, fundWallet, refundCall, withdrawFromWallet } from "../ledger/ledger-store.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import { type Calls, createCalls } from "./calls.ts";

let database: TestDatabase;
const pools: Database[] = [];
before(async () => {
  database = await testDatabase();
});
after(async () => {
  for (const pool of pools) await pool.close();
  await database.close();
});

const fixture = () => callsFixture(database);

async function newProcess(): Promise<Calls> {
  const pool = openDatabase({ connection: database.url, poolSize: 4 });
  pools.push(pool);
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database: pool, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  await callsFixture(database).keepAwake(calls.ownerId);
  return calls;
}

const ending = (call: OpenCall, changes: Partial<CallEnding> = {}): CallEnding => ({
  call,
  state: "finished",
  outcome: "succeeded",
  charge: 10n,
  answer: { status: 200, headers: { "content-type": "application/json" }, body: Buffer.from("{}") },
  usage: { requestId: null, apiKeyId: null, subject: "model:sandbox/image-1", status: 200, totalMs: 1, providerMs: 1 },
  ...changes,
});

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
}

describe("begin and finish", () => {
  let calls: Calls;
  let workspaceId: WorkspaceId;
  before(async () => {
    calls = await newProcess();
  });
  beforeEach(async () => {
    workspaceId = await fixture().newWorkspace(1_000n);
  });

  async function begun(changes: Partial<CallOpening> = {}) {
    const verdict = await calls.begin(opening(workspaceId, changes));
    assert.equal(verdict.kind, "begun");
    return verdict.kind === "begun" ? verdict.call : assert.fail();
  }

  test("a call takes hold and slot at once, and gives back at the end what it did not cost", async () => {
    const call = await begun({ hold: 400n });
    assert.deepEqual(await findWallet(database, workspaceId), { available: 600n, held: 400n, inFlight: 1 });
    assert.equal(await calls.finish(ending(call, { charge: 150n })), true);
    assert.deepEqual(await findWallet(database, workspaceId), { available: 850n, held: 0n, inFlight: 0 });
    await requireInvariants();
  });

  test("a charge above the hold is cut to the hold, and we bear the rest", async () => {
    const call = await begun({ hold: 100n });
    await calls.finish(ending(call, { charge: 250n }));
    assert.equal((await findWallet(database, workspaceId)).available, 900n);
    await requireInvariants();
  });

  test("the precedence: replay, join and mismatch come before the schema; slot before credit; a free call needs no balance", async () => {
    const key = { idempotencyKey: "k1" };
    const first = await begun({ ...key, slotsMax: 1 });
    const again = (changes: Partial<CallOpening>) => calls.begin(opening(workspaceId, changes));
    assert.equal((await again({ ...key, isValid: false })).kind, "join");
    assert.equal((await again({ ...key, fingerprint: Buffer.alloc(32, 2), isValid: false })).kind, "mismatch");
    assert.equal((await again({ isValid: false, hold: 10_000n, slotsMax: 1 })).kind, "invalid");
    assert.equal((await again({ hold: 10_000n, slotsMax: 1 })).kind, "no_slot");
    assert.equal((await again({ hold: 10_000n, slotsMax: 2 })).kind, "no_credit");
    assert.equal((await again({ hold: 0n, slotsMax: 2 })).kind, "begun");
    await calls.finish(ending(first));
    const replay = await again({ ...key, isValid: false, slotsMax: 0, hold: 10_000n });
    assert.equal(replay.kind, "replay");
    if (replay.kind !== "replay") return;
    const answer = await calls.replay(replay.callId, replay.answeredAt);
    assert.deepEqual([answer?.status, answer?.body.toString()], [200, "{}"]);
  });

  test("costly calls have a share of the slots of their own", async () => {
    const costly = { isCostly: true, slotsMax: 4, costlySlotsMax: 1 };
    await begun(costly);
    assert.equal((await calls.begin(opening(workspaceId, costly))).kind, "no_slot");
    assert.equal((await calls.begin(opening(workspaceId, { slotsMax: 4, costlySlotsMax: 1 }))).kind, "begun");
  });

  test("an ending with a stale fence changes nothing", async () => {
    const call = await begun({ hold: 100n });
    assert.equal(await calls.finish(ending({ ...call, fence: 2 })), false);
    assert.equal((await findWallet(database, workspaceId)).held, 100n);
    assert.equal(await calls.finish(ending(call)), true);
    assert.equal(await calls.finish(ending(call, { charge: 0n })), false, "the first end is the only one");
    await requireInvariants();
  });

  test("a released call frees its key; an answered one keeps it; a key is a workspace's own", async () => {
    const key = { idempotencyKey: "k2" };
    await calls.finish(ending(await begun(key), { answer: null, charge: 0n }));
    const second = await begun(key);
    await calls.finish(ending(second));
    assert.equal((await calls.begin(opening(workspaceId, key))).kind, "replay");
    const other = await fixture().newWorkspace(100n);
    assert.equal((await calls.begin(opening(other, key))).kind, "begun");
    await requireInvariants();
  });

  test("a key is free again 24 hours after completion, by the database's clock", async () => {
    const key = { idempotencyKey: "k3" };
    await calls.finish(ending(await begun(key)));
    await fixture().ageKeys(workspaceId, "23 hours 59 minutes");
    assert.equal((await calls.begin(opening(workspaceId, key))).kind, "replay");
    await fixture().ageKeys(workspaceId, "2 minutes");
    assert.equal((await calls.begin(opening(workspaceId, key))).kind, "begun");
  });

  test("a row that the database refuses fails alone; its neighbours in the batch begin", async () => {
    const results = await Promise.allSettled([
      calls.begin(opening(workspaceId, { subject: "good-1" })),
      calls.begin(opening(workspaceId, { subject: "bad\0subject" })),
      calls.begin(opening(workspaceId, { subject: "good-2" })),
    ]);
    assert.deepEqual(
      results.map((result) => result.status),
      ["fulfilled", "rejected", "fulfilled"],
    );
    await requireInvariants();
  });

  test("an unknown end is not charged and leaves one suspense line", async () => {
    const call = await begun({ hold: 77n, idempotencyKey: "k4" });
    const answer = { status: 502, headers: {}, body: Buffer.from("{}") };
    await calls.finish(ending(call, { state: "unknown", outcome: "unknown", charge: 0n, answer }));
    assert.equal((await findWallet(database, workspaceId)).available, 1_000n);
    assert.deepEqual(await fixture().linesOf(call.id), ["suspense"]);
    assert.equal(
      (await calls.begin(opening(workspaceId, { idempotencyKey: "k4" }))).kind,
      "replay",
      "the key goes on answering",
    );
    await requireInvariants();
  });

  test("top-ups, withdrawals and refunds are lines of their own, and repeating one is the same one", async () => {
    const transactionId = newId();
    assert.equal(await fundWallet(database, { transactionId, workspaceId, amount: 5n }), true);
    assert.equal(await fundWallet(database, { transactionId, workspaceId, amount: 5n }), false);
    const withdrawal = { transactionId: newId(), workspaceId, amount: 5n };
    assert.equal(await withdrawFromWallet(database, withdrawal), true);
    assert.equal(await withdrawFromWallet(database, withdrawal), false);
    assert.equal(await withdrawFromWallet(database, { ...withdrawal, transactionId: newId(), amount: 1_001n }), false);
    const call = await begun({ hold: 50n });
    await calls.finish(ending(call, { charge: 50n }));
    assert.equal(await refundCall(database, { callId: call.id, workspaceId }), 50n);
    assert.equal(await refundCall(database, { callId: call.id, workspaceId }), null);
    assert.equal((await findWallet(database, workspaceId)).available, 1_000n);
    await requireInvariants();
  });

  test("the journal cannot be changed, only added to", async () => {
    await assert.rejects(fixture().rewriteJournal(), /append-only|permission denied/);
  });
});

describe("races", () => {
  test("10,000 racing holds on credit for 500, from two processes: exactly 500 begin", {
    timeout: 900_000,
  }, async () => {
    const workspaceId = await fixture().newWorkspace(5_000n);
    const processes = [await newProcess(), await newProcess()];
    const verdicts = await Promise.all(
      Array.from({ length: 10_000 }, (_, index) =>
        processes[index % 2]?.begin(opening(workspaceId, { takesSlot: false })),
      ),
    );
    const count = (kind: string) => verdicts.filter((verdict) => verdict?.kind === kind).length;
    assert.deepEqual([count("begun"), count("no_credit")], [500, 9_500]);
    assert.deepEqual(await findWallet(database, workspaceId), { available: 0n, held: 5_000n, inFlight: 0 });
    await requireInvariants();
  });

  test("500 parallel begins of one key on two processes: one begins, all get equal bytes in the end", {
    timeout: 900_000,
  }, async () => {
    const workspaceId = await fixture().newWorkspace(100n);
    const processes = [await newProcess(), await newProcess()];
    const body = Buffer.from(JSON.stringify({ seed: "18446744073709551615" }));
    let began = 0;
    const answers = await Promise.all(
      Array.from({ length: 500 }, async (_, index) => {
        const calls = processes[index % 2] ?? assert.fail();
        const verdict = await calls.begin(opening(workspaceId, { idempotencyKey: "one" }));
        if (verdict.kind === "begun") {
          began += 1;
          await systemClock.sleep(30);
          await calls.finish(ending(verdict.call, { answer: { status: 200, headers: {}, body } }));
          return body.toString();
        }
        if (verdict.kind === "replay") return (await calls.replay(verdict.callId, verdict.answeredAt))?.body.toString();
        assert.equal(verdict.kind, "join");
        if (verdict.kind !== "join") return;
        const joined = await calls.join(verdict.callId, AbortSignal.timeout(120_000));
        return joined.kind === "answered" ? joined.answer.body.toString() : joined.kind;
      }),
    );
    assert.equal(began, 1);
    const got = new Set(answers);
    got.delete("too_many_waiters");
    assert.deepEqual([...got], [body.toString()]);
    assert.equal((await findWallet(database, workspaceId)).available, 90n);
    await requireInvariants();
  });

  // PostgreSQL checks a table's constraints on the row as the statement's snapshot saw it, before it notices that the row
  // has changed since. At the edge of a limit, calls that the limit allowed failed because of that.
  test("at the edge of balance and slots no call fails by accident: each begins or is refused in words", {
    timeout: 900_000,
  }, async () => {
    const workspaceId = await fixture().newWorkspace(200n);
    const processes = [await newProcess(), await newProcess(), await newProcess()];
    const kinds = new Set<string>();
    await Promise.all(
      Array.from({ length: 12 }, async (_, lane) => {
        const calls = processes[lane % 3] ?? assert.fail();
        for (let round = 0; round < 60; round++) {
          const hold = BigInt((lane * 7 + round * 13) % 60);
          const isCostly = (lane + round) % 2 === 0;
          const verdict = await calls.begin(opening(workspaceId, { hold, isCostly, slotsMax: 6, costlySlotsMax: 2 }));
          kinds.add(verdict.kind);
          if (verdict.kind === "begun") assert.equal(await calls.finish(ending(verdict.call, { charge: 0n })), true);
        }
      }),
    );
    assert.ok(kinds.has("begun") && (kinds.has("no_slot") || kinds.has("no_credit")), [...kinds].join());
    assert.deepEqual(await findWallet(database, workspaceId), { available: 200n, held: 0n, inFlight: 0 });
    await requireInvariants();
  });

  test("mixed holds, slots and ends from three processes never break a balance (random schedules)", {
    timeout: 900_000,
  }, async () => {
    const processes = [await newProcess(), await newProcess(), await newProcess()];
    const step = fc.record({
      process: fc.nat(2),
      hold: fc.bigInt(0n, 60n),
      charge: fc.bigInt(0n, 80n),
      key: fc.option(fc.nat(3)),
      isCostly: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const workspaceId = await fixture().newWorkspace(200n);
        let ledger = catalog(emptyLedger, linesOf(emptyLedger, { kind: "fund", amount: 200n }) ?? []);
        const ended: [bigint, bigint][] = [];
        await Promise.all(
          steps.map(async ({ process, hold, charge, key, isCostly }) => {
            const calls = processes[process] ?? assert.fail();
            const idempotencyKey = key === null ? null : `key-${key}`;
            const verdict = await calls.begin(
              opening(workspaceId, { hold, isCostly, idempotencyKey, slotsMax: 6, costlySlotsMax: 2 }),
            );
            if (verdict.kind !== "begun") return;
            if (await calls.finish(ending(verdict.call, { charge }))) ended.push([hold, charge]);
          }),
        );
        for (const [hold, charge] of ended) {
          ledger = catalog(ledger, [{ kind: "hold", debit: "available", credit: "held", amount: hold }]);
          ledger = catalog(ledger, linesOf(ledger, { kind: "finish", hold, charge, isUnknown: false }) ?? []);
        }
        const wallet = await findWallet(database, workspaceId);
        assert.deepEqual([wallet.available, wallet.held, wallet.inFlight], [ledger.available, 0n, 0]);
      }),
      { numRuns: 25 },
    );
    await requireInvariants();
  });
});

describe("an owner that dies", () => {
  test("its calls are adopted with a higher fence, and its own late end changes nothing", async () => {
    const workspaceId = await fixture().newWorkspace(100n);
    const [dead, heir] = [await newProcess(), await newProcess()];
    const verdict = await dead.begin(opening(workspaceId, { idempotencyKey: "k" }));
    assert.ok(verdict.kind === "begun");
    const answer = { status: 200, headers: {}, body: Buffer.from('"from the provider"') };
    let asked = 0;
    const follower = createFollower({
      database,
      log: silentLog,
      calls: heir,
      followings: [
        {
          handles: () => true,
          async inquire() {
            asked += 1;
            return { finding: { kind: "ended" }, ending: { ...ending(verdict.call), answer } };
          },
          unknownAnswer: () => answer,
        },
      ],
    });
    await follower.sweep();
    assert.equal(await follower.followDue(AbortSignal.timeout(60_000)), 0, "a living owner keeps its calls");
    await fixture().silenceOwner(dead.ownerId);
    await follower.sweep();
    assert.equal(await follower.followDue(AbortSignal.timeout(60_000)), 1);
    assert.equal(asked, 1);
    assert.equal(await dead.finish(ending(verdict.call, { charge: 0n })), false, "the dead owner's end comes too late");
    const replay = await dead.begin(opening(workspaceId, { idempotencyKey: "k" }));
    assert.ok(replay.kind === "replay");
    assert.equal((await dead.replay(replay.callId, replay.answeredAt))?.body.toString(), '"from the provider"');
    assert.equal((await findWallet(database, workspaceId)).available, 90n);
    await requireInvariants();
  });

  test("a call that nobody in its own process knows was never sent, and is given back", async () => {
    const workspaceId = await fixture().newWorkspace(100n);
    const calls = await newProcess();
    const verdict = await calls.begin(opening(workspaceId, { idempotencyKey: "lost" }));
    assert.ok(verdict.kind === "begun");
    calls.open.forget(verdict.call.id);
    await fixture().ageCall(verdict.call.id, "31 seconds");
    const follower = createFollower({ database, log: silentLog, calls, followings: [] });
    await follower.sweep();
    assert.equal((await findWallet(database, workspaceId)).available, 100n);
    assert.equal((await calls.begin(opening(workspaceId, { idempotencyKey: "lost" }))).kind, "begun");
    await requireInvariants();
  });

  test("a call that is handed over while the sweep asks was sent: it is followed, not given back", async () => {
    const workspaceId = await fixture().newWorkspace(100n);
    const calls = await newProcess();
    const verdict = await calls.begin(opening(workspaceId, { idempotencyKey: "handed over" }));
    assert.ok(verdict.kind === "begun");
    await fixture().ageCall(verdict.call.id, "31 seconds");
    // The sweep's queries are answered normally, but this call is handed over before the sweep sees the answer about its
    // own calls.
    const late: Database = {
      ...database,
      async query<Row extends object>(statement: Parameters<Database["query"]>[0]) {
        const rows = await database.query<Row>(statement);
        if (rows.some((row) => "id" in row && row.id === verdict.call.id)) await calls.handOver(verdict.call, 60);
        return rows;
      },
    };
    await createFollower({ database: late, log: silentLog, calls, followings: [] }).sweep();
    const found = await calls.find(verdict.call.id);
    assert.equal(found?.state, "open");
    assert.notEqual((await findWallet(database, workspaceId)).available, 100n);
    await requireInvariants();
  });
});
