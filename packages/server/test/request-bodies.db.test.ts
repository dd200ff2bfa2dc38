// A workspace that asks for it keeps the inputs and answers of its model calls: direct ones, queued ones, refused ones and
// failed ones. No other workspace sees them, no secret stays in them, and nothing is kept for anyone who did not ask.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { aKey, invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let neighbour: Tenant;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_BOOTSTRAP_CREDITS: "1000000", ATELIER_BODY_KEEP_HOURS_MAX: "100" } });
  neighbour = await addTenant(app, "Eve");
});
after(() => apps.close());

const free = "sandbox/image-1";
const priced = "sandbox/image-1-queued";
const idOf = (answer: AppAnswer) =>
  headerOf(answer, "x-service-request-id") ?? assert.fail("an answer names its request");
const settings = (workspaceId: string = app.workspaceId) => `/account/workspaces/${workspaceId}/request-bodies`;
const get = (path: string, key = app.key) => app.call({ path, headers: bearer(key) });
const put = (body: unknown, key = app.key, workspaceId: string = app.workspaceId) =>
  app.call({ method: "PUT", path: settings(workspaceId), headers: bearer(key), body });
const parsed = (body: unknown): unknown => JSON.parse(textOf(body, "text"));
async function rowCount(): Promise<number> {
  const [row] = await app.database.query<{ count: number }>(sql`select count(*)::int as count from request_bodies`);
  return row?.count ?? 0;
}

// Written shortly after the answer.
async function bodiesOf(id: string): Promise<unknown> {
  return until(`the bodies of ${id} are kept`, async () => {
    const answer = await get(`/account/requests/${id}/bodies`);
    const body: unknown = answer.status === 200 ? answer.json() : null;
    return body !== null && memberOf(body, "answer") !== null ? body : null;
  });
}

describe("off, as every workspace begins", () => {
  test("nothing is stored, and the request says so", async () => {
    const shown = (await get(settings())).json();
    assert.deepEqual(
      [memberOf(shown, "enabled"), memberOf(shown, "keep_hours"), memberOf(shown, "keep_hours_max")],
      [false, 72, 100],
    );
    const answer = await invokeOn(app, free, { prompt: "unkept" });
    const bodies = await until("the request is found", async () => {
      const found = await get(`/account/requests/${idOf(answer)}/bodies`);
      return found.status === 200 ? found.json() : null;
    });
    assert.deepEqual(
      [memberOf(bodies, "keeping"), memberOf(bodies, "input"), memberOf(bodies, "answer")],
      [false, null, null],
    );
    assert.equal(await rowCount(), 0);
  });
});

describe("the switch", () => {
  test("is for owners of the workspace, within the operator's bound, and audited", async () => {
    assert.equal((await put({ enabled: true, keep_hours: 101 })).status, 400);
    assert.equal((await put({ enabled: "yes" })).status, 400);
    assert.equal((await put({ enabled: true }, neighbour.key)).status, 404, "another workspace");
    const member = await app.call({
      method: "POST",
      path: "/account/keys",
      headers: bearer(app.key),
      body: { name: "a member's", scopes: ["account", "models"], role: "member" },
    });
    const key = textOf(member.json(), "secret");
    assert.equal((await put({ enabled: true }, key)).status, 403);
    assert.equal((await get(settings(), key)).status, 200);
    const changed = await put({ enabled: true, keep_hours: 48 });
    assert.deepEqual([changed.status, memberOf(changed.json(), "keep_hours")], [200, 48]);
    const [entry] = await app.database.query<{ after: unknown }>(sql`
      select after from audit_entries where action = 'request_bodies.keep'`);
    assert.deepEqual(entry?.after, { isOn: true, keepHours: 48, deleted: 0 });
  });
});

describe("on", () => {
  test("a call's input and answer are found by its request, and by its call", async () => {
    const answer = await invokeOn(app, free, { prompt: "a fox", seed: 1 }, aKey());
    assert.equal(answer.status, 200);
    const bodies = await bodiesOf(idOf(answer));
    assert.deepEqual(parsed(memberOf(bodies, "input")), { prompt: "a fox", seed: 1 });
    assert.deepEqual(parsed(memberOf(bodies, "answer")), answer.json());
    assert.deepEqual([memberOf(bodies, "status"), memberOf(bodies, "keeping")], [200, true]);
    const request = (await get(`/account/requests/${idOf(answer)}`)).json();
    const callId = textOf(memberOf(request, "call"), "id");
    assert.deepEqual(parsed(memberOf(await bodiesOf(callId), "input")), { prompt: "a fox", seed: 1 });
  });

  test("a refused input, a provider's failure and a repeated request have theirs too", async () => {
    const refused = await invokeOn(app, free, { prompt: 7 });
    assert.equal(refused.status, 422);
    const bodies = await bodiesOf(idOf(refused));
    assert.deepEqual([memberOf(bodies, "status"), parsed(memberOf(bodies, "input"))], [422, { prompt: 7 }]);
    assert.deepEqual(parsed(memberOf(bodies, "answer")), refused.json());

    const failed = await invokeOn(app, free, { prompt: "x", simulate: "truncate" });
    assert.equal(failed.status, 502);
    assert.deepEqual(parsed(memberOf(await bodiesOf(idOf(failed)), "answer")), failed.json());

    const key = aKey();
    const first = await invokeOn(app, free, { prompt: "again" }, key);
    const again = await invokeOn(app, free, { prompt: "again" }, key);
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    assert.deepEqual(parsed(memberOf(await bodiesOf(idOf(again)), "answer")), first.json());
  });

  test("a queued call has them once it has run", async () => {
    const accepted = await app.call({
      method: "POST",
      path: `/v1/models/${priced}/requests`,
      headers: { ...bearer(app.key), "content-type": "application/json" },
      body: { prompt: "later" },
    });
    assert.equal(accepted.status, 202);
    const bodies = await bodiesOf(textOf(accepted.json(), "request_id"));
    assert.deepEqual([memberOf(bodies, "status"), parsed(memberOf(bodies, "input"))], [200, { prompt: "later" }]);
    assert.deepEqual(parsed(memberOf(await bodiesOf(idOf(accepted)), "input")), { prompt: "later" });
  });

  test("a model call of a graph's node has them, found by the request that the job names", async () => {
    const inputs = { model: free, prompt: "from a node", width: 64, height: 64, seed: 3, parameters: "{}" };
    const workflow = {
      "1": { class_type: "AtelierModelImage", inputs },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    };
    const job = await app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body: { workflow } });
    assert.equal(job.status, 201, job.text);
    const requestId = await until("the node's call has ended", async () => {
      const charges = await get(`/account/jobs/${textOf(job.json(), "id")}/charges`);
      const [node] = listOf(charges.json(), "nodes");
      return node === undefined ? null : String(listOf(node, "request_ids")[0]);
    });
    const bodies = await bodiesOf(requestId);
    const { prompt, seed } = parsed(memberOf(bodies, "input")) as Record<string, unknown>;
    assert.deepEqual([memberOf(bodies, "status"), prompt, seed], [200, "from a node", 3]);
    assert.equal((await get(`/account/requests/${requestId}/bodies`, neighbour.key)).status, 404);
  });

  test("secrets and files are removed, and the table holds no plain text", async () => {
    const secret = `sk-live-${"a1b2".repeat(8)}`;
    const image = `data:image/png;base64,${Buffer.alloc(9_000, 1).toString("base64")}`;
    const answer = await invokeOn(app, free, { prompt: `say ${secret} ${app.key}`, api_key: "hush", image });
    const bodies = await bodiesOf(idOf(answer));
    const input = memberOf(bodies, "input");
    assert.doesNotMatch(textOf(input, "text"), new RegExp(`${secret}|${app.key}|hush|base64,`));
    assert.deepEqual(
      listOf(input, "removed").map((part) => [memberOf(part, "at"), memberOf(part, "what")]),
      [
        ["/prompt", "secret"],
        ["/api_key", "secret"],
        ["/image", "file"],
      ],
    );
    const rows = await app.database.query<{ whole: string }>(sql`select b::text as whole from request_bodies b`);
    assert.ok(rows.length > 5);
    for (const { whole } of rows) assert.doesNotMatch(whole, /prompt|fox|again|later|detail|hush/);
  });

  test("another workspace finds nothing under the same ids, and keeps nothing of its own", async () => {
    const answer = await invokeOn(app, free, { prompt: "mine" });
    await bodiesOf(idOf(answer));
    assert.equal((await get(`/account/requests/${idOf(answer)}/bodies`, neighbour.key)).status, 404);
    const theirs = await invokeOn({ call: app.call, key: neighbour.key }, free, { prompt: "theirs" });
    assert.equal(theirs.status, 200);
    const [row] = await app.database.query<{ count: number }>(sql`
      select count(*)::int as count from request_bodies where workspace_id = ${neighbour.workspaceId}`);
    assert.equal(row?.count, 0);
  });

  test("turning it off deletes them at once", async () => {
    assert.ok((await rowCount()) > 0);
    const off = await put({ enabled: false });
    assert.deepEqual([memberOf(off.json(), "enabled"), memberOf(off.json(), "kept_requests")], [false, 0]);
    assert.equal(await rowCount(), 0);
  });
});
