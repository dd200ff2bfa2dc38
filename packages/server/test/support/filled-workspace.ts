// A workspace with something of everything that an export has: the example calls of its operations, and rows for what only time
// or another server would bring. Tests check that no list stayed empty, so that a new one is filled here.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type Queryable, sql } from "../../src/foundation/database/index.ts";
import { bearer } from "./app-client.ts";
import { owner } from "./app-people.ts";
import { exampleCalls } from "./example-calls.ts";
import { until } from "./server-process.ts";
import type { TestApp } from "./test-app.ts";
import { deafTarget } from "./webhook-example-calls.ts";

const filling = [
  ...[
    "createServiceAccount",
    "setKeyLimits",
    "setWorkspaceLimit",
    "getToken",
    "setOddSpending",
    "putBudget",
    "invokeModel",
  ],
  ...[
    "getModelRequestResult",
    "createWebhookEndpoint",
    "sendTestWebhook",
    "getRoute",
    "saveWorkflowVersion",
    "publishWork",
  ],
  ...[
    "uploadAsset",
    "setAssetNote",
    "keepPlaygroundRun",
    "putProviderCredential",
    "setRetention",
    "setRequestBodyKeeping",
  ],
  ...["submitJob"],
];

export async function fillWorkspace(app: TestApp): Promise<void> {
  const scene = { app, owner: await owner(app) };
  const headers = bearer(app.key);
  for (const id of filling) {
    const example = exampleCalls[id];
    assert.ok(example, id);
    const request = await example.make(scene);
    const answer = await app.call(request);
    assert.ok(answer.status < 400, `${id}: ${answer.status} ${answer.text}`);
  }
  await keyed(app);
  assert.equal((await app.call({ path: `/api/v2/jobs/${randomUUID()}`, headers })).status, 404);
  await until("its jobs ended", async () => {
    const [row] = await app.database.query<{ open: number }>(sql`
      select count(*)::int as open from jobs where workspace_id = ${app.workspaceId} and finished_at is null`);
    return row?.open === 0;
  });
  await keepAnswerAsFile(app.database, app);
  await addRows(app.database, app);
}

// Calls and jobs that clients may repeat, and jobs that are found by what they are labelled with.
async function keyed(app: TestApp): Promise<void> {
  const headers = { ...bearer(app.key), "idempotency-key": "moved-once" };
  const workflow = {
    "1": { class_type: "EmptyImage", inputs: { width: 64, height: 48, batch_size: 2, color: 65793 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "kept \u2028 \ud83d\ude80" } },
  };
  const metadata = { scene: "12", "10": "ten", "2": "two" };
  const webhook_url = `http://${deafTarget}/hook`;
  const job = await app.call({
    ...{ method: "POST", path: "/api/v2/jobs", headers, body: { workflow, metadata, webhook_url } },
  });
  assert.equal(job.status, 201, job.text);
  const call = await app.call({
    ...{ method: "POST", path: "/v1/models/sandbox/image-1", headers, body: { prompt: "a boat" } },
  });
  assert.equal(call.status, 200, call.text);
}

// An answer that is so large that it is kept as a file: we make a small one so.
async function keepAnswerAsFile(db: Queryable, { workspaceId }: TestApp): Promise<void> {
  await db.execute(sql`
    with file as (select hash, size from assets where workspace_id = ${workspaceId} limit 1), changed as (
      update call_answers a set body = null, blob_hash = encode(file.hash, 'hex'), body_bytes = file.size
      from calls c, file
      where c.workspace_id = ${workspaceId} and a.call_id = c.id and c.idempotency_key is null returning a.call_id, file.hash
    )
    insert into blob_references (hash, holder_kind, holder_id) select hash, 'answer', call_id::text from changed`);
}

async function addRows(db: Queryable, { workspaceId, personId }: TestApp): Promise<void> {
  const [taskId, budgetAlert, mailId, removed, requestId] = [1, 2, 3, 4, 5].map(() => randomUUID());
  await db.execute(sql`
    insert into partner_tasks (id, workspace_id, partner, operation, partner_task_id, state, sequence, echo, body, first_body,
      retry_key, shard, longest_run_seconds, created_at, ended_at)
    values (${taskId}, ${workspaceId}, 'sandbox', 'image', 'their-id', 'completed', 2, '{"/seed": "12345678901234567890"}',
      '{"done": 12345678901234567890}', '{}', sha256('x'), 1, 60, now(), now())`);
  await db.execute(sql`
    insert into budget_alerts (id, workspace_id, budget_id, sequence, threshold, period_start, amount, spent, held)
    select ${budgetAlert}::uuid, workspace_id, id, 1, 80, period_start, 10, 8, 9223372036854775807 from budgets
    where workspace_id = ${workspaceId} limit 1`);
  await db.execute(sql`
    insert into spending_alerts (workspace_id, hour, sequence, spent, average, highest, weeks, at)
    values (${workspaceId}, date_trunc('hour', now()), 1, 900, 10, 20, 3, now())`);
  await db.execute(sql`
    insert into mails (id, workspace_id, person_id, type, subject_id, sequence, recipient, subject, body, status, created_at, sent_at)
    values (${mailId}, ${workspaceId}, ${personId}, 'budget', 'x', 1, 'ada@example.com', 'Spent', 'All of it', 'sent', now(), now())`);
  await db.execute(sql`insert into mail_opt_outs values (${workspaceId}, ${personId}) on conflict do nothing`);
  await db.execute(sql`
    insert into payments (id, provider, reference, workspace_id, paid_at, amount_minor, currency, document)
    values (${randomUUID()}, 'sandbox', 'p-1', ${workspaceId}, now(), 1200, 'eur', '{}')`);
  await db.execute(
    sql`insert into people (id, name, created_at) values (${removed}, ${"Bob\u0001 \u202e <b>"}, now())`,
  );
  await db.execute(sql`
    insert into members (workspace_id, person_id, role, created_at, removed_at)
    values (${workspaceId}, ${removed}, 'viewer', now(), now())`);
  await db.execute(sql`
    insert into request_bodies (workspace_id, request_id, at, expires_at, key_id, sealed, bytes)
    values (${workspaceId}, ${requestId}, now(), now() + interval '1 hour', 'k', 'sealed text', 3)`);
  await db.execute(sql`
    insert into work_shares (workspace_id, model_id)
    select ${randomUUID()}::uuid, model_id from published_works where workspace_id = ${workspaceId} limit 1`);
  await db.execute(sql`
    insert into editor_files (workspace_id, owner_id, path, bytes, revision, created_at, updated_at)
    values (${workspaceId}, ${personId}, 'workflows/a.json', ${Buffer.from([0, 255, 10, 13])}, 3, now(), now())`);
  await db.execute(sql`
    insert into asset_holds (asset_id, holder_kind, holder_id, is_kept, expired_at)
    select a.id, 'work', w.id, true, now() + interval '9 days' from assets a join published_works w using (workspace_id)
    where a.workspace_id = ${workspaceId} and a.job_id is null limit 1`);
  await db.execute(sql`insert into job_pauses (workspace_id) values (${workspaceId}) on conflict do nothing`);
}
