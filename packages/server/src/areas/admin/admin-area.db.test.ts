// The operators' area over HTTP, on real capabilities.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type OperationId, operations } from "@atelier/contract";
import { request } from "undici";
import { serveAreas } from "../../../test/support/small-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { createCallLimits, createCredits } from "../../capabilities/calls/index.ts";
import { listRefusals } from "../../capabilities/credential-refusals/shared-sql.ts";
import { createEnvironments } from "../../capabilities/environments/index.ts";
import { createFailureBudget } from "../../capabilities/identity/index.ts";
import { createLimits } from "../../capabilities/limits/index.ts";
import { createAdminTokens } from "../../capabilities/tokens/index.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { hostsOf } from "../../foundation/http/loopback-guard.ts";
import type { RunningServer } from "../../foundation/http/serve.ts";
import { newId, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { Secret } from "../../foundation/settings.ts";
import { pagesOfOperators } from "./admin-area.fixture.ts";
import { adminArea } from "./admin-area.ts";
import type { AdminWorkspaces } from "./workspaces.route.ts";

// Tested through the whole app.
const elsewhere = () => Promise.reject(new Fault("not_found", "Not in this test."));
const environmentToken = "environment-token-for-this-test";
let database: TestDatabase;
let server: RunningServer;

before(async () => {
  database = await testDatabase();
  const audit = createAudit({ database });
  const clock = systemClock;
  server = await serveAreas(
    [
      adminArea({
        ...pagesOfOperators,
        listRefusals: (hours) => listRefusals(database, hours),
        database,
        backgroundReports: { list: async () => ({ reports: [], now: new Date() }) },
        runChecks: async () => ({ checkedAt: new Date(), startedAt: new Date(), version: "0", findings: [] }),
        audit,
        limits: createLimits({ database, clock }),
        credits: createCredits({ database, audit }),
        ...{ callLimits: createCallLimits({ database, audit }), mail: { sendTest: async () => null } },
        tokens: createAdminTokens({
          database,
          clock,
          audit,
          failures: createFailureBudget({ clock: handClock(), failuresPerMinuteMax: 1_000 }),
          environmentToken: new Secret(environmentToken),
        }),
        workspaces: workspacesOf(database),
        personalData: { export: () => assert.fail(), erase: () => assert.fail() },
        operators: { list: elsewhere, roleOf: async () => null, set: elsewhere },
        entitlements: { find: elsewhere, replace: elsewhere, setRouterGate: elsewhere },
        health: { list: () => [] },
        selling: null,
        routes: { list: elsewhere, put: elsewhere, remove: elsewhere },
        providers: {
          definitionTexts: { read: elsewhere, check: elsewhere },
          serverCredentials: { list: elsewhere, put: elsewhere, remove: elsewhere, check: elsewhere },
          catalog: { put: elsewhere, remove: elsewhere, release: elsewhere, retire: elsewhere },
          live: { list: () => [], refresh: elsewhere },
        },
        environments: createEnvironments({ database, clock, audit, findPinner: async () => null }),
        fills: { list: elsewhere, holdersOf: elsewhere },
        weights: {
          add: elsewhere,
          list: elsewhere,
          get: elsewhere,
          change: elsewhere,
          remove: elsewhere,
          pieces: elsewhere,
          fileOf: elsewhere,
          open: elsewhere,
          used: elsewhere,
          bring: elsewhere,
        },
        workers: {
          workerTokens: { create: elsewhere, list: elsewhere, revoke: elsewhere },
          pools: { present: elsewhere, setDraining: elsewhere },
          jobs: { held: elsewhere },
          sharedPool: newId(),
          requirePools: elsewhere,
        },
        deployments: {
          deployments: {
            create: elsewhere,
            list: elsewhere,
            get: elsewhere,
            status: elsewhere,
            update: elsewhere,
            stop: elsewhere,
            start: elsewhere,
            remove: elsewhere,
            problemsOf: elsewhere,
            pins: { lockOf: elsewhere, pin: elsewhere },
            scaling: { report: elsewhere, scalers: elsewhere, news: elsewhere, forget: elsewhere },
          },
          urlsOf: () => ({ mount: "", host: null }),
          hasWorkspace: elsewhere,
        },
        cursors: createCursors({ secrets: [Buffer.alloc(32, 1)], clock }),
      }),
    ],
    { policy: (port) => ({ hosts: new Set(hostsOf(["127.0.0.1"], port)), origins: null, openPaths: new Set() }) },
  );
});
after(async () => {
  await server.stop(1);
  await database.close();
});

// The workspaces table as the area's port expects it; identity's own rules have their own tests.
function workspacesOf(db: TestDatabase): AdminWorkspaces {
  const toWorkspace = (row: { id: string; name: string; created_at: Date }) => ({
    id: trustedId<"workspace">(row.id),
    name: row.name,
    createdAt: row.created_at,
  });
  return {
    async get(workspaceId) {
      const [row] = await db.query<{ id: string; name: string; created_at: Date }>(sql`
        select id, name, created_at from workspaces where id = ${workspaceId}`);
      if (!row) throw new Fault("not_found", "There is no such workspace.");
      return toWorkspace(row);
    },
    async list({ after: last, count }) {
      const rows = await db.query<{ id: string; name: string; created_at: Date }>(sql`
        select id, name, created_at from workspaces
        where id > coalesce(${last}::uuid, '00000000-0000-0000-0000-000000000000') order by id limit ${count}`);
      return rows.map(toWorkspace);
    },
    async create({ name, ownerId }) {
      const workspace = { id: newId<"workspace">(), name, createdAt: new Date() };
      await db.execute(sql`
        insert into workspaces (id, name, created_at) values (${workspace.id}, ${name}, ${workspace.createdAt})`);
      await db.execute(sql`
        insert into members (workspace_id, person_id, role, created_at) values (${workspace.id}, ${ownerId}, 'owner', now())`);
      return workspace;
    },
    async person(personId) {
      const [row] = await db.query<{ name: string }>(sql`select name from people where id = ${personId}`);
      return row ? { id: personId, name: row.name, email: null, createdAt: new Date() } : null;
    },
  };
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: Record<string, unknown>;
}

// Calls an operation and checks its answer against the contract: an unlisted status or another shape fails.
async function call(
  id: OperationId,
  sent: { params?: Record<string, string>; query?: string; body?: unknown; token?: string | null } = {},
): Promise<Answered> {
  const operation = operations[id];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(sent.params?.[name] ?? ""));
  const { token = environmentToken } = sent;
  const answered = await request(`http://127.0.0.1:${server.port}${path}${sent.query ?? ""}`, {
    method: operation.method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent.body === undefined ? {} : { body: typeof sent.body === "string" ? sent.body : JSON.stringify(sent.body) }),
  });
  const text = await answered.body.text();
  const body: unknown = text === "" ? undefined : JSON.parse(text);
  const shape = Object.entries(operation.answers).find(([status]) => Number(status) === answered.statusCode)?.[1];
  assert.ok(shape, `${id} answers ${answered.statusCode}, which the contract does not know: ${text}`);
  if ("schema" in shape) assert.deepEqual(compileSchema(shape.schema).violations(body), [], text);
  return {
    status: answered.statusCode,
    headers: answered.headers,
    body: Object.fromEntries(Object.entries(body ?? {})),
  };
}

const listOf = (answered: Answered): Record<string, unknown>[] => {
  const data = answered.body["data"];
  return Array.isArray(data) ? data : [];
};

async function aPerson(): Promise<string> {
  const id = newId<"person">();
  await database.execute(sql`insert into people (id, name, created_at) values (${id}, 'Ada', now())`);
  return id;
}

async function aWorkspace(): Promise<WorkspaceId> {
  const made = await call("createWorkspaceAsAdmin", { body: { name: "Studio", owner_id: await aPerson() } });
  return trustedId<"workspace">(String(made.body["id"]));
}

describe("access", () => {
  test("without a token every path below /admin is 401, known or not", async () => {
    for (const path of ["/admin", "/admin/", "/admin/tokens", "/admin/nothing/here", "/admin/audit?limit=x"]) {
      for (const headers of [{}, { authorization: "Bearer nobody" }, { "x-api-key": "service-abcdefgh" }]) {
        const { statusCode, body } = await request(`http://127.0.0.1:${server.port}${path}`, { headers });
        const error: unknown = await body.json();
        assert.equal(statusCode, 401, path);
        assert.deepEqual(Object.keys(Object(error)), ["error", "message"]);
      }
    }
  });

  test("with a token an unknown path is 404 and a wrong method 405", async () => {
    const headers = { authorization: `Bearer ${environmentToken}` };
    const unknown = await request(`http://127.0.0.1:${server.port}/admin/nothing`, { headers });
    await unknown.body.dump();
    const wrong = await request(`http://127.0.0.1:${server.port}/admin/audit`, { method: "DELETE", headers });
    await wrong.body.dump();
    assert.deepEqual([unknown.statusCode, wrong.statusCode], [404, 405]);
  });
});

describe("admin tokens", () => {
  test("201: a token is shown once, works, is listed without its text, and is dead once revoked", async () => {
    const made = await call("createAdminToken", { body: { name: "robot", expires_at: "2999-01-01T00:00:00Z" } });
    const [secret, tokenId] = [String(made.body["secret"]), String(made.body["id"])];
    assert.equal(made.status, 201);
    assert.equal(made.headers["cache-control"], "no-store");
    const listed = await call("listAdminTokens", { token: secret });
    assert.ok(!JSON.stringify(listed.body).includes(secret.slice(6)));
    assert.deepEqual(
      listOf(listed).map(({ name }) => name),
      ["environment", "robot"],
    );
    assert.equal((await call("revokeAdminToken", { params: { tokenId }, token: secret })).status, 204);
    assert.equal((await call("listAdminTokens", { token: secret })).status, 401);
    const { body } = await call("listAuditEntries", { query: `?subject_id=${tokenId}` });
    const actions = (Array.isArray(body["data"]) ? body["data"] : []).map(({ action, actor }) => [action, actor.name]);
    assert.deepEqual(actions, [
      ["admin_token.revoke", "robot"],
      ["admin_token.create", "environment"],
    ]);
  });

  test("400: every bad field is named", async () => {
    const refused = await call("createAdminToken", { body: { name: "", expires_at: 5 } });
    assert.equal(refused.status, 400);
    assert.match(String(refused.body["message"]), /name .*expires_at /);
    for (const body of [
      {},
      [],
      { name: "x", expires_at: "tomorrow" },
      { name: "x", expires_at: "2020-01-01T00:00:00Z" },
      "{",
      '{"name":"a","name":"b"}',
    ]) {
      assert.equal((await call("createAdminToken", { body })).status, 400, JSON.stringify(body));
    }
  });

  test("409: a name that is taken, and the environment's", async () => {
    assert.equal((await call("createAdminToken", { body: { name: "twice" } })).status, 201);
    assert.equal((await call("createAdminToken", { body: { name: "Twice" } })).status, 409);
    assert.equal((await call("createAdminToken", { body: { name: "environment" } })).status, 409);
    assert.equal((await call("revokeAdminToken", { params: { tokenId: "environment" } })).status, 409);
  });

  test("404: an unknown token", async () => {
    for (const tokenId of [newId(), "x", "%00"]) {
      assert.equal((await call("revokeAdminToken", { params: { tokenId } })).status, 404);
    }
  });
});

describe("workspaces", () => {
  test("are made for a person, read, and listed whole by cursor", async () => {
    const ids = [await aWorkspace(), await aWorkspace(), await aWorkspace()];
    const read = await call("getWorkspaceAsAdmin", { params: { workspaceId: ids[0] ?? "" } });
    assert.equal(read.body["name"], "Studio");
    const seen: unknown[] = [];
    let query = "?limit=2";
    for (;;) {
      const page = await call("listWorkspacesAsAdmin", { query });
      seen.push(...listOf(page).map(({ id }) => id));
      if (page.body["has_more"] === false) break;
      query = `?limit=2&cursor=${String(page.body["next_cursor"])}`;
    }
    assert.equal(new Set(seen).size, seen.length);
    assert.ok(ids.every((id) => seen.includes(id)));
  });

  test("400: a body or query that is wrong", async () => {
    for (const body of [
      {},
      { name: "x", owner_id: "x" },
      { name: "x", owner_id: newId() },
      { name: "", owner_id: newId() },
    ]) {
      assert.equal((await call("createWorkspaceAsAdmin", { body })).status, 400, JSON.stringify(body));
    }
    for (const query of ["?limit=x", "?cursor=", "?cursor=abc", "?limit=1&limit=2"]) {
      assert.equal((await call("listWorkspacesAsAdmin", { query })).status, 400, query);
    }
  });

  test("404: unknown ids", async () => {
    for (const workspaceId of [newId(), "nonsense", "00000000-0000-0000-0000-00000000000A"]) {
      assert.equal((await call("getWorkspaceAsAdmin", { params: { workspaceId } })).status, 404);
      assert.equal((await call("listWorkspaceLimits", { params: { workspaceId } })).status, 404);
      assert.equal(
        (await call("setWorkspaceLimit", { params: { workspaceId, name: "keys" }, body: { value: 1 } })).status,
        404,
      );
      assert.equal((await call("resetWorkspaceLimit", { params: { workspaceId, name: "keys" } })).status, 404);
    }
  });
});

describe("limits", () => {
  test("are changed, listed and reset, and the audit knows before and after", async () => {
    const params = { workspaceId: await aWorkspace(), name: "keys" };
    const set = await call("setWorkspaceLimit", { params, body: { value: 7, reason: "A benchmark, until May" } });
    assert.deepEqual([set.body["value"], set.body["overridden"], set.body["default"]], [7, true, 100]);
    await call("setWorkspaceLimit", { params, body: { value: 8 } });
    const listed = await call("listWorkspaceLimits", { params });
    assert.deepEqual(
      listOf(listed)
        .filter(({ overridden }) => overridden === true)
        .map(({ name, value }) => [name, value]),
      [["keys", 8]],
    );
    const reset = await call("resetWorkspaceLimit", { params });
    assert.deepEqual([reset.body["value"], reset.body["overridden"]], [100, false]);
    await call("resetWorkspaceLimit", { params });
    const audit = await call("listAuditEntries", { query: `?workspace_id=${params.workspaceId}&subject_kind=limit` });
    assert.deepEqual(
      listOf(audit).map(({ action, before: was, after: is }) => [action, was, is]),
      [
        ["limit.reset", { value: 8 }, { value: null }],
        ["limit.set", { value: 7 }, { value: 8 }],
        ["limit.set", { value: null }, { value: 7, reason: "A benchmark, until May" }],
      ],
    );
  });

  test("400: an invalid number, or one too small or too large", async () => {
    const workspaceId = await aWorkspace();
    const rate = "router_and_partner_requests_per_minute";
    for (const value of [-1, 1.5, "7", null, 2 ** 53]) {
      assert.equal(
        (await call("setWorkspaceLimit", { params: { workspaceId, name: "keys" }, body: { value } })).status,
        400,
      );
    }
    assert.equal(
      (await call("setWorkspaceLimit", { params: { workspaceId, name: rate }, body: { value: 0 } })).status,
      400,
    );
    assert.equal(
      (await call("setWorkspaceLimit", { params: { workspaceId, name: "keys" }, body: { value: 0 } })).status,
      200,
    );
  });

  test("404: a limit that does not exist", async () => {
    const workspaceId = await aWorkspace();
    for (const name of ["dreams", "constructor", "__proto__"]) {
      assert.equal(
        (await call("setWorkspaceLimit", { params: { workspaceId, name }, body: { value: 1 } })).status,
        404,
      );
      assert.equal((await call("resetWorkspaceLimit", { params: { workspaceId, name } })).status, 404);
    }
  });
});

describe("the audit", () => {
  test("is walked by cursor, which is good for its own filters only", async () => {
    const workspaceId = await aWorkspace();
    for (let value = 0; value < 5; value++)
      await call("setWorkspaceLimit", { params: { workspaceId, name: "keys" }, body: { value } });
    const first = await call("listAuditEntries", { query: `?workspace_id=${workspaceId}&limit=3` });
    const cursor = String(first.body["next_cursor"]);
    assert.equal(listOf(first).length, 3);
    const second = await call("listAuditEntries", { query: `?workspace_id=${workspaceId}&limit=3&cursor=${cursor}` });
    assert.deepEqual([listOf(second).length, second.body["has_more"], "next_cursor" in second.body], [2, false, false]);
    assert.equal((await call("listAuditEntries", { query: `?limit=3&cursor=${cursor}` })).status, 400);
  });

  test("400: a filter that is wrong", async () => {
    for (const query of ["?since=x", "?actor_kind=key", "?workspace_id=1", "?limit=one", "?cursor=x", "?action=%00"]) {
      assert.equal((await call("listAuditEntries", { query })).status, 400, query);
    }
  });
});
