import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { inProcessBus } from "../../foundation/bus/bus.ts";
import { systemClock } from "../../foundation/clock.ts";
import { sql } from "../../foundation/database/sql.ts";
import { newId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { createCalls } from "../calls/index.ts";
import { fundWallet } from "../calls/shared-sql.ts";
import { forgetCallbacks, takeCallbacks } from "./callback-store.ts";
import { claimShards, releaseShards } from "./shard-store.ts";
import { shardCount, type TaskId } from "./task.ts";
import {
  acceptTasks,
  findRetry,
  findTask,
  forgetTasks,
  listOpenTasks,
  lockTasks,
  markAnswered,
  writeTasks,
} from "./task-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const retryKey = "ab".repeat(32);

async function aCall() {
  const workspaceId = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'test', now())`);
  await fundWallet(database, { transactionId: newId(), workspaceId, amount: 1_000n });
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  const context = {
    webhookUrl: null,
    echo: { "/seed": "9007199254740993" },
    retryKey,
    createdAt: "2026-01-01T00:00:00Z",
  };
  const begun = await calls.begin({
    workspaceId,
    subject: "partner:voices/speak",
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    isValid: true,
    hold: 10n,
    priceRecordId: null,
    takesSlot: true,
    isCostly: false,
    slotsMax: 10,
    costlySlotsMax: 0,
    recovery: "neither",
    longestRunSeconds: 60,
    context,
  });
  assert.ok(begun.kind === "begun");
  return { calls, call: begun.call, workspaceId, context };
}

const newTask = (
  id: TaskId,
  workspaceId: Awaited<ReturnType<typeof aCall>>["workspaceId"],
  createdAt = new Date(),
) => ({
  id,
  workspaceId,
  partner: "voices",
  operation: "speak",
  partnerTaskId: "4711",
  webhookUrl: null,
  echo: { "/seed": "9007199254740993" },
  firstBody: '{"seed":9007199254740993}',
  retryKey,
  createdAt,
  longestRunSeconds: 60,
});

test("a call keeps its context for whoever takes it over", async () => {
  const { calls, call, context } = await aCall();
  assert.deepEqual((await calls.find(call.id))?.context, context);
  await calls.close();
});

test("accepting writes the task and parks its call in one statement, once, and nothing for a call that has ended", async () => {
  const { calls, call, workspaceId } = await aCall();
  const task = newTask(call.id, workspaceId);
  assert.deepEqual(await acceptTasks(database, [task, newTask(newId<"call">(), workspaceId)]), new Set([call.id]));
  assert.deepEqual(await acceptTasks(database, [{ ...task, partnerTaskId: "other" }]), new Set([call.id]));
  const found = await findTask(database, { workspaceId, taskId: call.id });
  assert.equal(found?.partnerTaskId, "4711");
  assert.equal(found?.body, '{"seed":9007199254740993}');
  assert.equal(found?.sequence, 0);
  const usage = { requestId: null, apiKeyId: null, subject: "x", status: 200, totalMs: 1, providerMs: null };
  const ending = { call, state: "finished", outcome: "succeeded", charge: 7n, answer: null, usage } as const;
  const ended = await database.transaction((tx) =>
    calls.finishWithin(tx, [{ ...ending, call: { ...call, fence: 99 } }]),
  );
  assert.deepEqual(ended, new Set([call.id]), "the fence is read, not known");
  const again = await database.transaction((tx) => calls.finishWithin(tx, [ending]));
  assert.equal(again.size, 0, "once");
  assert.deepEqual(await acceptTasks(database, [task]), new Set());
  await calls.close();
});

test("an open task is listed for its shard until it ends, and is forgotten when its time is over", async () => {
  const { calls, call, workspaceId } = await aCall();
  await acceptTasks(database, [newTask(call.id, workspaceId)]);
  const shards = Array.from({ length: shardCount }, (_, shard) => shard);
  const isListed = async (createdAfter: Date | null = null) =>
    (await listOpenTasks(database, { shards, createdAfter })).some(({ id }) => id === call.id);
  assert.ok(await isListed());
  assert.ok(!(await isListed(new Date(Date.now() + 60_000))));
  const endedAt = new Date(Date.now() - 3 * 86_400_000);
  await database.transaction(async (tx) => {
    assert.equal((await lockTasks(tx, [call.id])).get(call.id)?.state, "created");
    await writeTasks(tx, [{ id: call.id, state: "completed", sequence: 1, body: "{}", endedAt }]);
  });
  assert.ok(!(await isListed()));
  assert.equal(await forgetTasks(database, { keepDays: 4, batchRows: 10 }), 0);
  assert.equal(await forgetTasks(database, { keepDays: 2, batchRows: 10 }), 1);
  await calls.close();
});

test("the newest task of an equal request is found with its age and whether its answer was delivered", async () => {
  const { calls, call, workspaceId } = await aCall();
  await acceptTasks(database, [newTask(call.id, workspaceId, new Date(Date.now() - 5_000))]);
  const look = () => findRetry(database, { workspaceId, retryKey, now: new Date() });
  const before = await look();
  assert.deepEqual([before?.task.id, before?.isAnswered], [call.id, false]);
  assert.ok(before && before.ageSeconds >= 5);
  await markAnswered(database, [call.id]);
  assert.equal((await look())?.isAnswered, true);
  assert.equal(await findRetry(database, { workspaceId, retryKey: "cd".repeat(32), now: new Date() }), null);
  await calls.close();
});

test("an event counts once for its partner", async () => {
  const event = { partner: "voices", eventId: newId() };
  assert.equal((await takeCallbacks(database, [event, event])).size, 1);
  assert.equal((await takeCallbacks(database, [event])).size, 0);
  assert.equal((await takeCallbacks(database, [{ ...event, partner: "others" }])).size, 1);
  assert.equal(await forgetCallbacks(database, 3600), 0);
});

test("shards belong to one holder until it is silent or lets go", async () => {
  const [one, other] = [newId(), newId()];
  assert.equal((await claimShards(database, { holderId: one, leaseSeconds: 60 })).length, shardCount);
  assert.deepEqual(await claimShards(database, { holderId: other, leaseSeconds: 60 }), []);
  assert.equal((await claimShards(database, { holderId: one, leaseSeconds: -1 })).length, shardCount, "renewed");
  assert.equal((await claimShards(database, { holderId: other, leaseSeconds: 60 })).length, shardCount, "silent");
  await releaseShards(database, other);
  assert.equal((await claimShards(database, { holderId: one, leaseSeconds: 60 })).length, shardCount);
});
