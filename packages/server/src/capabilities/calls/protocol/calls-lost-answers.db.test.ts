// The connection to the database is cut at the worst moments: what was done stays done once, and nothing is given up.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { type TestWire, testWire } from "../../../../test/support/test-postgres-proxy.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { type Database, openDatabase } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { silentLog } from "../../../foundation/log.ts";
import type { CallEnding, OpenCall } from "../call/call-opening.ts";
import { adoptCalls, findCalls } from "../call/call-store.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { createFollower } from "../following/follower.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import { type Calls, createCalls } from "./calls.ts";

let database: TestDatabase;
let wire: TestWire;
let pool: Database;
let calls: Calls;
let workspaceId: WorkspaceId;

before(async () => {
  database = await testDatabase();
  wire = await testWire(database.url);
  // Unnamed statements carry their text every time, so the connection can be cut at a chosen one.
  pool = openDatabase({ connection: wire.url, poolSize: 4, behindPooler: true });
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  calls = createCalls({ database: pool, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  await callsFixture(database).keepAwake(calls.ownerId);
  workspaceId = await callsFixture(database).newWorkspace(1_000n);
});
after(async () => {
  await calls.close();
  await pool.close();
  await wire.close();
  await database.close();
});

// Cuts the connection once, at the first chunk that contains the words. The returned function says whether that happened.
function cutOnce(words: string, how: "cut before" | "cut after"): () => void {
  let hasCut = false;
  wire.onSent = (bytes) => {
    if (hasCut || !bytes.includes(words)) return "pass";
    hasCut = true;
    return how;
  };
  return () => assert.equal(hasCut, true, "the wire was cut");
}

async function begun(idempotencyKey: string | null): Promise<OpenCall> {
  const verdict = await calls.begin(opening(workspaceId, { idempotencyKey, recovery: "neither" }));
  assert.ok(verdict.kind === "begun", verdict.kind);
  return verdict.call;
}

const ending = (call: OpenCall): CallEnding => ({
  call,
  state: "finished",
  outcome: "succeeded",
  charge: 10n,
  answer: { status: 200, headers: {}, body: Buffer.from("{}") },
  usage: { requestId: null, apiKeyId: null, subject: "model:sandbox/image-1", status: 200, totalMs: 1, providerMs: 1 },
});

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
}

test("a begin whose answer is lost after the commit has begun, and holds once", async () => {
  const requireCut = cutOnce("insert into call_keys", "cut after");
  const { available } = await findWallet(database, workspaceId);
  const call = await begun("lost-begin");
  requireCut();
  assert.equal((await findWallet(database, workspaceId)).available, available - 10n);
  assert.equal(await calls.finish(ending(call)), true);
  await requireInvariants();
});

test("an ending that never arrived is stored again, even if another process ended its neighbour in the batch", async () => {
  const [stolen, ours] = [await begun("stolen"), await begun("ours")];
  const { available } = await findWallet(database, workspaceId);
  const heir = createCalls({
    database,
    clock: systemClock,
    log: silentLog,
    bus: inProcessBus(),
    blobs: { keep: async () => "", read: async () => null, release: async () => undefined },
  });
  await callsFixture(database).silenceOwner(calls.ownerId);
  await adoptCalls(database, { ownerId: heir.ownerId, leaseSeconds: 45, count: 1 });
  const stored = await findCalls(database, [stolen.id, ours.id]);
  const taken = stored.find((call) => call.fence === 2) ?? assert.fail("one was taken over");
  const kept = stored.find((call) => call.fence === 1) ?? assert.fail("one was kept");
  assert.equal(await heir.finish({ ...ending(taken), charge: 0n, answer: null }), true);
  await heir.close();
  const requireCut = cutOnce("insert into call_answers", "cut before");
  const results = await Promise.all([calls.finish(ending({ ...taken, fence: 1 })), calls.finish(ending(kept))]);
  requireCut();
  assert.deepEqual(results, [false, true]);
  assert.equal((await findWallet(database, workspaceId)).available, available + 10n);
  assert.equal((await findCalls(database, [kept.id]))[0]?.state, "finished");
  await requireInvariants();
});

test("a hand-over whose answer is lost is made again, and the follower has the call", async () => {
  const call = await begun("handed-over");
  const requireCut = cutOnce("adopted_at = coalesce", "cut before");
  await calls.handOver({ ...call, maySend: () => false }, 0);
  requireCut();
  let asked = 0;
  const follower = createFollower({
    database,
    log: silentLog,
    calls,
    followings: [
      {
        handles: () => true,
        async inquire(followed) {
          asked += 1;
          return { finding: { kind: "ended" }, ending: { ...ending(followed) } };
        },
        unknownAnswer: () => ({ status: 502, headers: {}, body: Buffer.from("{}") }),
      },
    ],
  });
  assert.equal(await follower.followDue(AbortSignal.timeout(60_000)), 1);
  assert.equal(asked, 1);
  await requireInvariants();
});

test("a process whose heartbeat looks dead, because the database was away, does not take its own calls over", async () => {
  const call = await begun("own");
  await callsFixture(database).silenceOwner(calls.ownerId);
  const follower = createFollower({ database, log: silentLog, calls, followings: [] });
  await follower.sweep();
  assert.equal((await findCalls(database, [call.id]))[0]?.fence, 1);
  assert.equal(await calls.finish(ending(call)), true);
  await requireInvariants();
});
