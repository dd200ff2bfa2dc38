import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { createBackground } from "../../../foundation/background.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { handClock } from "../../../foundation/hand-clock.fixture.ts";
import { silentLog } from "../../../foundation/log.ts";
import { heldUntil } from "../call/follow-call.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { type Calls, createCalls } from "../protocol/calls.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import { type CallFollowing, createFollower } from "./follower.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

async function newProcess(): Promise<Calls> {
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  await callsFixture(database).keepAwake(calls.ownerId);
  return calls;
}

const usage = { requestId: null, apiKeyId: null, subject: "many", status: 200, totalMs: 1, providerMs: 1 };
const answer = { status: 200, headers: {}, body: Buffer.from("{}") };

async function requireInvariants(): Promise<void> {
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
}

test("the follower works through everything due before it rests", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(1_000n);
  const calls = await newProcess();
  const begin = async () => {
    const begun = await calls.begin(opening(workspaceId));
    assert.ok(begun.kind === "begun");
    await calls.handOver(begun.call, 0);
  };
  await Promise.all(Array.from({ length: 40 }, begin));
  const stopping = new AbortController();
  const allEnded = Promise.withResolvers<void>();
  let ended = 0;
  const follower = createFollower({
    database,
    log: silentLog,
    calls,
    followings: [
      {
        handles: () => true,
        async inquire() {
          ended += 1;
          if (ended === 40) allEnded.resolve();
          const ending = { state: "finished", outcome: "succeeded", charge: 1n, answer: null, usage } as const;
          return { finding: { kind: "ended" }, ending };
        },
        unknownAnswer: () => ({ status: 502, headers: {}, body: Buffer.from("{}") }),
      },
    ],
  });
  // The clock does not move, so anything left for a second round is never followed.
  const following = follower.run(createBackground({ clock: handClock(), log: silentLog }), stopping.signal);
  const tooLong = systemClock.sleep(60_000, stopping.signal).then(() => assert.equal(ended, 40));
  await Promise.race([allEnded.promise, tooLong]);
  stopping.abort();
  await following;
  await calls.close();
  assert.deepEqual(await findWallet(database, workspaceId), { available: 960n, held: 0n, inFlight: 0 });
});

test("if owner and provider die, a waiting caller starts over under the key, and only one of the two calls is charged", async () => {
  const workspaceId = await callsFixture(database).newWorkspace(100n);
  const [dead, heir] = [await newProcess(), await newProcess()];
  const request = opening(workspaceId, { idempotencyKey: "k" });
  const first = await dead.begin(request);
  const second = await heir.begin(request);
  assert.ok(first.kind === "begun" && second.kind === "join");
  const joined = heir.join(second.callId, AbortSignal.timeout(60_000), { leavesUnknowable: true });
  const gone: CallFollowing = {
    handles: () => true,
    inquire: async () => ({ finding: { kind: "gone" } }),
    unknownAnswer: () => assert.fail("it is known that nothing is left"),
  };
  const follower = createFollower({ database, log: silentLog, calls: heir, followings: [gone] });
  await callsFixture(database).silenceOwner(dead.ownerId);
  await follower.sweep();
  await follower.followDue(AbortSignal.timeout(60_000));
  assert.equal((await joined).kind, "released");
  const again = await heir.begin(request);
  assert.ok(again.kind === "begun");
  const ending = { state: "finished", outcome: "succeeded", charge: 10n, answer, usage } as const;
  assert.equal(await heir.finish({ ...ending, call: again.call }), true);
  assert.equal(await dead.finish({ ...ending, call: first.call }), false, "whatever it comes back with is too late");
  assert.deepEqual(await findWallet(database, workspaceId), { available: 90n, held: 0n, inFlight: 0 });
  await requireInvariants();
  for (const calls of [dead, heir]) await calls.close();
});

test('if the owner dies and the provider cannot be asked, callers hear "unknowable" at once and the call waits out its quarantine', async () => {
  const workspaceId = await callsFixture(database).newWorkspace(100n);
  const [dead, heir] = [await newProcess(), await newProcess()];
  const request = opening(workspaceId, { idempotencyKey: "k", recovery: "neither" });
  const begun = await dead.begin(request);
  assert.ok(begun.kind === "begun");
  const { id } = begun.call;
  const wants = { leavesUnknowable: true };
  assert.equal((await heir.join(id, AbortSignal.timeout(200), wants)).kind, "gave_up", "its owner is alive");
  const joining = heir.join(id, AbortSignal.timeout(60_000), wants);
  const follower = createFollower({ database, log: silentLog, calls: heir, followings: [] });
  await callsFixture(database).silenceOwner(dead.ownerId);
  await follower.sweep();
  await follower.followDue(AbortSignal.timeout(60_000));
  assert.equal((await joining).kind, "unknowable");
  assert.equal((await heir.join(id, AbortSignal.timeout(200))).kind, "gave_up", "who does not ask waits on");
  assert.equal((await heir.begin(request)).kind, "join", "and nothing is sent again");
  assert.deepEqual(await findWallet(database, workspaceId), { available: 90n, held: 10n, inFlight: 1 });
  await requireInvariants();
  for (const calls of [dead, heir]) await calls.close();
});

test("a killed process's call is taken over at once, and settled two minutes later if its provider never saw it", async () => {
  const fixture = callsFixture(database);
  const workspaceId = await fixture.newWorkspace(100n);
  const [dead, heir] = [await newProcess(), await newProcess()];
  await fixture.renameOwner(dead.ownerId, "killed");
  const begun = await dead.begin(opening(workspaceId, { idempotencyKey: "k" }));
  assert.ok(begun.kind === "begun");
  const { id } = begun.call;
  let asked = 0;
  const unheard: CallFollowing = {
    handles: () => true,
    async inquire() {
      asked += 1;
      return { finding: { kind: "not_found" } };
    },
    unknownAnswer: () => assert.fail("it is known that it never arrived"),
  };
  const isGone = (process: string) => process === "killed";
  const follower = createFollower({ database, log: silentLog, calls: heir, followings: [unheard], isGone });
  const look = () => follower.followDue(AbortSignal.timeout(60_000));
  // Its lease has not run out, and nothing should wait for that.
  await follower.sweep();
  await look();
  assert.equal(asked, 1);
  const found = await heir.find(id);
  assert.ok(found && found.state === "open" && found.senderDeadSeconds !== null);
  assert.ok(heldUntil(found), "its caller can be told how long the hold can last");
  for (const pause of ["60 seconds", "30 seconds"]) {
    await fixture.ageDeath(id, pause);
    await look();
  }
  assert.deepEqual([asked, (await heir.find(id))?.state], [3, "finished"]);
  assert.deepEqual(await findWallet(database, workspaceId), { available: 100n, held: 0n, inFlight: 0 });
  await requireInvariants();
  for (const calls of [dead, heir]) await calls.close();
});

test("a sleeping process is not treated as dead: its calls wait out the quarantine", async () => {
  const fixture = callsFixture(database);
  const workspaceId = await fixture.newWorkspace(100n);
  const [asleep, first, second] = [await newProcess(), await newProcess(), await newProcess()];
  const begun = await asleep.begin(opening(workspaceId, { idempotencyKey: "k" }));
  assert.ok(begun.kind === "begun");
  const { id } = begun.call;
  const unheard: CallFollowing = {
    handles: () => true,
    inquire: async () => ({ finding: { kind: "not_found" } }),
    unknownAnswer: () => assert.fail("it waits"),
  };
  const followerOf = (calls: Calls) =>
    createFollower({
      database,
      log: silentLog,
      calls,
      followings: [unheard],
      isGone: (process) => process === "killed",
    });
  await fixture.silenceOwner(asleep.ownerId);
  await followerOf(first).sweep();
  // The process that took it over is killed. That says nothing about the one that may have sent it.
  await fixture.renameOwner(first.ownerId, "killed");
  await followerOf(second).sweep();
  await fixture.bringForward(id);
  await followerOf(second).followDue(AbortSignal.timeout(60_000));
  const found = await second.find(id);
  assert.deepEqual([found?.ownerId, found?.senderDeadSeconds, found?.notFoundTimes], [second.ownerId, null, 0]);
  for (const calls of [asleep, first, second]) await calls.close();
});
