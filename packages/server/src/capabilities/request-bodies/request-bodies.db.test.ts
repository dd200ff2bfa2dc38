import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { type Database, sql } from "../../foundation/database/index.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId, newRequestId, type WorkspaceId } from "../../foundation/ids.ts";
import { createKnownSecrets } from "../../foundation/known-secrets.ts";
import { silentLog } from "../../foundation/log.ts";
import { createAudit } from "../audit/index.ts";
import { createSealer } from "../secrets/index.ts";
import { createRequestBodies, type RequestBodiesDeps } from "./request-bodies.ts";
import type { NotedBodies } from "./request-body.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const by = { actor: { kind: "system" as const, id: null, name: "test" } };
const bounds = { keepHoursMax: 720, bodyBytesMax: 262_144, workspaceBytesMax: 2 ** 30 };
const hourMs = 3_600_000;

function ringOf(...keys: { readonly id: string; readonly secret: Buffer }[]) {
  const keyRing = { current: () => keys[0] ?? assert.fail(), verifying: () => keys };
  return { keyRing, sealer: createSealer(keyRing) };
}
const first = { id: "first", secret: randomBytes(32) };

function bodiesWith(more: Partial<RequestBodiesDeps> = {}) {
  return createRequestBodies({
    ...{ database, clock: handClock(), log: silentLog, audit: createAudit({ database }) },
    ...{ known: createKnownSecrets(), bounds, ...ringOf(first), ...more },
  });
}

const noted = (workspaceId: WorkspaceId, prompt = "a red fox at dawn"): NotedBodies => ({
  ...{ workspaceId, requestId: newRequestId(), callId: newId() },
  input: { type: "application/json", bytes: Buffer.from(JSON.stringify({ prompt })) },
  answer: { type: "application/json", bytes: Buffer.from('{"ok":true}'), status: 200 },
});

async function rowsOf(workspaceId: WorkspaceId) {
  return database.query<{ whole: string; key_id: string }>(sql`
    select b::text as whole, key_id from request_bodies b where workspace_id = ${workspaceId}`);
}

// Everything noted so far is in the table.
const written = async (bodies: ReturnType<typeof bodiesWith>) => bodies.close();

test("off: nothing is stored, and the database is not asked", async () => {
  const fails = () => assert.fail("the database was asked");
  const unasked: Database = new Proxy(database, { get: () => fails });
  const bodies = bodiesWith({ database: unasked });
  const one = noted(newId());
  assert.equal(bodies.keeps(one.workspaceId), false);
  bodies.note(one);
  await bodies.close();
  assert.deepEqual(await rowsOf(one.workspaceId), []);
});

test("on: the row holds no plain text, opens only for its own request, and belongs to its workspace", async () => {
  const bodies = bodiesWith();
  const [own, other] = [newId<"workspace">(), newId<"workspace">()];
  await bodies.change(own, { isOn: true }, by);
  const [one, two] = [noted(own), noted(own, "a blue whale")];
  for (const each of [one, two]) bodies.note(each);
  bodies.note(noted(other));
  await written(bodies);
  const rows = await rowsOf(own);
  assert.equal(rows.length, 2);
  for (const { whole } of rows) assert.doesNotMatch(whole, /fox|whale|prompt|true\}/);
  assert.deepEqual(await rowsOf(other), []);
  const found = await bodies.find({ workspaceId: own, requestId: one.requestId, callId: null });
  assert.deepEqual(
    [found?.input?.text, found?.answer.text, found?.answer.status],
    ['{"prompt":"a red fox at dawn"}', '{"ok":true}', 200],
  );
  const byCall = await bodies.find({ workspaceId: own, requestId: String(one.callId), callId: null });
  assert.equal(byCall?.requestId, one.requestId);
  assert.equal(await bodies.find({ workspaceId: other, requestId: one.requestId, callId: one.callId }), null);
  await database.execute(sql`
    update request_bodies set sealed = (select sealed from request_bodies where request_id = ${two.requestId})
    where request_id = ${one.requestId}`);
  assert.equal(await bodies.find({ workspaceId: own, requestId: one.requestId, callId: null }), null);
});

test("each body ends with its time; a shorter time applies to what is kept, a longer one does not", async () => {
  const clock = handClock();
  const workspaceId = newId<"workspace">();
  const bodies = bodiesWith({ clock });
  await bodies.change(workspaceId, { isOn: true, keepHours: 48 }, by);
  const one = noted(workspaceId);
  bodies.note(one);
  await written(bodies);
  const isFound = async () => (await bodies.find({ ...one, callId: null })) !== null;
  await bodies.change(workspaceId, { isOn: true, keepHours: 24 }, by);
  await bodies.change(workspaceId, { isOn: true, keepHours: 72 }, by);
  await clock.advance(24 * hourMs - 1);
  await bodies.tidy();
  assert.equal(await isFound(), true);
  await clock.advance(1);
  assert.equal(await isFound(), false, "it is over, whether or not the sweep ran");
  assert.equal((await rowsOf(workspaceId)).length, 1);
  await bodies.tidy();
  assert.deepEqual(await rowsOf(workspaceId), []);
});

test("the operator bounds the time, and with zero everything goes and nothing can be turned on", async () => {
  const workspaceId = newId<"workspace">();
  const bodies = bodiesWith();
  await assert.rejects(bodies.change(workspaceId, { isOn: true, keepHours: 721 }, by), /at most 720/);
  await bodies.change(workspaceId, { isOn: true }, by);
  bodies.note(noted(workspaceId));
  await written(bodies);
  const forbidding = bodiesWith({ bounds: { ...bounds, keepHoursMax: 0 } });
  await forbidding.look();
  assert.equal(forbidding.keeps(workspaceId), false);
  await assert.rejects(forbidding.change(workspaceId, { isOn: true }, by), { code: "forbidden" });
  const { isOn, keepHoursMax } = await forbidding.keepingOf(workspaceId);
  assert.deepEqual([isOn, keepHoursMax], [false, 0]);
  await forbidding.tidy();
  assert.deepEqual(await rowsOf(workspaceId), []);
});

test("turning it off deletes at once, and what other processes still hold is not stored afterwards", async () => {
  const workspaceId = newId<"workspace">();
  const [here, elsewhere] = [bodiesWith(), bodiesWith()];
  await here.change(workspaceId, { isOn: true }, by);
  await elsewhere.look();
  here.note(noted(workspaceId));
  await written(here);
  assert.equal((await rowsOf(workspaceId)).length, 1);
  await here.change(workspaceId, { isOn: false }, by);
  assert.deepEqual(await rowsOf(workspaceId), []);
  assert.equal(elsewhere.keeps(workspaceId), true, "it has not heard of it");
  elsewhere.note(noted(workspaceId));
  await written(elsewhere);
  assert.deepEqual(await rowsOf(workspaceId), []);
  const audited = await database.query<{ action: string; after: unknown }>(sql`
    select action, after from audit_entries where workspace_id = ${workspaceId} order by at, id`);
  assert.deepEqual(
    audited.map(({ action }) => action),
    ["request_bodies.keep", "request_bodies.keep"],
  );
});

test("after a key rotation everything is sealed again, and opens when the old key is gone", async () => {
  const workspaceId = newId<"workspace">();
  const bodies = bodiesWith();
  await bodies.change(workspaceId, { isOn: true }, by);
  const one = noted(workspaceId);
  bodies.note(one);
  await written(bodies);
  const second = { id: "second", secret: randomBytes(32) };
  await bodiesWith(ringOf(second, first)).tidy();
  assert.deepEqual(
    (await rowsOf(workspaceId)).map(({ key_id }) => key_id),
    ["second"],
  );
  const found = await bodiesWith(ringOf(second)).find({ ...one, callId: null });
  assert.equal(found?.input?.text, '{"prompt":"a red fox at dawn"}');
  assert.equal(await bodiesWith(ringOf(first)).find({ ...one, callId: null }), null);
});

test("a workspace keeps its newest up to a size, and a full queue or a lost database only costs the bodies", async () => {
  const workspaceId = newId<"workspace">();
  const bodies = bodiesWith();
  await bodies.change(workspaceId, { isOn: true }, by);
  const all = Array.from({ length: 6 }, () => noted(workspaceId));
  for (const one of all) bodies.note(one);
  await written(bodies);
  const { bytes } = (await bodies.keepingOf(workspaceId)).kept;
  await bodiesWith({ bounds: { ...bounds, workspaceBytesMax: Math.ceil(bytes / 2) } }).tidy();
  const kept = await Promise.all(all.map(async (one) => (await bodies.find({ ...one, callId: null })) !== null));
  assert.deepEqual(kept, [false, false, false, true, true, true]);

  let unkept = 0;
  const flooded = bodiesWith({ onUnkept: () => unkept++ });
  await flooded.look();
  for (let sent = 0; sent < 2_500; sent++) flooded.note(noted(workspaceId));
  assert.equal(unkept, 500);
  await flooded.close();

  const broken = bodiesWith({
    onUnkept: () => unkept++,
    sealer: { ...ringOf(first).sealer, seal: () => assert.fail() },
  });
  await broken.look();
  broken.note(noted(workspaceId));
  await broken.close();
  assert.equal(unkept, 501);
});
