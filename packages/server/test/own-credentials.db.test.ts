// A workspace brings its own key: its calls use that key and cost nothing here, while all others use the server's and are
// charged. The key is never shown, is only sent where it was entered for, and outlives the process that began a call.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { request } from "undici";
import { createAudit } from "../src/capabilities/audit/index.ts";
import { type ScriptedProvider, scriptedProvider } from "../src/capabilities/conformance/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const setting = "ATELIER_PROVIDER_OWNTEST_KEY";
const ours = "the-servers-credential";
const own = "the-workspaces-credential";

let home: string;
let provider: ScriptedProvider;
let elsewhere: ScriptedProvider;
let app: TestApp;
let other: Tenant;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-own-"));
  provider = await scriptedProvider();
  elsewhere = await scriptedProvider();
  const poll = { handle: "/id", path: "/t/{handle}", interval_ms: 50, state: "/s", pending: ["a"], succeeded: ["b"] };
  const definition = aDefinition("owntest", {
    base_url: provider.origin,
    credential: { kind: "bearer", setting },
    workspace_credentials: true,
    models: [
      aModel({ model: "direct", released: true, submit: { path: "/direct", encoding: "json" } }),
      aModel({ model: "queued", released: true, submit: { path: "/queued", encoding: "json" }, poll }),
    ],
  });
  // This server has no credential for it.
  const bare = aDefinition("baretest", {
    base_url: provider.origin,
    credential: { kind: "bearer", setting: "ATELIER_PROVIDER_BARETEST_KEY" },
    workspace_credentials: true,
    models: [
      aModel({ model: "direct", released: true, submit: { path: "/bare", encoding: "json" } }),
      aModel({ model: "hidden", released: false }),
    ],
  });
  const files = [definition, bare].map((each) => ({ path: join(home, `${each.provider}.json`), each }));
  for (const { path, each } of files) await writeFile(path, JSON.stringify(each));
  app = await testApp({
    // No job runs here: a late call of one would be among those that a test counts.
    env: { ATELIER_PROVIDERS: files.map(({ path }) => path).join(","), ATELIER_ENGINE_SLOTS: "0" },
    credentials: {
      [setting]: ours,
      ATELIER_PROVIDER_ELSEWHERE_KEY: "elsewhere",
      ATELIER_PROVIDER_ELSEWHERE_KEY_HOSTS: elsewhere.host,
    },
  });
  other = await addTenant(app, "Other");
});
after(async () => {
  await app.close();
  await provider.close();
  await elsewhere.close();
  await rm(home, { recursive: true, force: true });
});

const json = (status: number, value: unknown) => ({
  status,
  headers: { "content-type": "application/json" },
  body: Buffer.from(JSON.stringify(value)),
});
const always = (status: number, value: unknown) =>
  provider.play({ answer: () => json(status, value), onSilence: () => undefined });
const path = (name = "owntest") => `/account/provider-credentials/${name}`;
const store = (credential: unknown, key = app.key, name = "owntest") =>
  app.call({ method: "PUT", path: path(name), headers: bearer(key), body: { credential } });
const forget = (key = app.key, name = "owntest") =>
  app.call({ method: "DELETE", path: path(name), headers: bearer(key) });
const invoke = (model: string, key = app.key, headers: Record<string, string> = {}) =>
  app.call({
    method: "POST",
    path: `/v1/models/${/\/(?!estimate)/.test(model) ? model : `owntest/${model}`}`,
    headers: { ...bearer(key), "content-type": "application/json", ...headers },
    body: { prompt: "p" },
  });
const cost = (answer: AppAnswer) => headerOf(answer, "x-service-credits-used");
const creditsOf = async (key: string) => {
  const shown = await app.call({ path: "/account/credits", headers: bearer(key) });
  return textOf(shown.json(), "available");
};

test("calls use the workspace's own credential and cost nothing; other workspaces use the server's and pay", async () => {
  const seen = always(200, { picture: "x" });
  const estimate = async () => memberOf((await invoke("direct/estimate")).json(), "credits");
  assert.equal(cost(await invoke("direct")), "4.22");
  assert.deepEqual(await estimate(), { lowest: "4.22", highest: "4.22" });
  const before = await creditsOf(app.key);
  const stored = await store(own);
  assert.equal(stored.status, 201, stored.text);
  assert.deepEqual(await estimate(), { lowest: "0", highest: "0" });
  const shown = memberOf(stored.json(), "is_used");
  assert.deepEqual([shown, memberOf(stored.json(), "hosts")], [true, [provider.host]]);
  for (const headers of [{}, { "idempotency-key": randomUUID(), "x-service-max-credits": "0" }])
    assert.equal(cost(await invoke("direct", app.key, headers)), "0");
  assert.equal(await creditsOf(app.key), before);
  assert.equal((await invoke("direct", other.key)).status, 402);
  assert.equal((await forget()).status, 204);
  assert.equal(cost(await invoke("direct")), "4.22");
  assert.deepEqual(
    seen.map(({ headers }) => headers.authorization),
    [ours, own, own, ours].map((credential) => `Bearer ${credential}`),
  );
});

test("a workspace without credits runs on its own credential, including queued calls", async () => {
  assert.equal((await store(own, other.key)).status, 201);
  const answers = [json(200, { id: "1" }), json(200, { s: "a" }), json(200, { s: "b", picture: "x" })];
  const seen = provider.play({ answer: (index) => answers[index] ?? null, onSilence: () => undefined });
  const drawn = await invoke("queued", other.key, { "idempotency-key": randomUUID() });
  assert.deepEqual([drawn.status, cost(drawn)], [200, "0"], drawn.text);
  assert.deepEqual(new Set(seen.map(({ headers }) => headers.authorization)), new Set([`Bearer ${own}`]));
  assert.equal((await forget(other.key)).status, 204);
});

test("a call whose caller left continues under the same credential, for free", async () => {
  assert.equal((await store(own)).status, 201);
  const before = await creditsOf(app.key);
  let isDone = false;
  const seen = provider.play({
    answer: (index) => (index === 0 ? json(200, { id: "1" }) : json(200, { s: isDone ? "b" : "a", picture: "x" })),
    onSilence: () => undefined,
  });
  const key = { "idempotency-key": randomUUID() };
  const leaving = new AbortController();
  const left = request(`${app.baseUrl}/v1/models/owntest/queued`, {
    method: "POST",
    headers: { ...bearer(app.key), "content-type": "application/json", ...key },
    body: JSON.stringify({ prompt: "p" }),
    signal: leaving.signal,
  });
  const gone = assert.rejects(left);
  await until("the provider works on it", () => seen.length > 1);
  leaving.abort();
  await gone;
  isDone = true;
  await until("the call is collected", async () => (await invoke("queued", app.key, key)).status === 200);
  assert.equal(cost(await invoke("queued", app.key, key)), "0");
  assert.equal(await creditsOf(app.key), before);
  assert.deepEqual(new Set(seen.map(({ headers }) => headers.authorization)), new Set([`Bearer ${own}`]));
  assert.equal((await forget()).status, 204);
});

test("a workflow of a workspace without credits is accepted where its own credential pays, and refused elsewhere", async () => {
  const submit = (model: string) => {
    const inputs = { model, prompt: "x", width: 64, height: 64, seed: 1, parameters: "{}" };
    const workflow = {
      "1": { class_type: "AtelierModelImage", inputs },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
    };
    return app.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(other.key), body: { workflow } });
  };
  assert.equal((await submit("owntest/direct")).status, 402);
  for (const name of ["owntest", "baretest"]) {
    assert.equal((await store(own, other.key, name)).status, 201);
    const made = await submit(`${name}/direct`);
    assert.equal(made.status, 201, made.text);
    assert.equal((await forget(other.key, name)).status, 204);
  }
  assert.equal((await submit("owntest/none")).status, 422);
});

test("a refused credential is reported as such, in the answer and the usage row, and never as the caller's own 401", async () => {
  assert.equal((await store(own)).status, 201);
  always(401, { error: "no such key" });
  const refused = await invoke("direct");
  assert.deepEqual([refused.status, headerOf(refused, "x-service-error-type")], [502, "provider_error"]);
  assert.match(refused.text, /refused the workspace's own credential/);
  assert.equal((await forget()).status, 204);
  const ourTurn = await invoke("direct");
  assert.doesNotMatch(ourTurn.text, /own credential/);
  const rowOf = (answer: AppAnswer) =>
    until("its usage row is written", async () => {
      const page = await app.call({ path: "/account/usage?limit=20", headers: bearer(app.key) });
      const id = headerOf(answer, "x-service-request-id");
      return listOf(page.json(), "data").find((each) => memberOf(each, "request_id") === id) ?? null;
    });
  const reported = (await Promise.all([refused, ourTurn].map(rowOf))).map((row) => [
    ...["refused_by", "provider_status", "provider_words"].map((name) => memberOf(row, name)),
    /^The provider rejected (the workspace's own credential|this server's account)/.exec(textOf(row, "advice"))?.[0],
  ]);
  assert.deepEqual(reported, [
    ["provider owntest", 401, "no such key", "The provider rejected the workspace's own credential"],
    ["provider owntest", 401, "no such key", "The provider rejected this server's account"],
  ]);
});

const listed = async (key: string, of: string) => {
  const page = await app.call({ path: "/v1/models?limit=100", headers: bearer(key) });
  const ids = listOf(memberOf(page.json(), "data")).map((each) => textOf(each, "id"));
  return ids.filter((id) => id.startsWith(`${of}/`));
};
const statusOf = async (key: string, id: string) =>
  (await app.call({ path: `/v1/models/${id}`, headers: bearer(key) })).status;

describe("a provider without a server credential", () => {
  test("exists for the workspace that brought its own, in every read and call, and for nobody else", async () => {
    const seen = always(200, { picture: "x" });
    const before = await creditsOf(app.key);
    assert.deepEqual([await listed(app.key, "baretest"), (await invoke("baretest/direct")).status], [[], 404]);
    const stored = await store(own, app.key, "baretest");
    assert.deepEqual([stored.status, memberOf(stored.json(), "is_used")], [201, true], stored.text);
    assert.deepEqual(await listed(app.key, "baretest"), ["baretest/direct"], "and no unreleased model");
    assert.equal(await statusOf(app.key, "baretest/direct"), 200);
    assert.equal(await statusOf(app.key, "baretest/direct/openapi.json"), 200);
    for (const headers of [{}, { "idempotency-key": randomUUID() }]) {
      const drawn = await invoke("baretest/direct", app.key, headers);
      assert.deepEqual([drawn.status, cost(drawn)], [200, "0"], drawn.text);
    }
    assert.equal(await creditsOf(app.key), before);
    assert.deepEqual(
      seen.map(({ headers, path: at }) => `${at} ${headers.authorization}`),
      [`/bare Bearer ${own}`, `/bare Bearer ${own}`],
    );
    assert.deepEqual([await listed(other.key, "baretest"), await statusOf(other.key, "baretest/direct")], [[], 404]);
    assert.equal((await invoke("baretest/direct", other.key)).status, 404);
    assert.equal((await invoke("baretest/hidden")).status, 404);
    assert.equal((await store(`${own}-2`, app.key, "baretest")).status, 200);
    await invoke("baretest/direct");
    assert.equal(seen.at(-1)?.headers.authorization, `Bearer ${own}-2`);
    assert.equal((await forget(app.key, "baretest")).status, 204);
    assert.deepEqual([await listed(app.key, "baretest"), (await invoke("baretest/direct")).status], [[], 404]);
    assert.equal(seen.length, 3, "nothing was sent without a credential");
  });

  test("is hidden until then even when it ships with the server", async () => {
    assert.deepEqual(await listed(app.key, "luma"), []);
    assert.equal((await store(own, app.key, "luma")).status, 201);
    const models = await listed(app.key, "luma");
    assert.ok(models.includes("luma/ray-2") && models.includes("luma/photon-1"), models.join(" "));
    assert.deepEqual(await listed(other.key, "luma"), []);
    assert.equal((await store("no-pair-0123", app.key, "kling")).status, 400);
    assert.equal((await forget(app.key, "luma")).status, 204);
    assert.deepEqual(await listed(app.key, "luma"), []);
  });

  test("serves no call of the server's own while it has none", async () => {
    const admin = await app.call({ path: "/admin/providers/baretest", headers: bearer(app.adminToken) });
    assert.deepEqual(
      [
        memberOf(admin.json(), "credential_configured"),
        memberOf(listOf(memberOf(admin.json(), "models"))[0], "served"),
      ],
      [false, false],
      admin.text,
    );
  });
});

describe("a stored credential", () => {
  test("is never shown: not in answers, in the log, in the audit, nor in the database", async () => {
    const text = `canary-${randomUUID()}`;
    const stored = await store(text);
    const listed = await app.call({ path: "/account/provider-credentials", headers: bearer(app.key) });
    assert.equal(listOf(memberOf(listed.json(), "data")).length, 1);
    const { entries } = await createAudit({ database: app.database }).list({ filter: {}, before: null, limit: 50 });
    const actions = entries.map(({ action }) => action).filter((action) => action.startsWith("provider_credential"));
    assert.ok(actions.includes("provider_credential.put") && actions.includes("provider_credential.remove"));
    const rows = await app.database.query(sql`select * from workspace_provider_credentials`);
    for (const output of [stored.text, listed.text, JSON.stringify(entries), JSON.stringify(rows), app.logged.join("")])
      assert.ok(!output.includes(text));
    assert.equal((await store(`${text}-2`)).status, 200);
    assert.equal((await forget()).status, 204);
    assert.equal((await forget()).status, 404);
  });

  test("is not accepted unless the definition allows it, and not used once it no longer does", async () => {
    const closed = aDefinition(`closed-${randomUUID()}`, {
      base_url: provider.origin,
      credential: { kind: "bearer", setting },
    });
    assert.equal((await putProvider(app, closed)).status, 201);
    assert.equal((await store(own, app.key, closed.provider)).status, 404);
    assert.equal((await store(own)).status, 201);
    const seen = always(200, { picture: "x" });
    const shut = aDefinition("owntest", {
      base_url: provider.origin,
      credential: { kind: "bearer", setting },
      models: [aModel({ model: "direct", released: true })],
    });
    assert.equal((await putProvider(app, shut)).status, 201);
    assert.equal(cost(await invoke("direct")), "4.22");
    assert.equal(seen[0]?.headers.authorization, `Bearer ${ours}`);
    await app.call({ method: "DELETE", path: "/admin/providers/owntest", headers: bearer(app.adminToken) });
    assert.equal((await forget()).status, 204);
  });

  test("is sent only to the hosts it was entered for", async () => {
    assert.equal((await store(own)).status, 201);
    try {
      const moved = aDefinition("owntest", {
        base_url: elsewhere.origin,
        credential: { kind: "bearer", setting: "ATELIER_PROVIDER_ELSEWHERE_KEY" },
        workspace_credentials: true,
        models: [aModel({ model: "direct", released: true })],
      });
      assert.equal((await putProvider(app, moved)).status, 201);
      const seen = elsewhere.play({ answer: () => json(200, { picture: "x" }), onSilence: () => undefined });
      assert.equal(cost(await invoke("direct")), "4.22");
      assert.equal(seen[0]?.headers.authorization, "Bearer elsewhere");
      const listed = await app.call({ path: "/account/provider-credentials", headers: bearer(app.key) });
      assert.equal(memberOf(listOf(memberOf(listed.json(), "data"))[0], "is_used"), false);
    } finally {
      await app.call({ method: "DELETE", path: "/admin/providers/owntest", headers: bearer(app.adminToken) });
    }
    assert.equal((await forget()).status, 204);
  });

  test("is written by owners, for a provider that accepts one, in a form that can be sent", async () => {
    for (const credential of ["short", "with space in it", "line\nbreak-0123", "ü".repeat(10), 12345678, undefined])
      assert.equal((await store(credential)).status, 400, String(credential));
    assert.equal((await store(own, app.key, "nobody")).status, 404);
    assert.equal((await store(own, app.key, "..%2Fadmin")).status, 404);
    assert.equal((await store(own, "no-such-key")).status, 401);
    const made = await app.call({
      method: "POST",
      path: "/account/keys",
      headers: bearer(app.key),
      body: { name: "member", scopes: ["account", "models"], role: "member" },
    });
    assert.equal(made.status, 201, made.text);
    assert.equal((await store(own, textOf(made.json(), "secret"))).status, 403);
  });
});
