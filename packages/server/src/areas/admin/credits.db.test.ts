// Operators' moves of credits over HTTP, checked against the contract.

import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type OperationId, operations } from "@atelier/contract";
import { request } from "undici";
import { serveAreas } from "../../../test/support/small-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { createCallLimits, createCalls, createCredits } from "../../capabilities/calls/index.ts";
import { callInvariants } from "../../capabilities/calls/shared-sql.ts";
import { listRefusals } from "../../capabilities/credential-refusals/shared-sql.ts";
import { createEnvironments } from "../../capabilities/environments/index.ts";
import { createFailureBudget } from "../../capabilities/identity/index.ts";
import { createLimits } from "../../capabilities/limits/index.ts";
import { createAdminTokens } from "../../capabilities/tokens/index.ts";
import { inProcessBus } from "../../foundation/bus/bus.ts";
import { systemClock } from "../../foundation/clock.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { RunningServer } from "../../foundation/http/serve.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { silentLog } from "../../foundation/log.ts";
import { Secret } from "../../foundation/settings.ts";
import { adminArea } from "./admin-area.ts";

const token = "environment-token-for-this-test";
const refuse = () => Promise.reject(new Fault("not_found", "Not in this test."));
let database: TestDatabase;
let server: RunningServer;
let workspaceId: WorkspaceId;

before(async () => {
  database = await testDatabase();
  const [clock, audit] = [systemClock, createAudit({ database })];
  const failures = createFailureBudget({ clock: handClock(), failuresPerMinuteMax: 1_000 });
  const area = adminArea({
    mail: { sendTest: async () => null },
    readBackups: async () => ({ schedule: null, lastGood: null, nextAt: null, isLate: false, backups: [] }),
    beginBackup: async () => assert.fail(),
    settings: [],
    figures: {
      clock: systemClock,
      usage: { series: () => assert.fail() },
      jobs: () => assert.fail(),
      stored: () => assert.fail(),
      nameOf: () => assert.fail(),
    },
    listRefusals: (hours) => listRefusals(database, hours),
    database,
    backgroundReports: { list: async () => ({ reports: [], now: new Date() }) },
    runChecks: async () => ({ checkedAt: new Date(), startedAt: new Date(), version: "0", findings: [] }),
    audit,
    limits: createLimits({ database, clock }),
    credits: createCredits({ database, audit }),
    callLimits: createCallLimits({ database, audit }),
    tokens: createAdminTokens({ database, clock, audit, failures, environmentToken: new Secret(token) }),
    personalData: { export: () => assert.fail(), erase: () => assert.fail() },
    operators: { list: refuse, roleOf: async () => null, set: refuse },
    workspaces: {
      async get(id) {
        const [found] = await database.query<{ name: string }>(sql`select name from workspaces where id = ${id}`);
        if (!found) throw new Fault("not_found", "There is no such workspace.");
        return { id, name: found.name, createdAt: new Date() };
      },
      list: refuse,
      create: refuse,
      person: refuse,
    },
    health: { list: () => [] },
    selling: null,
    routes: { list: refuse, put: refuse, remove: refuse },
    entitlements: { find: refuse, replace: refuse, setRouterGate: refuse },
    providers: {
      definitionTexts: { read: refuse, check: refuse },
      serverCredentials: { list: refuse, put: refuse, remove: refuse, check: refuse },
      catalog: { put: refuse, remove: refuse, release: refuse, retire: refuse },
      live: { list: () => [], refresh: refuse },
    },
    environments: createEnvironments({ database, clock, audit, findPinner: async () => null }),
    fills: { list: refuse, holdersOf: refuse },
    weights: {
      add: refuse,
      list: refuse,
      get: refuse,
      change: refuse,
      remove: refuse,
      pieces: refuse,
      fileOf: refuse,
      open: refuse,
      used: refuse,
      bring: refuse,
    },
    workers: {
      workerTokens: { create: refuse, list: refuse, revoke: refuse },
      pools: { present: refuse, setDraining: refuse },
      jobs: { held: refuse },
      sharedPool: newId(),
      requirePools: refuse,
    },
    deployments: {
      deployments: {
        create: refuse,
        list: refuse,
        get: refuse,
        status: refuse,
        update: refuse,
        stop: refuse,
        start: refuse,
        remove: refuse,
        problemsOf: refuse,
        pins: { lockOf: refuse, pin: refuse },
        scaling: { report: refuse, scalers: refuse, news: refuse, forget: refuse },
      },
      urlsOf: () => ({ mount: "", host: null }),
      hasWorkspace: refuse,
    },
    cursors: createCursors({ secrets: [Buffer.alloc(32, 1)], clock }),
  });
  server = await serveAreas([area]);
});
after(async () => {
  await server.stop(1);
  for (const { name, statement } of callInvariants) assert.deepEqual(await database.query(statement), [], name);
  await database.close();
});
beforeEach(async () => {
  workspaceId = newId();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${workspaceId}, 'Studio', now())`);
});

interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
  readonly keys?: readonly string[];
}

async function call(id: OperationId, sent: Sent = {}) {
  const operation = operations[id];
  const params: Record<string, string> = { workspaceId, ...sent.params };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => params[name] ?? "");
  const answered = await request(`http://127.0.0.1:${server.port}${path}${sent.query ?? ""}`, {
    method: operation.method,
    headers: [
      ...["authorization", `Bearer ${token}`],
      ...(sent.body === undefined ? [] : ["content-type", "application/json"]),
      ...(sent.keys ?? []).flatMap((key) => ["idempotency-key", key]),
    ],
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const text = await answered.body.text();
  const body: unknown = JSON.parse(text);
  const shape = Object.entries(operation.answers).find(([status]) => Number(status) === answered.statusCode)?.[1];
  assert.ok(shape, `${id} answers ${answered.statusCode}, which the contract does not know: ${text}`);
  if ("schema" in shape) assert.deepEqual(compileSchema(shape.schema).violations(body), [], text);
  return {
    status: answered.statusCode,
    headers: answered.headers,
    body: Object.fromEntries(Object.entries(Object(body))),
  };
}

const available = async () => (await call("getWorkspaceCredits")).body["available"];

async function aChargedCall(): Promise<string> {
  const blobs = { keep: async () => "", read: async () => null, release: async () => undefined };
  const calls = createCalls({ database, clock: systemClock, log: silentLog, bus: inProcessBus(), blobs });
  await calls.start();
  const verdict = await calls.begin({
    workspaceId,
    subject: "model:a/b",
    idempotencyKey: null,
    fingerprint: Buffer.alloc(32),
    isValid: true,
    hold: 1_000_000n,
    priceRecordId: null,
    takesSlot: false,
    isCostly: false,
    slotsMax: 1,
    costlySlotsMax: 1,
    recovery: "ask",
    longestRunSeconds: 60,
  });
  assert.ok(verdict.kind === "begun");
  const usage = { requestId: null, apiKeyId: null, subject: "model:a/b", status: 200, totalMs: 1, providerMs: 1 };
  await calls.finish({
    call: verdict.call,
    state: "finished",
    outcome: "succeeded",
    charge: 250_000n,
    answer: null,
    usage,
  });
  await calls.close();
  return verdict.call.id;
}

test("201: a top-up and a withdrawal move credits, are in the journal and in the audit with the token's name", async () => {
  const made = await call("topUpWorkspace", { body: { amount: "10.5", note: "Invoice 7" } });
  assert.equal(made.status, 201);
  assert.deepEqual(made.body["credits"], { available: "10.5", held: "0", in_flight: 0 });
  assert.equal(made.headers["idempotent-replayed"], undefined);
  assert.equal((await call("withdrawFromWorkspace", { body: { amount: "0.5" } })).status, 201);
  assert.equal(await available(), "10");
  const lines = (await call("listWorkspaceCreditLines")).body["data"];
  assert.ok(Array.isArray(lines));
  assert.deepEqual(
    lines.map(({ kind, change }) => [kind, change]),
    [
      ["withdraw", "-0.5"],
      ["fund", "10.5"],
    ],
  );
  const audited = await database.query(sql`
    select action, actor_name, after, request_id is not null as has_request from audit_entries
    where subject_id = ${String(made.body["transaction_id"])}`);
  assert.deepEqual(audited, [
    {
      action: "credits.fund",
      actor_name: "environment",
      after: { amount: "10500000", reason: "Invoice 7" },
      has_request: true,
    },
  ]);
});

test("a repeat under its Idempotency-Key is the same move: 201, marked, nothing changed; another amount is 409", async () => {
  for (const id of ["topUpWorkspace", "withdrawFromWorkspace"] as const) {
    const sent = { keys: ["invoice-7"], body: { amount: "4" } };
    const [first, again] = [await call(id, sent), await call(id, sent)];
    assert.deepEqual([first.status, again.status], [201, 201]);
    assert.equal(again.body["transaction_id"], first.body["transaction_id"]);
    assert.equal(again.headers["idempotent-replayed"], "true");
    assert.equal((await call(id, { ...sent, body: { amount: "5" } })).status, 409);
  }
  assert.equal(await available(), "0");
  const other = newId();
  await database.execute(sql`insert into workspaces (id, name, created_at) values (${other}, 'Other', now())`);
  const elsewhere = await call("topUpWorkspace", {
    params: { workspaceId: other },
    keys: ["invoice-7"],
    body: { amount: "1" },
  });
  assert.equal(
    elsewhere.headers["idempotent-replayed"],
    undefined,
    "the same name in another workspace is another move",
  );
});

test("409: a withdrawal above the balance", async () => {
  await call("topUpWorkspace", { body: { amount: "1" } });
  assert.equal((await call("withdrawFromWorkspace", { body: { amount: "1.000001" } })).status, 409);
  assert.equal(await available(), "1");
});

test("200, then 409: a call is refunded once", async () => {
  await call("topUpWorkspace", { body: { amount: "1" } });
  const callId = await aChargedCall();
  assert.equal(await available(), "0.75");
  const refunded = await call("refundCall", { params: { callId }, body: { note: "Black picture" } });
  assert.deepEqual([refunded.status, refunded.body["amount"]], [200, "0.25"]);
  assert.equal((await call("refundCall", { params: { callId } })).status, 409);
  assert.equal(await available(), "1");
});

test("400: invalid amounts and keys, and nothing moves", async () => {
  for (const amount of ["0", "-1", "1e3", "0.0000001", "", 5, null, "1000000000000"]) {
    assert.equal((await call("topUpWorkspace", { body: { amount } })).status, 400, String(amount));
  }
  for (const keys of [["a b"], ["x".repeat(256)], ["a", "a"]]) {
    assert.equal((await call("topUpWorkspace", { keys, body: { amount: "1" } })).status, 400, keys.join(" and "));
  }
  assert.equal((await call("listWorkspaceCreditLines", { query: "?cursor=nobody" })).status, 400);
  assert.equal(await available(), "0");
});

test("404: no such workspace, no such call", async () => {
  for (const id of ["nonsense", newId()]) {
    const params = { workspaceId: id, callId: id };
    for (const operation of ["getWorkspaceCredits", "listWorkspaceCreditLines"] as const) {
      assert.equal((await call(operation, { params })).status, 404);
    }
    for (const operation of ["topUpWorkspace", "withdrawFromWorkspace"] as const) {
      assert.equal((await call(operation, { params, body: { amount: "1" } })).status, 404);
    }
    assert.equal((await call("refundCall", { params })).status, 404);
  }
});
