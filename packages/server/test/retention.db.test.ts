// What a workspace no longer wants to keep is deleted, a day after its owner said so, and nothing else is.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createAudit } from "../src/capabilities/audit/index.ts";
import { createRetention, type RetentionBounds } from "../src/capabilities/retention/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { handClock } from "../src/foundation/hand-clock.fixture.ts";
import { trustedId, type WorkspaceId } from "../src/foundation/ids.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { workspaceHoldings as holdings } from "../src/processes/workspace-holdings.ts";
import { bearer, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const hourMs = 3_600_000;
let app: TestApp;
let ada: Tenant;
let id: WorkspaceId;
let jobId = "";
let upload = "";
const keptForever = { outputs_days: null, uploads_days: null, history_days: null };

before(async () => {
  app = await testApp();
  ada = await addTenant(app, "Ada");
  id = trustedId(ada.workspaceId);
  const workflow = {
    "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 5 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "ada" } },
  };
  jobId = textOf(await send("POST", "/api/v2/jobs", { workflow }, 201), "id");
  await until(
    "the job ended",
    async () => textOf(await send("GET", `/api/v2/jobs/${jobId}`), "status") === "succeeded",
  );
  upload = await uploaded("my own words");
  await app.call({ path: "/api/v2/jobs/none", headers: bearer(ada.key) });
  await app.database.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, credits, is_replay, total_ms, tags, end_user, at)
    values (gen_random_uuid(), ${id}, 'sandbox/image-1', 'succeeded', 0, false, 5, '{"team":"red"}', 'customer-7', now())`);
  // Everything happened ten days ago.
  for (const statement of [
    sql`update assets set created_at = created_at - interval '10 days' where workspace_id = ${id}`,
    sql`update error_answers set at = at - interval '10 days' where workspace_id = ${id}`,
    sql`update usage set at = at - interval '10 days' where workspace_id = ${id}`,
    sql`alter table jobs disable trigger jobs_end_once`,
    sql`update jobs set finished_at = finished_at - interval '10 days' where workspace_id = ${id}`,
    sql`alter table jobs enable trigger jobs_end_once`,
  ])
    await app.database.execute(statement);
});
after(() => app.close());

async function send(
  method: string,
  path: string,
  body?: unknown,
  status = 200,
  credential = ada.key,
): Promise<unknown> {
  const headers = { ...bearer(credential), "idempotency-key": crypto.randomUUID() };
  const answer = await app.call({ method, path, headers, ...(body === undefined ? {} : { body }) });
  assert.equal(answer.status, status, answer.text);
  return answer.text === "" ? null : answer.json();
}
async function uploaded(text: string): Promise<string> {
  const form = new FormData();
  form.append("content_type", "text/plain");
  form.append("file_path", "notes.txt");
  form.append("file", new Blob([text]), "notes.txt");
  const answer = await fetch(`${app.baseUrl}/api/v2/assets`, { method: "POST", headers: bearer(ada.key), body: form });
  return textOf(await answer.json(), "id");
}
const setting = () => `/account/workspaces/${id}/retention`;
const clock = handClock(new Date());
const retentionWith = (bounds: RetentionBounds) =>
  createRetention({
    ...{ database: app.database, clock, audit: createAudit({ database: app.database }), holdings, bounds },
    listWorkspaces: async (from) => (from === null ? [id] : []),
  });
const unbounded = { daysMin: 1, daysMax: null };
const usageLines = () =>
  app.database.query(sql`select outcome, credits::text, tags, end_user from usage where workspace_id = ${id}
    order by id`);

test("an owner sees what would be deleted before anything is saved, and what is younger is not counted", async () => {
  const counts = await send("POST", `${setting()}/estimate`, { outputs_days: 9, uploads_days: 9, history_days: 9 });
  const { applies_at: appliesAt, ...kinds } = counts as Record<string, { things: number; bytes: number }>;
  assert.equal(kinds["outputs"]?.things, 1);
  assert.ok((kinds["outputs"]?.bytes ?? 0) > 50);
  assert.deepEqual(kinds["uploads"], { things: 1, bytes: 12 });
  assert.equal(kinds["history"]?.things, 3, "the job, the error and the tagged request");
  assert.ok(appliesAt);
  const none = await send("POST", `${setting()}/estimate`, { outputs_days: 11, uploads_days: 11, history_days: 11 });
  assert.deepEqual(
    Object.values(none as Record<string, { things?: number }>).map(({ things = 0 }) => things),
    [0, 0, 0, 0],
  );
  assert.deepEqual(await send("GET", setting()), {
    ...{ ...keptForever, days_min: 1, days_max: null, changed_at: null, applies_at: null },
  });
});

test("what is not a rule, and what the operator's bounds forbid, is refused with the member's name", async () => {
  for (const body of [{}, { ...keptForever, outputs_days: 0 }, { ...keptForever, history_days: 4_000 }])
    await send("PUT", setting(), body, 400);
  const strict = retentionWith({ daysMin: 7, daysMax: 30 });
  const by = { actor: { kind: "system" as const, id: null, name: "test" } };
  const days = { outputs: 10, uploads: 10, history: 10 };
  await assert.rejects(strict.change(id, { ...days, outputs: 6 }, by), /outputs_days must be at least 7/);
  await assert.rejects(strict.change(id, { ...days, uploads: null }, by), /uploads_days must be at most 30/);
  await assert.rejects(strict.estimate(id, { ...days, history: 31 }), /history_days must be at most 30/);
  await assert.rejects(strict.change(trustedId(crypto.randomUUID()), days, by));
});

test("a change applies after a day: until then nothing is deleted", async () => {
  await send("PUT", setting(), { outputs_days: 9, uploads_days: 9, history_days: 9 });
  await clock.advance(23 * hourMs);
  await retentionWith(unbounded).apply();
  await send("GET", `/api/v2/assets/${upload}`);
  const job = (await send("GET", `/api/v2/jobs/${jobId}`)) as { outputs: unknown[] };
  assert.equal(job.outputs.length, 1);
  const audit = await send("GET", "/admin/audit?action=retention.change", undefined, 200, app.adminToken);
  assert.match(JSON.stringify(audit), /"outputs":9.*applies_at/);
});

test("a file that something still needs stays; after the day outputs, uploads and history are gone and the books are not", async () => {
  const lines = (await usageLines()).length;
  await app.database.execute(sql`
    insert into asset_holds (asset_id, holder_kind, holder_id) values (${upload}, 'work', gen_random_uuid())`);
  await clock.advance(2 * hourMs);
  await retentionWith(unbounded).apply();
  await send("GET", `/api/v2/assets/${upload}`);
  await app.database.execute(sql`delete from asset_holds where asset_id = ${upload}`);
  await retentionWith(unbounded).apply();
  await until("the job and its files are gone", async () => {
    const job = await app.call({ path: `/api/v2/jobs/${jobId}`, headers: bearer(ada.key) });
    const { data } = (await send("GET", "/api/v2/assets")) as { data: unknown[] };
    return job.status === 404 && data.length === 0;
  });
  await send("GET", `/api/v2/assets/${upload}`, undefined, 404);
  const left = await usageLines();
  assert.equal(left.length, lines, "no line of the books is gone");
  assert.ok(!JSON.stringify(left).includes("customer-7") && !JSON.stringify(left).includes("team"));
  const [errors] = await app.database.query<{ count: number }>(sql`
    select count(*)::int as count from error_answers where workspace_id = ${id} and at < now() - interval '9 days'`);
  assert.equal(errors?.count, 0);
  const audit = await send("GET", "/admin/audit?action=retention.apply", undefined, 200, app.adminToken);
  assert.match(JSON.stringify(audit), /"outputs":1/);
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});

test("the operator's most days count in workspaces whose owners decided nothing", async () => {
  await send("PUT", setting(), keptForever);
  const more = await uploaded("more words");
  await retentionWith({ daysMin: 1, daysMax: 5 }).apply();
  await send("GET", `/api/v2/assets/${more}`);
  await app.database.execute(sql`update assets set created_at = created_at - interval '10 days' where id = ${more}`);
  await retentionWith({ daysMin: 1, daysMax: 5 }).apply();
  // Expired by the hand clock, which is ahead; by the server's it will be within a day.
  const [row] = await app.database.query<{ ends: Date | null }>(
    sql`select expires_at as ends from assets where id = ${more}`,
  );
  assert.ok(row === undefined || row.ends !== null);
});

test("only owners change it; everyone in the workspace reads it; nobody else knows of it", async () => {
  const key = await send("POST", "/account/keys", { name: "looks", role: "viewer", scopes: ["account"] }, 201);
  const viewer = textOf(key, "secret");
  await send("PUT", setting(), keptForever, 403, viewer);
  await send("POST", `${setting()}/estimate`, keptForever, 200, viewer);
  await send("GET", setting(), undefined, 200, viewer);
  await send("GET", setting(), undefined, 404, app.key);
});
