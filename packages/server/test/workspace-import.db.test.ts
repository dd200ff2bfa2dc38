// A workspace with something of everything is exported by one server and read in by another: exported there again, it is the same,
// but for what the table of docs/MOVING.md says. Whatever was changed on the way is refused by name, and nothing of it is kept.
import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { serverCommands } from "../src/main.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { workspaceHoldings } from "../src/processes/workspace-holdings.ts";
import { bearer, listOf, textOf } from "./support/app-client.ts";
import { commandInput } from "./support/command-input.ts";
import { fillWorkspace } from "./support/filled-workspace.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let old: TestApp;
let other: TestApp;
let folder: string;
let exported: string;
let from: string;
let job: string;

before(async () => {
  apps = await sandboxApps();
  old = await apps.open();
  other = await apps.open();
  folder = await mkdtemp(join(tmpdir(), "atelier-import-"));
  await fillWorkspace(old);
  exported = join(folder, "exported");
  from = String((await run(old, "signer")).text);
  await run(old, "export", old.workspaceId, exported);
  const [row] = await old.database.query<{ id: string }>(sql`select id from jobs where idempotency_key = 'moved-once'`);
  job = row?.id ?? "";
});
after(async () => {
  await apps.close();
  await rm(folder, { recursive: true, force: true });
});

async function run(app: TestApp, ...words: string[]) {
  const listed = serverCommands.find(({ name }) => name === "workspace");
  assert.ok(listed);
  const env = { ATELIER_HOME: app.home, DATABASE_URL: app.database.url, ATELIER_LOG_LEVEL: "silent" };
  return (await listed.load()).run(listed, commandInput(words, { env }));
}

const read = (app: TestApp, from_: string, ...more: string[]) => run(app, "import", from_, "--from", from, ...more);
const tables = workspaceHoldings.flatMap(({ exports = [] }) => exports);
const linesOf = async (at: string, list: string) =>
  (await readFile(join(at, `${list}.jsonl`), "utf8")).split("\n").filter((line) => line !== "");

// What is left of a workspace that was refused, in any table that names it.
async function rowsOf(app: TestApp, workspaceId: string): Promise<readonly string[]> {
  const named = await app.database.query<{ name: string }>(sql`
    select c.table_name as name from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and c.column_name = 'workspace_id' and t.table_type = 'BASE TABLE'`);
  const counts = await Promise.all(
    named.map(async ({ name }) => {
      const [row] = await app.database.query<{ found: string }>(sql`
        select (xpath('/row/n/text()', query_to_xml(
          format('select count(*) as n from %I where workspace_id = %L', ${name}::text, ${workspaceId}::text),
          false, true, '')))[1]::text as found`);
      return row?.found === "0" ? [] : [`${name}: ${row?.found}`];
    }),
  );
  return counts.flat().filter((text) => !text.startsWith("rate_buckets"));
}

test("the filled workspace has something in every list", async () => {
  const counts = await Promise.all(
    tables.map(async ({ name }) => [name, (await linesOf(exported, name)).length] as const),
  );
  assert.deepEqual(
    counts.filter(([, count]) => count === 0).map(([name]) => name),
    [],
  );
  const all = (await Promise.all(tables.map(({ name }) => readFile(join(exported, `${name}.jsonl`), "utf8")))).join("");
  for (const secret of [old.key, "whsec_", "sealed text"]) assert.ok(!all.includes(secret), secret);
});

test("a check says what would be imported and keeps nothing; another signer is refused", async () => {
  const checked = await read(other, exported, "--check");
  assert.match(String(checked.text), /can be imported\. Nothing was kept/);
  assert.match(String(checked.text), /keys +0 of \d+ \(keys are not exported/);
  assert.match(String(checked.text), /provider credentials +pictures-/);
  await assert.rejects(
    run(other, "import", exported, "--from", "0".repeat(64)),
    /is signed by [0-9a-f]{64}, and not by 0+\./,
  );
  await assert.rejects(run(other, "import", exported), /Pass --from/);
  assert.deepEqual(await rowsOf(other, old.workspaceId), []);
});

// Every other way of changing an export is in export-folder.test.ts.
test("what was changed on the way is refused by name, and nothing of it is kept", async () => {
  const [file = ""] = (await readdir(join(exported, "files"))).sort();
  for (const path of [join("files", file), "job_outputs.jsonl"]) {
    const copy = join(folder, "copy");
    await cp(exported, copy, { recursive: true });
    const bytes = await readFile(join(copy, path));
    bytes[9] = (bytes[9] ?? 0) ^ 1;
    await writeFile(join(copy, path), bytes);
    for (const more of [[], ["--check"]])
      await assert.rejects(read(other, copy, ...more), (thrown: Error) => thrown.message.includes(path), path);
    await rm(copy, { recursive: true });
  }
  assert.deepEqual(await rowsOf(other, old.workspaceId), []);
});

// What the target says otherwise, by list: docs/MOVING.md has the reasons.
const differences: Readonly<Record<string, (row: Record<string, unknown>) => Record<string, unknown> | null>> = {
  jobs: (row) => ({ ...row, webhook_url: null }),
  "model-requests": (row) => ({ ...row, webhook_url: null }),
  "webhook-endpoints": (row) => ({ ...row, paused_at: "now" }),
  "webhook-deliveries": (row) => (row["status"] === "pending" ? null : row),
};

test("after an import everything is there, every invariant holds, and exported again it is the same", async () => {
  const result = await read(other, exported, "--credits");
  assert.match(String(result.text), /is here\./);
  for (const { name, statement } of allInvariants) assert.deepEqual(await other.database.query(statement), [], name);
  const again = join(folder, "again");
  await run(other, "export", old.workspaceId, again);
  for (const { name, restore } of tables) {
    const [before_, after_] = [await linesOf(exported, name), await linesOf(again, name)];
    if (typeof restore === "string") {
      if (name !== "journal") assert.deepEqual(after_, [], name);
      continue;
    }
    const change = differences[name];
    const changed = (lines: readonly string[]) =>
      change
        ? lines.flatMap((line) => JSON.stringify(change(JSON.parse(line) as Record<string, unknown>)) ?? [])
        : lines;
    const known = (line: string) => line !== "null";
    assert.deepEqual(changed(after_).filter(known), changed(before_).filter(known), name);
  }
  assert.deepEqual(await readdir(join(again, "files")), await readdir(join(exported, "files")));
  const { micro_credits } = JSON.parse(await readFile(join(exported, "export.json"), "utf8")) as {
    micro_credits: string;
  };
  const [wallet] = await other.database.query(
    sql`select available::text from wallets where workspace_id = ${old.workspaceId}`,
  );
  assert.deepEqual(wallet, { available: micro_credits });
});

test("a second time it is already here", async () => {
  await assert.rejects(read(other, exported), /is already here/);
});

test("its jobs, files and results are found at the new server, and a repeated request is not paid twice", async () => {
  const listed = serverCommands.find(({ name }) => name === "keys");
  assert.ok(listed);
  const env = { ATELIER_HOME: other.home, DATABASE_URL: other.database.url, ATELIER_LOG_LEVEL: "silent" };
  const made = await (await listed.load()).run(
    listed,
    commandInput(["create", "moved", "--workspace", old.workspaceId, "--scopes", "models,workflows,account"], { env }),
  );
  const key = String(made.text);
  // Endpoints are for owners.
  await other.database.execute(sql`update api_keys set role = 'owner' where workspace_id = ${old.workspaceId}`);
  const headers = { ...bearer(key), "idempotency-key": "moved-once" };
  const [here, there] = await Promise.all(
    [
      { app: old, key: old.key },
      { app: other, key },
    ].map(async ({ app, key: own }) => {
      const found = await app.call({ path: `/api/v2/jobs/${job}`, headers: bearer(own) });
      assert.equal(found.status, 200, found.text);
      const [output] = (found.json() as { outputs: { id: string; hash: string; url: string }[] }).outputs;
      assert.ok(output, found.text);
      const fetched = await fetch(new URL(output.url, app.baseUrl), { headers: bearer(own) });
      assert.equal(fetched.status, 200, output.url);
      const bytes = Buffer.from(await fetched.arrayBuffer());
      return { id: textOf(found.json(), "id"), output: output.id, bytes };
    }),
  );
  assert.deepEqual(there, here);
  const again = {
    workflow: {
      "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 1 } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "another" } },
    },
  };
  const repeated = await other.call({ method: "POST", path: "/api/v2/jobs", headers, body: again });
  assert.equal(textOf(repeated.json(), "id"), job, repeated.text);
  const runs = await apps.runs();
  const call = { method: "POST", path: "/v1/models/sandbox/image-1", headers, body: { prompt: "a boat" } };
  const answers = await Promise.all([
    old.call({ ...call, headers: { ...headers, ...bearer(old.key) } }),
    other.call(call),
  ]);
  assert.deepEqual(
    answers.map(({ text }) => text),
    [answers[0]?.text, answers[0]?.text],
  );
  assert.equal(await apps.runs(), runs);
  // A webhook endpoint has no secret here, so it cannot send before it gets one.
  const endpoints = await other.call({ path: "/account/webhooks/endpoints", headers: bearer(key) });
  const [endpoint] = listOf(endpoints.json(), "data");
  const on = `/account/webhooks/endpoints/${textOf(endpoint ?? null, "id")}`;
  const post = (path: string) => other.call({ method: "POST", path, headers: bearer(key), body: {} });
  const early = await post(`${on}/resume`);
  assert.equal(early.status, 409, early.text);
  assert.match(early.text, /Rotate its secret first/);
  const statuses = [(await post(`${on}/secrets`)).status, (await post(`${on}/resume`)).status];
  assert.deepEqual(statuses, [201, 200]);
});
