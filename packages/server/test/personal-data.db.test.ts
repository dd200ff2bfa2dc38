// One person's data is exported whole and erased whole. The name and address of the person in this test occur nowhere else, so
// they are looked for everywhere afterwards: in every column of every table, in the log, in an export and in a backup.
import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { zstdDecompressSync } from "node:zlib";
import { backUp } from "../src/capabilities/backup/index.ts";
import { exportWorkspace } from "../src/capabilities/workspace-data/index.ts";
import { identifier, sql } from "../src/foundation/database/index.ts";
import { trustedId } from "../src/foundation/ids.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { workspaceHoldings } from "../src/processes/workspace-holdings.ts";
import { type AppAnswer, bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { ownPage, signIn } from "./support/app-people.ts";
import { createPublisher } from "./support/registry-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const name = "Zephyrine Quillfeather";
const email = "zephyrine.quillfeather@canary.example";
const canary = "quillfeather";

let app: TestApp;
before(async () => {
  app = await testApp({ logLevel: "debug" });
});
after(() => app.close());

type Headers = Record<string, string>;
const send = (method: string, path: string, headers: Headers, body?: object) =>
  app.call({ method, path, headers, ...(body === undefined ? {} : { body }) });

function json(answer: AppAnswer, status: number): unknown {
  assert.equal(answer.status, status, answer.text);
  return answer.json();
}

const members = () => `/account/workspaces/${app.workspaceId}/members`;

async function enter(who: { name: string; email?: string }, role: string) {
  const invited = json(await send("POST", members(), bearer(app.key), { ...who, role }), 201);
  const link = textOf(invited, "sign_in", "url").split("/sign-in/")[1] ?? "";
  const signedIn = await signIn(app, link);
  return { ...signedIn, personId: textOf(invited, "id"), page: ownPage(app, signedIn.cookie) };
}

type Person = Awaited<ReturnType<typeof enter>>;

// Leaves traces in every module that knows people.
async function live(person: Person): Promise<{ key: Headers; keyId: string; requestId: string }> {
  const admin = bearer(app.adminToken);
  json(await send("PUT", `/admin/people/${person.personId}/role`, admin, { role: "operator" }), 200);
  const made = json(await send("POST", "/account/keys", person.page, { name: `${name}'s laptop` }), 201);
  const key = bearer(textOf(made, "secret"));
  const run = await send("POST", "/v1/models/sandbox/image-1", key, { prompt: "a lighthouse" });
  assert.ok(run.status < 500, run.text);
  const session = bearer(
    textOf(
      json(
        await send("POST", "/account/keys", person.page, {
          ...{ name: `(${name})`, scopes: ["models", "partners", "registry", "workflows", "account"] },
        }),
        201,
      ),
      "secret",
    ),
  );
  json(await send("POST", `/account/keys/${textOf(made, "id")}/rotation`, session), 201);
  const wanted = { capabilities: ["call_models"], models: ["*"], credits_max: "1" };
  json(await send("POST", "/account/tokens", key, wanted), 201);
  json(await send("POST", "/admin/tokens", bearer(person.jwt), { name: "made by a person" }), 201);
  const kept = { model: "sandbox/image-1", input: "{}", request_id: null, credits: null, asset_ids: [] };
  json(await send("POST", "/account/playground-runs", person.page, kept), 201);
  const document = { "1": { class_type: "EmptyImage", inputs: { width: 64, height: 64, batch_size: 1, color: 0 } } };
  json(await send("POST", "/account/workflows", person.page, { name: "a workflow", document }), 201);
  const publisher = textOf((await createPublisher(app, bearer(app.key))).json(), "id");
  const added = await send("POST", `/publishers/${publisher}/members`, bearer(app.key), { email });
  assert.equal(added.status, 201, added.text);
  json(await send("PATCH", `${members()}/${person.personId}`, bearer(app.key), { role: "owner" }), 200);
  return { key, keyId: textOf(made, "id"), requestId: String(run.headers["x-service-request-id"]) };
}

// Where the words occur, as text or as bytes.
async function findEverywhere(words: string): Promise<string[]> {
  const tables = await app.database.query<{ name: string }>(sql`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  assert.ok(tables.length > 80);
  const found: string[] = [];
  for (const table of tables) {
    const [row] = await app.database.query<{ hits: number }>(sql`
      select count(*)::int as hits from ${identifier(table.name)} as row
      where row::text ilike ${`%${words}%`} or row::text like ${`%${Buffer.from(words).toString("hex")}%`}`);
    if (row !== undefined && row.hits > 0) found.push(table.name);
  }
  return found.sort();
}

async function textOfBackup(): Promise<string> {
  const folder = await mkdtemp(join(app.home, "backup-"));
  try {
    await backUp({ connection: app.database.url, directory: folder });
    const files = await readdir(join(folder, "tables"));
    assert.ok(files.length > 80);
    const texts = files.map(async (file) =>
      zstdDecompressSync(await readFile(join(folder, "tables", file))).toString(),
    );
    return (await Promise.all(texts)).join("\n");
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function textOfExport(): Promise<string> {
  const lines: string[] = [];
  const exporting = { database: app.database, holdings: workspaceHoldings };
  await exportWorkspace(exporting, trustedId(app.workspaceId), {
    async list(_name, rows) {
      for await (const row of rows) lines.push(JSON.stringify(row));
    },
  });
  return lines.join("\n");
}

describe("an export of a person", () => {
  test("has the profile, memberships, keys, sessions, requests and audit entries, and no secret", async () => {
    const person = await enter({ name: "Ada", email: "ada@studio.example" }, "member");
    const made = json(await send("POST", "/account/keys", person.page, { name: "mine" }), 201);
    const key = bearer(textOf(made, "secret"));
    const run = await send("POST", "/v1/models/sandbox/image-1", key, { prompt: "a lighthouse" });
    const data = json(await send("GET", "/account/person", person.page), 200);
    const [profile] = listOf(data, "profile");
    assert.deepEqual([textOf(profile, "id"), textOf(profile, "email")], [person.personId, "ada@studio.example"]);
    assert.equal(textOf(listOf(data, "memberships")[0], "workspace_id"), app.workspaceId);
    assert.equal(textOf(listOf(data, "keys")[0], "name"), "mine");
    assert.equal(textOf(listOf(data, "sessions")[0], "signed_in_by"), "link");
    const actions = listOf(data, "audit").map((entry) => memberOf(entry, "action"));
    for (const action of ["person.create", "member.add", "person.sign_in", "api_key.create"])
      assert.ok(actions.includes(action), action);
    if (run.status === 200)
      assert.equal(textOf(listOf(data, "requests")[0], "request_id"), run.headers["x-service-request-id"]);
    assert.ok(!JSON.stringify(data).includes(textOf(made, "secret")) && !JSON.stringify(data).includes("hash"));
    // A key is no person, and another person's data are not theirs to ask for.
    assert.equal((await send("GET", "/account/person", key)).status, 403);
    assert.equal((await send("GET", `/admin/people/${person.personId}`, bearer(person.jwt))).status, 403);
    assert.deepEqual(json(await send("GET", `/admin/people/${person.personId}`, bearer(app.adminToken)), 200), {
      ...(json(await send("GET", "/account/person", person.page), 200) as object),
    });
  });
});

describe("erasing a person", () => {
  test("is refused for the only owner of a workspace, and names it", async () => {
    const first = await send("DELETE", `/admin/people/${app.personId}`, bearer(app.adminToken));
    const refused = json(first, 409);
    assert.match(textOf(refused, "message"), /only owner of "Default workspace"/);
    assert.deepEqual(memberOf(memberOf(refused, "details"), "workspace_ids"), [app.workspaceId]);
    assert.equal((await send("GET", "/account", bearer(app.key))).status, 200);
  });

  test("leaves the name and the address nowhere, and ends every way in", async () => {
    const person = await enter({ name, email }, "member");
    const { key, keyId } = await live(person);
    assert.deepEqual((await findEverywhere(canary)).length > 2, true, "there is something to erase");
    const answer = await send("DELETE", "/account/person", person.page);
    const erased = memberOf(json(answer, 200), "erased");
    for (const kind of ["sessions", "memberships", "revoked_keys", "playground_runs", "publisher_memberships"])
      assert.ok(Number(memberOf(erased, kind)) >= 1, `${kind}: ${answer.text}`);
    assert.match(String(answer.headers["set-cookie"]), /^atelier_session=;/);

    assert.deepEqual(await findEverywhere(canary), []);
    assert.ok(!app.logged.some((line) => line.toLowerCase().includes(canary)), "the log");
    assert.ok(!(await textOfExport()).toLowerCase().includes(canary), "an export");
    assert.ok(!(await textOfBackup()).toLowerCase().includes(canary), "a backup");

    for (const headers of [person.page, bearer(person.jwt), key])
      assert.equal((await send("GET", "/account", headers)).status, 401);
    assert.equal((await send("GET", "/admin/audit", bearer(person.jwt))).status, 401);
    const audit = `/admin/audit?subject_id=${person.personId}`;
    const entries = listOf(json(await send("GET", audit, bearer(app.adminToken)), 200), "data");
    const actions = entries.map((entry) => memberOf(entry, "action"));
    assert.equal(actions[0], "person.erase");
    assert.ok(actions.includes("person.create"), "what happened stays");
    const made = `/admin/audit?actor_id=${person.personId}&action=admin_token.create`;
    const [entry] = listOf(json(await send("GET", made, bearer(app.adminToken)), 200), "data");
    assert.deepEqual(memberOf(entry, "actor"), { kind: "person", id: person.personId, name: "erased person" });
    const keys = listOf(json(await send("GET", "/account/keys", bearer(app.key)), 200), "data");
    const ofPerson = keys.find((one) => memberOf(one, "id") === keyId);
    assert.deepEqual([memberOf(ofPerson, "name"), memberOf(ofPerson, "created_by")], ["key of an erased person", null]);
    for (const { name: held, statement } of allInvariants)
      assert.deepEqual(await app.database.query(statement), [], held);
    assert.equal((await send("DELETE", `/admin/people/${person.personId}`, bearer(app.adminToken))).status, 404);
  });

  test("can leave the keys to the workspace, without the person's authority", async () => {
    const person = await enter({ name: "Grace" }, "owner");
    const made = json(await send("POST", "/account/keys", person.page, { name: "render farm", role: "owner" }), 201);
    json(await send("DELETE", `/admin/people/${person.personId}?keep_keys=true`, bearer(app.adminToken)), 200);
    const account = json(await send("GET", "/account", bearer(textOf(made, "secret"))), 200);
    assert.deepEqual([memberOf(account, "role"), textOf(account, "key", "name")], ["member", "render farm"]);
    assert.equal((await send("GET", "/account", person.page)).status, 401);
  });
});

test("the audit refuses every other change, even while a person is being erased", async () => {
  const changing = app.database.transaction(async (tx) => {
    await tx.query(sql`select set_config('atelier.erase_person', 'x', true)`);
    await tx.execute(sql`update audit_entries set action = 'nothing'`);
  });
  await assert.rejects(changing, /append-only/);
  await assert.rejects(app.database.execute(sql`update audit_entries set actor_name = 'erased person'`), /append-only/);
});
