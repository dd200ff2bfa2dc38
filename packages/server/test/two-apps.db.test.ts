// Two whole apps in one process share nothing: there is no global state.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { bearer, headerOf, textOf } from "./support/app-client.ts";
import { owner, raiseRates } from "./support/app-people.ts";
import { aBadgeRow } from "./support/example-calls.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const badges = "/nodes/pricing/badges?app_version=nightly&platform=local";
let one: TestApp;
let other: TestApp;
before(async () => {
  [one, other] = await Promise.all([testApp(), testApp()]);
});
after(async () => {
  await one.close();
  await other.close();
});

test("a key, a token, a session or an operator's token of one app means nothing to the other", async () => {
  const person = await owner(one);
  for (const headers of [bearer(one.key), bearer(person.jwt), { cookie: person.cookie }]) {
    assert.equal((await one.call({ path: "/account", headers })).status, 200);
    assert.equal((await other.call({ path: "/account", headers })).status, 401);
  }
  assert.equal((await one.call({ path: "/admin/tokens", headers: bearer(one.adminToken) })).status, 200);
  assert.equal((await other.call({ path: "/admin/tokens", headers: bearer(one.adminToken) })).status, 401);
});

test("each has its own issuer key", async () => {
  const keysOf = async (app: TestApp) => (await app.call({ path: "/.well-known/jwks.json" })).text;
  assert.notEqual(await keysOf(one), await keysOf(other));
});

test("a badge written in one is not served by the other", async () => {
  const before = headerOf(await other.call({ path: badges }), "etag");
  const row = aBadgeRow();
  const made = await one.call({ method: "POST", path: "/admin/badges", headers: bearer(one.adminToken), body: row });
  assert.equal(made.status, 201, made.text);
  assert.ok((await one.call({ path: badges })).text.includes(row.node_id));
  assert.equal(headerOf(await other.call({ path: badges }), "etag"), before);
});

test("refused credentials in one do not lock the same address out of the other", async () => {
  const peer = "203.0.113.77";
  const guess = (app: TestApp) => app.call({ path: "/account", headers: bearer("letmein"), peer });
  await Promise.all(Array.from({ length: 51 }, () => guess(one)));
  assert.equal((await guess(one)).status, 429);
  assert.equal((await guess(other)).status, 401);
});

test("a limit that one sets is the default in the other, and requests are counted apart", async () => {
  const name = "workflow_and_registry_requests_per_minute";
  const limits = (app: TestApp) => `/admin/workspaces/${app.workspaceId}/limits`;
  const body = { value: 1 };
  const set = await one.call({ method: "PUT", path: `${limits(one)}/${name}`, headers: bearer(one.adminToken), body });
  assert.equal(set.status, 200, set.text);
  const statuses = async (app: TestApp) => {
    const seen = new Set<number>();
    for (let count = 0; count < 5; count++)
      seen.add((await app.call({ path: "/account", headers: bearer(app.key) })).status);
    return seen;
  };
  assert.ok((await statuses(one)).has(429));
  assert.deepEqual(await statuses(other), new Set([200]));
  await raiseRates(one, one.workspaceId);
});

test("each counts its own requests", async () => {
  const countOf = async (app: TestApp) => {
    const text = (await app.call({ path: "/metrics", headers: bearer(app.adminToken) })).text;
    const line = /atelier_http_requests_total\{operation="getLlmsText",status="200"\} (\d+)/.exec(text);
    return Number(line?.[1] ?? 0);
  };
  const [before, beside] = [await countOf(one), await countOf(other)];
  for (let count = 0; count < 7; count++) await one.call({ path: "/llms.txt" });
  assert.deepEqual([(await countOf(one)) - before, (await countOf(other)) - beside], [7, 0]);
});

test("each names itself", async () => {
  for (const app of [one, other]) {
    const document = (await app.call({ path: "/openapi.json" })).json();
    assert.equal(textOf(document, "servers", 0, "url"), app.baseUrl);
    assert.ok((await app.call({ path: "/llms.txt" })).text.includes(app.baseUrl));
  }
});
