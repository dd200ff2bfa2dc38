// Definitions that change while they are used: their credentials, calls in flight, and who may call them.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import type { ProviderDefinition } from "../src/capabilities/providers/index.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type FakeProvider, fakeProvider } from "./support/fake-provider.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let provider: FakeProvider;
before(async () => {
  apps = await sandboxApps();
  provider = await fakeProvider();
  app = await apps.open();
});
after(async () => {
  await apps.close();
  await provider.close();
});

const admin = (path: string, more: { method?: string; headers?: Record<string, string>; body?: unknown } = {}) =>
  app.call({ path: `/admin${path}`, ...more, headers: { ...bearer(app.adminToken), ...more.headers } });
const read = (path: string, on: TestApp = app) => on.call({ path, headers: bearer(on.key) });
const invoke = (model: string, headers: Record<string, string> = {}, on: TestApp = app) =>
  on.call({
    method: "POST",
    path: `/v1/models/${model}`,
    headers: { ...bearer(on.key), "content-type": "application/json", ...headers },
    body: { prompt: "x" },
  });
const bucket = (answer: AppAnswer) => headerOf(answer, "x-service-error-type");
const newName = () => `p-${randomUUID()}`;
const released = (path: string, usd: string, more: object = {}) =>
  aModel({ released: true, submit: { path, encoding: "json" }, price: { usd }, ...more });
const served = (name: string, usd: string, path = "/direct", more: object = {}): ProviderDefinition =>
  aDefinition(name, { base_url: provider.url, models: [released(path, usd, more)] });

test("a credential goes only where it was entered for, is never shown, and no definition can send it elsewhere", async (context) => {
  const [own, elsewhere] = [await fakeProvider(), await fakeProvider()];
  const setting = "ATELIER_PROVIDER_OWN_KEY";
  const secret = `secret-${randomUUID()}`;
  const guarded = await testApp({
    credentials: { [setting]: secret, [`${setting}_HOSTS`]: new URL(own.url).host },
  });
  context.after(async () => {
    await guarded.close();
    await Promise.all([own.close(), elsewhere.close()]);
  });
  const at = (base_url: string): ProviderDefinition => ({
    ...aDefinition("own", { base_url, models: [released("/direct", "0")] }),
    credential: { kind: "header", header: "X-Key", setting },
  });
  const stolen = await putProvider(guarded, at(elsewhere.url));
  assert.equal(stolen.status, 400);
  assert.equal(textOf(stolen.json(), "details", 0, "path"), "/credential/setting");
  const put = await putProvider(guarded, at(own.url));
  assert.deepEqual([put.status, memberOf(put.json(), "credential_configured")], [201, true], put.text);
  assert.equal((await invoke("own/sketch-2", {}, guarded)).status, 200);
  assert.equal(own.lastHeaders()["x-key"], secret);
  assert.equal(elsewhere.runs(), 0);
  for (const path of ["/admin/providers", "/admin/providers/own", "/admin/audit"]) {
    const shown = await guarded.call({ path, headers: bearer(guarded.adminToken) });
    assert.ok(shown.status === 200 && !shown.text.includes(secret), path);
  }
  assert.ok(!guarded.logged.join("").includes(secret));
});

test("a credential that a provider refuses in a call is reported to the operator, by the name of its setting", async (context) => {
  const own = await fakeProvider();
  const setting = "ATELIER_PROVIDER_OWN_KEY";
  const secret = `secret-${randomUUID()}`;
  const guarded = await testApp({
    credentials: { [setting]: secret, [`${setting}_HOSTS`]: new URL(own.url).host },
  });
  context.after(async () => {
    await guarded.close();
    await own.close();
  });
  const put = await putProvider(guarded, {
    ...aDefinition("own", { base_url: own.url, models: [released("/refused", "0")] }),
    credential: { kind: "header", header: "X-Key", setting },
  });
  assert.equal(put.status, 201, put.text);
  assert.equal(bucket(await invoke("own/sketch-2", {}, guarded)), "provider_error");
  const noted = await until("it is noted", async () => {
    const answer = await guarded.call({ path: "/admin/refused-credentials", headers: bearer(guarded.adminToken) });
    return answer.text.includes(setting) ? answer : null;
  });
  assert.match(noted.text, /provider own/);
  assert.ok(!noted.text.includes(secret));
});

describe("calls in flight", () => {
  test("a call ends under the definition and price it began with, replaced or not", async (context) => {
    const [name, own] = [newName(), await fakeProvider()];
    context.after(() => own.close());
    const at = (usd: string) => ({ ...served(name, usd, "/hang"), base_url: own.url });
    await putProvider(app, at("0.01"));
    const running = invoke(`${name}/sketch-2`);
    await until("the provider has it", async () => (own.runs() === 1 ? true : null));
    await putProvider(app, at("0.05"));
    own.release();
    const answer = await running;
    assert.deepEqual([answer.status, headerOf(answer, "x-service-credits-used")], [200, "2.11"], answer.text);
    assert.equal(headerOf(await invoke(`${name}/sketch-2`), "x-service-credits-used"), "10.55");
  });

  test("a followed call whose definition was removed is settled by it, and its usage row names key and request", async (context) => {
    const [name, own] = [newName(), await fakeProvider()];
    context.after(() => own.close());
    const asking = { recovery: "ask", ask: { path: "/references/{reference}", not_found: [404], running: [409] } };
    await putProvider(app, { ...served(name, "0.01", "/lost", asking), base_url: own.url });
    const key = { "idempotency-key": randomUUID() };
    const first = await invoke(`${name}/sketch-2`, key);
    assert.deepEqual([first.status, bucket(first)], [502, "provider_error"]);
    await putProvider(app, { ...served(name, "0.07", "/direct"), base_url: own.url });
    assert.equal((await admin(`/providers/${name}`, { method: "DELETE" })).status, 204);
    own.release();
    const requestId = headerOf(first, "x-service-request-id");
    const row = await until("the follower ended it", async () => {
      const rows = listOf((await read("/account/usage?limit=50")).json(), "data");
      return rows.find((each) => memberOf(each, "request_id") === requestId) ?? null;
    });
    const account = (await read("/account")).json();
    assert.equal(textOf(row, "api_key_id"), textOf(account, "key", "id"));
    assert.deepEqual([textOf(row, "outcome"), textOf(row, "credits"), own.runs()], ["provider_error", "2.11", 1]);
    const whole = (await read(`/account/requests/${requestId}`)).json();
    assert.equal(memberOf(whole, "call", "outcome"), "succeeded", "the caller saw 502, and the call succeeded");
  });
});

test("a gated workspace gets 403 not_enabled everywhere, an unentitled one 403 forbidden, and others notice nothing", async () => {
  const guest = await addTenant(app, "Guest");
  const set = (body: object) => admin(`/workspaces/${guest.workspaceId}/models`, { method: "PUT", body });
  const asGuest = (path: string) => app.call({ path, headers: bearer(guest.key) });
  assert.deepEqual((await admin(`/workspaces/${guest.workspaceId}/models`)).json(), {
    router_enabled: true,
    entitlements: null,
  });
  assert.equal((await asGuest("/v1/models")).status, 200);
  assert.equal((await set({ router_enabled: false, entitlements: null })).status, 200);
  for (const path of ["/v1/models", "/v1/models/sandbox/image-1", "/v1/models/sandbox/none", "/v1/nothing"]) {
    const answer = await asGuest(path);
    assert.deepEqual([answer.status, bucket(answer)], [403, "not_enabled"], path);
  }
  assert.equal((await read("/v1/models")).status, 200);
  await set({ router_enabled: true, entitlements: ["sandbox/text-1"] });
  assert.equal((await asGuest("/v1/models/sandbox/text-1")).status, 200);
  const refused = await asGuest("/v1/models/sandbox/image-1");
  assert.deepEqual([refused.status, bucket(refused)], [403, "forbidden"]);
  assert.equal((await set({ router_enabled: true, entitlements: ["Sandbox"] })).status, 400);
  assert.equal((await admin(`/workspaces/${randomUUID()}/models`)).status, 404);
  const audit = await admin(`/audit?workspace_id=${guest.workspaceId}&action=workspace.router`);
  assert.equal(listOf(audit.json(), "data").length, 2);
});
