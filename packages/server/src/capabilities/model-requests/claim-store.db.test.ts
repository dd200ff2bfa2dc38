// Submission, claim, put back and end of queued calls as statements: slots are exact across processes, no request has two
// runners, a workspace's requests run in order, and broken invariants are found.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { inProcessBus } from "../../foundation/bus/bus.ts";
import { systemClock } from "../../foundation/clock.ts";
import { openDatabase, sql } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { silentLog } from "../../foundation/log.ts";
import { type Calls, callPlannerSettings, createCalls, type SlotBounds } from "../calls/index.ts";
import { callInvariants, fundWallet } from "../calls/shared-sql.ts";
import { claimRequests, listWaitingWorkspaces, putBack } from "./claim-store.ts";
import type { ClaimedRequest } from "./model-request.ts";
import { requestContext } from "./model-request.ts";
import { requestInvariants } from "./request-invariants-store.ts";
import { type RequestSubmitter, requestSubmitter } from "./submit-requests.ts";

let database: TestDatabase;
let calls: Calls;
let submitter: RequestSubmitter;
before(async () => {
  database = await testDatabase();
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  const none = () => Promise.reject(new Error("no blobs here"));
  submitter = requestSubmitter({ database, calls, blobs: { keep: none, hold: none, release: none, read: none } });
});
after(async () => {
  await submitter.close();
  await calls.close();
  await database.close();
});

async function newWorkspace(): Promise<WorkspaceId> {
  const workspaceId = newId<"workspace">();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'test', now())`);
  await fundWallet(database, { transactionId: newId(), workspaceId, amount: 1_000_000n });
  return workspaceId;
}

async function submit(workspaceId: WorkspaceId, isCostly = false): Promise<string> {
  const id = newId<"call">();
  const begun = await submitter.begin(
    {
      id,
      workspaceId,
      subject: "model:p/m",
      idempotencyKey: null,
      fingerprint: Buffer.alloc(0),
      isValid: true,
      hold: 7n,
      priceRecordId: null,
      takesSlot: false,
      isCostly: false,
      slotsMax: 0,
      costlySlotsMax: 0,
      recovery: "ask",
      longestRunSeconds: 86_400,
      context: requestContext,
    },
    {
      model: "p/m",
      bytes: Buffer.from(`{"n": "${id}"}`),
      isCostly,
      longestRunSeconds: 60,
      webhookUrl: null,
      backlogMax: 100_000,
    },
  );
  assert.equal(begun.kind, "begun");
  return id;
}

const bounds = (workspaceId: WorkspaceId, slotsMax: number, costlySlotsMax = 1, count = 1_000): SlotBounds => ({
  workspaceId,
  slotsMax,
  costlySlotsMax,
  count,
});

async function brokenOnes(): Promise<string[]> {
  const names: string[] = [];
  for (const { name, statement } of [...callInvariants, ...requestInvariants])
    if ((await database.query(statement)).length > 0) names.push(name);
  return names;
}

test("eight processes that claim at once share the slots exactly, and no request goes to two of them", async () => {
  const [crowded, small] = [await newWorkspace(), await newWorkspace()];
  const ids = await Promise.all(Array.from({ length: 2_000 }, () => submit(crowded)));
  const one = await submit(small);
  const own = openDatabase({ connection: database.url, poolSize: 8, settings: callPlannerSettings });
  try {
    const claim = () => claimRequests(own, [bounds(crowded, 40), bounds(small, 40)], newId<"call-owner">());
    const claimed = (await Promise.all(Array.from({ length: 8 }, claim))).flat();
    const of = (workspaceId: WorkspaceId) =>
      claimed.filter((each) => each.workspaceId === workspaceId).map(({ id }) => id);
    assert.deepEqual([...of(crowded)].sort(), ids.sort().slice(0, 40), "the first forty, each once");
    assert.deepEqual(of(small), [one], "a long queue holds up no other workspace");
    assert.ok(claimed.every(({ fence, body, id }) => fence === 2 && body?.toString() === `{"n": "${id}"}`));
    assert.deepEqual(await claim(), []);
    assert.deepEqual(await brokenOnes(), []);
    const lost = await database.query(sql`select id from calls where state = 'open' and adopted_at is null`);
    assert.deepEqual(lost, [], "none looks like a call whose beginning got lost, which a sweep gives back");
  } finally {
    await own.close();
  }
});

test("costly requests wait for their own slots and let the others pass; each lane keeps its order", async () => {
  const workspaceId = await newWorkspace();
  const kinds = [true, true, false, true, false, false];
  const ids: string[] = [];
  for (const isCostly of kinds) ids.push(await submit(workspaceId, isCostly));
  const claim = (slots: number, costly: number) =>
    claimRequests(database, [bounds(workspaceId, slots, costly)], calls.ownerId);
  const numbers = (claimed: readonly ClaimedRequest[]) => claimed.map(({ id }) => ids.indexOf(id));
  assert.deepEqual(numbers(await claim(3, 1)), [0, 2, 4]);
  assert.deepEqual(numbers(await claim(3, 1)), [], "every slot is taken");
  assert.deepEqual(numbers(await claim(4, 1)), [5], "none for costly ones");
  assert.deepEqual(numbers(await claim(6, 2)), [1]);
  assert.deepEqual(await brokenOnes(), []);
});

test("a request put back frees its slot and comes first again; its former owner can no longer change it", async () => {
  const workspaceId = await newWorkspace();
  const first = await submit(workspaceId);
  await submit(workspaceId);
  const claim = async () => {
    const [claimed] = await claimRequests(database, [bounds(workspaceId, 1)], calls.ownerId);
    assert.ok(claimed);
    return claimed;
  };
  const begun = await claim();
  assert.equal(begun.id, first);
  const back = (call: ClaimedRequest) => database.transaction((tx) => putBack(tx, call, 86_400));
  assert.equal(await back(begun), true);
  assert.deepEqual(await brokenOnes(), []);
  const again = await claim();
  assert.deepEqual([again.id, again.attempts, again.fence], [first, 2, begun.fence + 1]);
  await assert.rejects(
    database.transaction(async (tx) => {
      if (!(await putBack(tx, begun, 86_400))) throw new Error("not ours");
    }),
    /not ours/,
  );
  assert.deepEqual(await brokenOnes(), []);
});

test("workspaces that wait are walked in their order, each once, however much each has", async () => {
  const waiting = [await newWorkspace(), await newWorkspace(), await newWorkspace()].sort();
  for (const workspaceId of waiting) for (let count = 0; count < 3; count++) await submit(workspaceId);
  const all = await listWaitingWorkspaces(database, { after: null, count: 1_000 });
  assert.deepEqual(
    all.filter((id) => waiting.includes(id)),
    waiting,
  );
  assert.deepEqual([...all].sort(), all);
  const [after = null] = all;
  assert.deepEqual(await listWaitingWorkspaces(database, { after, count: 1_000 }), all.slice(1));
  assert.deepEqual(await listWaitingWorkspaces(database, { after: null, count: 2 }), all.slice(0, 2));
});

test("a planted row breaks exactly the invariant that speaks of it", async () => {
  const workspaceId = await newWorkspace();
  const id = await submit(workspaceId);
  const [open, charged, orphan, notified] = requestInvariants.map(({ name }) => name);
  const plants = [
    [
      sql`update model_requests set hold = 8 where id = ${id}`,
      sql`update model_requests set hold = 7 where id = ${id}`,
    ],
    [
      sql`update model_requests set state = 'running', runner_id = ${newId()} where id = ${id}`,
      sql`update model_requests set state = 'queued', runner_id = null where id = ${id}`,
    ],
  ] as const;
  for (const [plant, mend] of plants) {
    await database.execute(plant);
    assert.deepEqual(await brokenOnes(), [open]);
    await database.execute(mend);
  }
  await database.execute(sql`
    update model_requests set state = 'completed', completed_at = now(), credits_used = 0, body = null,
      webhook_url = 'https://a.example/' where id = ${id}`);
  assert.deepEqual(await brokenOnes(), [charged, orphan, notified]);
  await database.execute(sql`delete from model_requests where id = ${id}`);
  assert.deepEqual(await brokenOnes(), [orphan]);
});
