// A signature says who made an export, not that it is honest: rows that belong to another workspace of this server are refused, in
// every list, and so is a name that is taken. People are who they are here. Files of an import that failed are collected.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createAudit } from "../src/capabilities/audit/index.ts";
import { blake3Stream, createBlobs, fileBlobStorage } from "../src/capabilities/blobs/index.ts";
import { sharedPool } from "../src/capabilities/pools/shared-pool.ts";
import { exportSigner, importWorkspace, writeExport } from "../src/capabilities/workspace-data/index.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { sql } from "../src/foundation/database/index.ts";
import { newId, trustedId } from "../src/foundation/ids.ts";
import { silentLog } from "../src/foundation/log.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { workspaceHoldings as holdings } from "../src/processes/workspace-holdings.ts";
import { fillWorkspace } from "./support/filled-workspace.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

const signer = exportSigner(Buffer.alloc(32, 3));
type Row = Record<string, unknown>;
type Lists = Record<string, readonly Row[]>;
let apps: SandboxApps;
let app: TestApp;
let folder: string;
let exported: string;
let full: Lists;
const tables = holdings.flatMap(({ exports = [] }) => exports);

before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
  folder = await mkdtemp(join(tmpdir(), "atelier-forged-"));
  await fillWorkspace(app);
  exported = join(folder, "exported");
  const storage = fileBlobStorage({ directory: join(app.home, "blobs") });
  const open = async (hash: string) => (await storage.open(hash))?.stream ?? null;
  const about = {
    folder: exported,
    at: new Date(),
    moving_to: null,
    server: { address: "x", version: "1", schema: 76 },
  };
  const deps = { database: app.database, holdings, open, signer, blake3: blake3Stream() };
  await writeExport(deps, trustedId(app.workspaceId), about);
  full = Object.fromEntries(
    await Promise.all(
      tables.map(async ({ name }): Promise<[string, Row[]]> => {
        const lines = (await readFile(join(exported, `${name}.jsonl`), "utf8"))
          .split("\n")
          .filter((line) => line !== "");
        return [name, lines.map((line): Row => JSON.parse(line))];
      }),
    ),
  );
});
after(async () => {
  await apps.close();
  await rm(folder, { recursive: true, force: true });
});

// An export of another workspace with these lists, well signed.
async function forge(lists: Lists): Promise<{ readonly at: string; readonly id: string }> {
  const [at, id] = [join(folder, randomUUID()), newId()];
  await cp(exported, at, { recursive: true });
  const wanted: Lists = { workspace: [{ id, name: "Forged", created_at: new Date().toISOString() }], ...lists };
  const described: Record<string, object> = {};
  for (const { name } of tables) {
    const text = (wanted[name] ?? []).map((row) => `${JSON.stringify(row)}\n`).join("");
    await writeFile(join(at, `${name}.jsonl`), text);
    described[name] = { rows: wanted[name]?.length ?? 0, sha256: createHash("sha256").update(text).digest("hex") };
  }
  const files = tables.flatMap(({ name, file }) => (wanted[name] ?? []).flatMap((row) => file?.(row)?.name ?? []));
  for (const name of Object.values(full).flatMap((rows) => rows.map(({ id: one }) => String(one))))
    if (!files.includes(name)) await rm(join(at, "files", name), { force: true });
  const manifest = JSON.parse(await readFile(join(exported, "export.json"), "utf8")) as Row;
  const bytes = Buffer.from(JSON.stringify({ ...manifest, workspace: { id, name: "Forged" }, lists: described }));
  await writeFile(join(at, "export.json"), bytes);
  await writeFile(join(at, "export.sig"), JSON.stringify(signer.sign(bytes)));
  return { at, id };
}

const blobs = () =>
  createBlobs({
    ...{ database: app.database, clock: systemClock, log: silentLog },
    storage: fileBlobStorage({ directory: join(app.home, "blobs") }),
  });

function read(at: string, without: readonly string[] = []) {
  return importWorkspace(
    {
      ...{ holdings, schema: 76, clock: systemClock, poolId: sharedPool, blake3: blake3Stream(), blobs: blobs() },
      audit: createAudit({ database: app.database }),
      transaction: (run) => app.database.transaction(run),
    },
    {
      ...{ folder: at, from: signer.fingerprint, isCheck: false, withCredits: false, without },
      actor: { kind: "system", id: null, name: "test" },
    },
  );
}

// Their rows have no id that another workspace could have as well.
const ownIds = [
  ...[
    "job_pauses",
    "model-requests",
    "mail_opt_outs",
    "spending-alerts",
    "spending-watch",
    "error_answers",
    "playground_runs",
  ],
  ...["editor_files", "request_body_keeping", "retention", "members"],
];

test("a row of another workspace is refused in every list, and nothing is changed", async () => {
  const before_ = await stateOfAll();
  const refusal = /already here|not in the export|belongs to another workspace/;
  for (const { name, restore } of tables) {
    if (typeof restore === "string" || name === "workspace" || ownIds.includes(name)) continue;
    const { at } = await forge({ [name]: full[name] ?? [] });
    await assert.rejects(
      read(at),
      (thrown: Error) => refusal.test(thrown.message) || assert.fail(`${name}: ${thrown.stack}`),
    );
    await rm(at, { recursive: true });
  }
  assert.deepEqual(await stateOfAll(), before_);
});

// Without an id that is taken, only what they refer to is of the other workspace.
const fresh: Readonly<Record<string, Row>> = {
  asset_notes: {},
  job_outputs: { index: 99, version: 99 },
  job_files: { holder_id: randomUUID() },
  work_files: { holder_id: randomUUID() },
  "budget-alerts": { id: randomUUID(), sequence: 99 },
  workflows: { version: 99 },
  works: { version: 99 },
};

test("a new row about something of another workspace is refused as well", async () => {
  const notes = await app.database.query<{ asset_id: string }>(sql`select asset_id from asset_notes`);
  await app.database.execute(sql`delete from asset_notes`);
  assert.equal(notes.length, 1);
  const before_ = await stateOfAll();
  for (const [name, changed] of Object.entries(fresh)) {
    const [row] = full[name] ?? [];
    const { at } = await forge({ [name]: [{ ...row, ...changed }] });
    const refusal = new RegExp(`The list ${name} has 1 row\\(s\\) of something|belongs to another workspace here`);
    await assert.rejects(
      read(at),
      (thrown: Error) => refusal.test(thrown.message) || assert.fail(`${name}: ${thrown.stack}`),
    );
  }
  assert.deepEqual(await stateOfAll(), before_);
});

async function stateOfAll(): Promise<unknown> {
  const rows = await app.database.query(sql`
    select (select count(*) from workspaces) as workspaces, (select count(*) from people) as people,
      (select count(*) from assets) as assets, (select count(*) from job_outputs) as outputs,
      (select count(*) from asset_holds) as holds, (select count(*) from saved_workflow_versions) as versions,
      (select count(*) from work_versions) as works, (select array_agg(text) from asset_notes) as notes,
      (select count(*) from blob_references) as references_, (select array_agg(workspace_id) from work_providers) as providers`);
  return rows;
}

test("a taken name of works is refused in words, and the rest can be imported without them", async () => {
  const works = (full["works"] ?? []).map((row) => ({ ...row, work_id: randomUUID() }));
  const { at, id } = await forge({ works });
  await assert.rejects(read(at), /belongs to another workspace here\. Read in the rest with --without works/);
  await assert.rejects(read(at, ["nothing"]), /There is no list nothing/);
  const { lists } = await read(at, ["works"]);
  assert.equal(lists.find(({ name }) => name === "works")?.why, "left out");
  await assert.rejects(read(at, ["works"]), new RegExp(`${id} is already here`));
});

test("people are met by id or by an address that one person has, and never by guess; what they made follows", async () => {
  const [grace, twin, other] = [randomUUID(), randomUUID(), randomUUID()];
  await app.database.execute(sql`
    insert into people (id, name, email, created_at, is_operator) values (${grace}, 'Grace', 'Grace@example.com', now(), true),
      (${twin}, 'One', 'twin@example.com', now(), false), (${other}, 'Two', 'twin@example.com', now(), false)`);
  const [met, doubtful, unknown] = [randomUUID(), randomUUID(), randomUUID()];
  const at_ = new Date().toISOString();
  const member = (id: string, email: string | null) => ({ id, name: "x", email, role: "owner", created_at: at_ });
  const run = { id: randomUUID(), at: at_, model: "m", input: "{}", asset_ids: [] };
  const { at, id } = await forge({
    members: [
      member(met, "grace@EXAMPLE.com"),
      member(doubtful, "twin@example.com"),
      member(unknown, null),
      member(app.personId, null),
    ],
    playground_runs: [
      { ...run, owner_id: met },
      { ...run, id: randomUUID(), owner_id: doubtful },
    ],
  });
  const { peopleMet } = await read(at);
  assert.equal(peopleMet, 1);
  const rows = await app.database.query<{ id: string; is_operator: boolean }>(sql`
    select p.id, p.is_operator from members m join people p on p.id = m.person_id where m.workspace_id = ${id}`);
  assert.deepEqual(rows.map((row) => row.id).sort(), [grace, doubtful, unknown, app.personId].sort());
  const runs = await app.database.query<{ owner_id: string }>(
    sql`select owner_id from playground_runs where workspace_id = ${id}`,
  );
  assert.deepEqual(runs.map(({ owner_id }) => owner_id).sort(), [grace, doubtful].sort());
  const [mine] = await app.database.query<{ is_operator: boolean }>(
    sql`select is_operator from people where id = ${unknown}`,
  );
  assert.equal(mine?.is_operator, false);
});

test("values that cannot be are refused by the name of their list", async () => {
  const hostile: readonly [list: string, row: Row][] = [
    ["routes", { id: "../x", name: "x", definition: "{}", version: 1 }],
    [
      "routes",
      {
        id: randomUUID(),
        name: "a\u0000b",
        definition: "{}",
        version: 1,
        created_at: "2026-01-01",
        updated_at: "2026-01-01",
      },
    ],
    ["budgets", { id: randomUUID(), name: "x", amount: "99999999999999999999" }],
    ["service accounts", { id: randomUUID(), name: "x", role: "god", created_at: "2026-01-01" }],
    ["webhook-endpoints", { id: randomUUID(), url: "nowhere", types: ["job.succeeded"], created_at: "2026-01-01" }],
    ["workflows", { id: randomUUID(), name: "x", folder: "", tags: [], version: 1, current_version: 1, document: "{" }],
    ["jobs", { id: randomUUID(), state: "succeeded", finished_at: "soon" }],
  ];
  for (const [list, row] of hostile) {
    const { at, id } = await forge({ [list]: [row] });
    await assert.rejects(
      read(at),
      (thrown: Error) => thrown.message.includes(list) || assert.fail(`${list}: ${thrown.stack}`),
    );
    const left = await app.database.query(sql`select from workspaces where id = ${id}`);
    assert.equal(left.length, 0);
  }
});

test("files of an import that failed have no reference, and the collector removes them", async () => {
  const bytes = Buffer.from(randomUUID());
  const hasher = await blake3Stream()();
  hasher.update(bytes);
  const [id, hash] = [randomUUID(), hasher.digest()];
  const row = { id, hash, size: 1, content_type: "text/plain", file_path: null, tags: [], created_at: "never" };
  const { at } = await forge({ assets: [row] });
  await writeFile(join(at, "files", id), bytes);
  await assert.rejects(read(at), /The list assets cannot be imported/);
  const found = () => app.database.query(sql`select from blobs where hash = decode(${hash}, 'hex')`);
  assert.equal((await found()).length, 1);
  await app.database.execute(
    sql`update blobs set touched_at = now() - interval '3 days' where hash = decode(${hash}, 'hex')`,
  );
  await blobs().collect({ dryRun: false, signal: new AbortController().signal });
  assert.equal((await found()).length, 0);
  for (const { name, statement } of allInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});
