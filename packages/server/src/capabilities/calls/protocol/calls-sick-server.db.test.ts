// The database responds but cannot or will not store. A full disk recovers, so we wait for it; content that is refused
// every time goes to the follower. No call stays open without an owner.
import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { inProcessBus } from "../../../foundation/bus/bus.ts";
import { systemClock } from "../../../foundation/clock.ts";
import { sqlText } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { type Log, silentLog } from "../../../foundation/log.ts";
import type { AnswerBlobs } from "../answers/recorded-answers.ts";
import type { CallEnding } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import type { OwnedCall } from "../call/open-calls.ts";
import { callInvariants } from "../call-invariants-store.ts";
import { createFollower } from "../following/follower.ts";
import { findWallet } from "../ledger/ledger-store.ts";
import { callsFixture, opening } from "../rounds/calls.fixture.ts";
import { type Calls, createCalls } from "./calls.ts";

let database: TestDatabase;
let calls: Calls;
let workspaceId: WorkspaceId;
// Called for each warning of the calls.
const warned: unknown[] = [];
let onWarning: () => void = () => undefined;
let keepBlob: AnswerBlobs["keep"] = async () => "hash";

before(async () => {
  database = await testDatabase();
  const log: Log = {
    ...silentLog,
    warn(fields) {
      warned.push(fields);
      onWarning();
    },
  };
  const blobs: AnswerBlobs = {
    keep: (bytes, holder) => keepBlob(bytes, holder),
    read: async () => null,
    release: async () => undefined,
  };
  calls = createCalls({ database, clock: systemClock, log, bus: inProcessBus(), blobs });
  await calls.start();
  workspaceId = await callsFixture(database).newWorkspace(1_000n);
});
after(async () => {
  await calls.close();
  await database.close();
});
afterEach(async () => {
  onWarning = () => undefined;
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
});

// From now on PostgreSQL refuses, with this error, the writes that end a call.
async function refuseEndings(sqlstate: string): Promise<() => Promise<void>> {
  await database.execute(
    sqlText(`create function refuse_usage() returns trigger language plpgsql as
      $$ begin raise exception 'planted' using errcode = '${sqlstate}'; end $$`),
  );
  await database.execute(
    sqlText("create trigger planted before insert on usage for each statement execute function refuse_usage()"),
  );
  return async () => void (await database.execute(sqlText("drop function refuse_usage cascade")));
}

async function begun(): Promise<OwnedCall> {
  const verdict = await calls.begin(opening(workspaceId));
  assert.ok(verdict.kind === "begun", verdict.kind);
  return verdict.call;
}

const ending = (call: OwnedCall, body = "{}"): CallEnding => ({
  call,
  state: "finished",
  outcome: "succeeded",
  charge: 10n,
  answer: { status: 200, headers: {}, body: Buffer.from(body) },
  usage: { requestId: null, apiKeyId: null, subject: "model:sandbox/image-1", status: 200, totalMs: 1, providerMs: 1 },
});

const nextWarning = () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  onWarning = resolve;
  return promise;
};

for (const sqlstate of ["53100", "53200", "58030", "XX000"]) {
  test(`an ending that a sick server refuses (${sqlstate}) is tried again until it is stored, and charged once`, async () => {
    const { available } = await findWallet(database, workspaceId);
    const call = await begun();
    const mend = await refuseEndings(sqlstate);
    const warning = nextWarning();
    const finishing = calls.finish(ending(call));
    await warning;
    assert.equal((await findCalls(database, [call.id]))[0]?.state, "open");
    await mend();
    assert.equal(await finishing, true);
    assert.equal((await findWallet(database, workspaceId)).available, available - 10n);
  });
}

test("an answer whose bytes find no room in blob storage is kept once there is some", async () => {
  const call = await begun();
  let tries = 0;
  keepBlob = async () => {
    tries += 1;
    if (tries < 3) throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" });
    return "hash";
  };
  assert.equal(await calls.finish(ending(call, "x".repeat(300_000))), true);
  assert.equal(tries, 3);
});

test("an ending that is refused every time is handed to the follower, who ends the call when it can be", async () => {
  const { available } = await findWallet(database, workspaceId);
  const call = await begun();
  const mend = await refuseEndings("22000");
  await assert.rejects(calls.finish(ending(call)), /planted/);
  assert.equal(calls.open.has(call.id), false);
  const [left] = await findCalls(database, [call.id]);
  assert.deepEqual([left?.state, left?.ownerId, left?.fence], ["open", calls.ownerId, 1]);
  await mend();
  await callsFixture(database).bringForward(call.id);
  const follower = createFollower({
    database,
    log: silentLog,
    calls,
    followings: [
      {
        handles: () => true,
        inquire: async () => ({ finding: { kind: "ended" }, ending: ending(call) }),
        unknownAnswer: () => ({ status: 502, headers: {}, body: Buffer.from("{}") }),
      },
    ],
  });
  // The sweep must not release it as a call that was never sent.
  await follower.sweep();
  assert.equal(await follower.followDue(AbortSignal.timeout(60_000)), 1);
  assert.equal((await findCalls(database, [call.id]))[0]?.state, "finished");
  assert.equal((await findWallet(database, workspaceId)).available, available - 10n);
});

test("a begin on a full disk is 503 and holds nothing", async () => {
  const { available } = await findWallet(database, workspaceId);
  await database.execute(
    sqlText(`create function refuse_calls() returns trigger language plpgsql as
      $$ begin raise exception 'planted' using errcode = '53100'; end $$`),
  );
  await database.execute(
    sqlText("create trigger planted before insert on calls for each statement execute function refuse_calls()"),
  );
  await assert.rejects(begun(), { code: "service_unavailable" });
  await database.execute(sqlText("drop function refuse_calls cascade"));
  assert.equal((await findWallet(database, workspaceId)).available, available);
});
