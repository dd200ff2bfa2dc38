// A workspace is exported whole and deleted whole; the journal stays, and names no one.

import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createAudit } from "../src/capabilities/audit/index.ts";
import { deletedName } from "../src/capabilities/identity/index.ts";
import { deleteWorkspace, exportWorkspace } from "../src/capabilities/workspace-data/index.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { sql } from "../src/foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../src/foundation/ids.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { workspaceHoldings as holdings } from "../src/processes/workspace-holdings.ts";
import { bearer, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const actor = { kind: "system" as const, id: null, name: "test" };
let app: TestApp;
let ada: Tenant;
let id: WorkspaceId;
let jobId = "";

before(async () => {
  app = await testApp();
  ada = await addTenant(app, "Ada");
  id = trustedId(ada.workspaceId);
  await send("POST", `/admin/workspaces/${id}/credits`, app.adminToken, { amount: "12.5", note: "a gift" }, 201);
  const workflow = {
    "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 5 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "ada" } },
  };
  const body = { workflow, metadata: "Ada's own words", webhook_url: "http://127.0.0.1:9/hook" };
  jobId = textOf(await send("POST", "/api/v2/jobs", ada.key, body, 201), "id");
});
after(() => app.close());

async function send(method: "GET" | "POST", path: string, credential: string, body: unknown, status: number) {
  const headers = { ...bearer(credential), "idempotency-key": crypto.randomUUID() };
  const answer = await app.call({ method, path, headers, ...(body === null ? {} : { body }) });
  assert.equal(answer.status, status, answer.text);
  return answer.json();
}

const statusOf = async () => textOf(await send("GET", `/api/v2/jobs/${jobId}`, ada.key, null, 200), "status");
const remove = (workspaceId: WorkspaceId) => {
  const { database } = app;
  const audit = createAudit({ database });
  return deleteWorkspace({ database, clock: systemClock, audit, holdings }, workspaceId, actor);
};

async function exported(): Promise<Map<string, string>> {
  const lists = new Map<string, string>();
  await exportWorkspace({ database: app.database, holdings }, id, {
    async list(name, rows) {
      const lines: string[] = [];
      for await (const row of rows) lines.push(JSON.stringify(row));
      lists.set(name, lines.join("\n"));
    },
  });
  return lists;
}

test("an export has everything the workspace owns, and no secret", async () => {
  await until("the job ended", async () => (await statusOf()) === "succeeded");
  const lists = await exported();
  assert.match(lists.get("workspace") ?? "", /Ada's/);
  assert.match(lists.get("members") ?? "", /"name":"Ada"/);
  assert.match(lists.get("jobs") ?? "", /Ada's own words.*EmptyImage/);
  assert.match(lists.get("assets") ?? "", /ada_00001_\.png/);
  assert.match(lists.get("journal") ?? "", /"kind":"fund".*"amount":"12500000"/);
  const all = [...lists.values()].join("\n");
  const [row] = await app.database.query<{ hash: Buffer }>(sql`select hash from api_keys where workspace_id = ${id}`);
  assert.ok(row);
  for (const secret of [ada.key, row.hash.toString("hex"), "envelope", "whsec_"]) assert.ok(!all.includes(secret));
});

test("the only workspace, an unknown one and a busy one are refused, and nothing changes", async () => {
  const count = async () => (await app.database.query(sql`select id from api_keys`)).length;
  const before = await count();
  await assert.rejects(remove(trustedId("00000000-0000-7000-8000-000000000000")), /no such workspace/);
  await app.database.execute(sql`update wallets set in_flight = in_flight + 1 where workspace_id = ${id}`);
  await assert.rejects(remove(id), /still has 1 call/);
  await app.database.execute(sql`update wallets set in_flight = in_flight - 1 where workspace_id = ${id}`);
  assert.equal(await count(), before);
});

test("once deleted, nobody gets in, jobs and files are out of reach, the books are complete and name nobody", async () => {
  const { counts, withdrawn } = await remove(id);
  assert.deepEqual([counts["people"], counts["keys"], counts["jobs"]], [1, 1, 1]);
  assert.ok(withdrawn > 0n);
  await until("its key is refused", async () => {
    const answer = await app.call({ path: "/api/v2/jobs", headers: bearer(ada.key) });
    return answer.status === 401;
  });
  const rows = await app.database.query<{ name: string; left: number; lines: number; available: string }>(sql`
    select w.name, (select count(*)::int from people where id = ${ada.personId}) as left,
      (select count(*)::int from journal where workspace_id = ${id}) as lines,
      (select available::text from wallets where workspace_id = ${id}) as available
    from workspaces w where w.id = ${id}`);
  assert.deepEqual(
    rows.map(({ lines, ...row }) => row),
    [{ name: deletedName, left: 0, available: "0" }],
  );
  assert.ok((rows[0]?.lines ?? 0) >= 2, "the journal stays");
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
  const audit = await send("GET", "/admin/audit?action=workspace.delete", app.adminToken, null, 200);
  assert.ok(!JSON.stringify(audit).includes("Ada"));
  await assert.rejects(remove(id), /no such workspace/);
  await assert.rejects(remove(trustedId(app.workspaceId)), /only workspace/);
});

test("the servers' own sweepers remove its jobs and files, and the books stay complete", async () => {
  const left = async () => {
    const [row] = await app.database.query<{ jobs: number; assets: number }>(sql`
      select (select count(*)::int from jobs where workspace_id = ${id}) as jobs,
        (select count(*)::int from assets where workspace_id = ${id}) as assets`);
    return row ?? { jobs: 1, assets: 1 };
  };
  // A server sweeps at startup and every minute: the first sweep releases the jobs' files, the second removes them.
  for (const what of ["jobs", "assets"] as const) {
    const other = await testApp({ beside: app });
    try {
      await until(`${what} are gone`, async () => (await left())[what] === 0, 90);
    } finally {
      await other.stop();
    }
  }
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});

// Tables that name a workspace and that its deletion does not reach, each with its reason.
const kept: Readonly<Record<string, string>> = {
  api_key_caps: "goes with its key",
  asset_thumbnails: "goes with its asset",
  asset_usage: "sums of assets, which the sweeper lowers",
  audit_entries: "the audit is append-only and ends by its own retention",
  call_keys: "ends a day after its call",
  calls: "part of the books",
  deployments: "refused while there is one",
  installation: "which workspace came first",
  job_keys: "goes with its job",
  job_leases: "goes with its job",
  job_ready: "goes with its job",
  output_deliveries: "goes with its job",
  journal: "the books",
  journal_closings: "the books",
  payments: "the seller's books",
  publishers: "others use what they published",
  rate_buckets: "forgotten when it is drained",
  reservations: "refused while a job runs, gone with its end",
  usage_sums: "sums of usage, which end with it",
  wallets: "the books",
};

test("every table that references a workspace is cleared by its owner, or is kept for a reason", async () => {
  const rows = await app.database.query<{ name: string }>(sql`
    select distinct c.table_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'`);
  const stores = globSync("**/*-holdings-store.ts", { cwd: join(import.meta.dirname, "../src") });
  const texts = stores.map((path) => readFileSync(join(import.meta.dirname, "../src", path), "utf8")).join("\n");
  const isReached = (table: string) => new RegExp(`(?:delete from|update) ${table}\\b`).test(texts);
  const unreached = rows
    .map(({ name }) => name)
    .filter((name) => !isReached(name))
    .sort();
  assert.deepEqual(unreached, Object.keys(kept).sort());
});
