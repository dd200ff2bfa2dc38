// Limits of keys and models over HTTP and several gateways: never more than they say, refused in the router's shape, freed again.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { bucketOf, invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

const model = "sandbox/voice-1";
const input = { prompt: "waves" };
let apps: SandboxApps;
let gateways: readonly [TestApp, TestApp];
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  const env = { ATELIER_BOOTSTRAP_CREDITS: "100000" };
  app = await apps.open({ env });
  gateways = [app, await apps.open({ env, beside: app })];
});
after(() => apps.close());

async function aKey() {
  const body = { name: "limited", scopes: ["models", "partners", "account"] };
  const made = await app.call({ method: "POST", path: "/account/keys", headers: bearer(app.key), body });
  return { id: textOf(made.json(), "id"), secret: textOf(made.json(), "secret") };
}
const limit = (id: string, body: { calls_per_minute: number | null; concurrency: number | null }, key = app.key) =>
  app.call({ method: "PUT", path: `/account/keys/${id}/limits`, headers: bearer(key), body });
const limitModel = (body: { calls_per_minute: number | null; concurrency: number | null }, of = model) =>
  app.call({ method: "PUT", path: `/admin/model-limits/${of}`, headers: bearer(app.adminToken), body });
const call = (key: string, at: TestApp = app, headers = {}, of = model, given: object = input) =>
  invokeOn({ call: at.call.bind(at), key }, of, given, headers);
const look = async (id: string) =>
  (await app.call({ path: `/account/keys/${id}/limits`, headers: bearer(app.key) })).json();

test("40 calls at once at two gateways: as many as the minute allows, and not one more", {
  timeout: 900_000,
}, async () => {
  const { id, secret } = await aKey();
  assert.equal((await limit(id, { calls_per_minute: 7, concurrency: null })).status, 200);
  const answers = await Promise.all([...Array(40)].map((_, n) => call(secret, gateways[n % 2])));
  assert.equal(answers.filter(({ status }) => status === 200).length, 7);
  const refused = answers.filter(({ status }) => status !== 200);
  // The workspace has 20 slots; some are refused for that.
  const ours = refused.filter((answer) => bucketOf(answer) === "rate_limited");
  assert.ok(ours.length > 0);
  for (const answer of ours) {
    assert.equal(answer.status, 429);
    assert.match(textOf(answer.json(), "detail"), /This key allows 7 calls a minute\. Try again in \d+ second/);
    assert.ok(Number(answer.headers["retry-after"]) >= 1);
  }
  assert.equal((await call(app.key)).status, 200, "another key");
});

test("never more at once than the limit, over two gateways, and freed when they end", {
  timeout: 900_000,
}, async () => {
  const { id, secret } = await aKey();
  await limit(id, { calls_per_minute: null, concurrency: 3 });
  const answers = await Promise.all([...Array(24)].map((_, n) => call(secret, gateways[n % 2], {}, "sandbox/image-1")));
  const ran = answers.filter(({ status }) => status === 200).length;
  assert.ok(ran >= 3 && ran < 24, `${ran} ran`);
  const most = await app.database.query<{ most: number }>(sql`
    select max(n)::int as most from (
      select (select count(*) from calls o where o.api_key_id = ${id}::uuid and o.begun_at <= c.begun_at
              and (o.finished_at is null or o.finished_at > c.begun_at)) as n
      from calls c where c.api_key_id = ${id}::uuid) as at`);
  assert.ok((most[0]?.most ?? 99) <= 3, `${most[0]?.most} at once`);
  const refused = answers.find((answer) => bucketOf(answer) === "concurrency_limit_exceeded") ?? assert.fail();
  assert.match(textOf(refused.json(), "detail"), /This key allows at most 3 calls at once/);
  assert.equal(refused.headers["x-service-concurrency-limit"], "3");
  assert.equal(refused.headers["retry-after"], "1");
  assert.equal(memberOf(await look(id), "in_flight"), 0);
  assert.equal((await call(secret, gateways[1])).status, 200);
});

test("a model's limit counts every workspace's calls; a repeated call is answered, and takes nothing", {
  timeout: 900_000,
}, async () => {
  assert.equal((await limitModel({ calls_per_minute: 2, concurrency: null })).status, 200);
  const key = { "idempotency-key": "limited-once" };
  assert.equal((await call(app.key, app, key)).status, 200);
  for (let n = 0; n < 3; n += 1) assert.equal((await call(app.key, gateways[n % 2], key)).status, 200, "a replay");
  assert.equal((await call(app.key)).status, 200, "replays took nothing");
  const refused = await call(app.key, gateways[1]);
  assert.deepEqual([refused.status, bucketOf(refused)], [429, "rate_limited"]);
  assert.match(textOf(refused.json(), "detail"), /The model sandbox\/voice-1 allows 2 calls a minute/);
  assert.equal((await call(app.key, app, key)).status, 200, "also above the limit");
  const { data } = (await app.call({ path: "/admin/model-limits", headers: bearer(app.adminToken) })).json() as {
    data: unknown[];
  };
  assert.deepEqual(data, [{ model, calls_per_minute: 2, concurrency: null }]);
  await limitModel({ calls_per_minute: null, concurrency: null });
  assert.equal((await call(app.key, gateways[1])).status, 200, "without the limit, at another gateway at once");
});

test("tokens count against their key and hear no figures; a rotated key keeps its limits", {
  timeout: 900_000,
}, async () => {
  const { id, secret } = await aKey();
  await limit(id, { calls_per_minute: 2, concurrency: 5 });
  const body = { capabilities: ["call_models"], models: [model], credits_max: "100" };
  const token = textOf(
    (await app.call({ method: "POST", path: "/account/tokens", headers: bearer(secret), body })).json(),
    "token",
  );
  assert.equal((await call(token)).status, 200);
  assert.equal((await call(secret)).status, 200);
  const refused = await call(token);
  assert.deepEqual([refused.status, bucketOf(refused)], [429, "rate_limited"]);
  assert.match(textOf(refused.json(), "detail"), /What this token was made from allows no more calls a minute/);
  const rotated = await app.call({
    method: "POST",
    path: `/account/keys/${id}/rotation`,
    headers: bearer(app.key),
    body: {},
  });
  const now = await look(textOf(rotated.json(), "id"));
  assert.deepEqual([memberOf(now, "calls_per_minute"), memberOf(now, "concurrency")], [2, 5]);
});

test("what is wrong is refused, and only owners and operators set limits", { timeout: 900_000 }, async () => {
  const { id, secret } = await aKey();
  for (const wrong of [
    { calls_per_minute: 0, concurrency: null },
    { calls_per_minute: 1.5, concurrency: 1 },
    { concurrency: 1 },
  ])
    assert.equal((await limit(id, wrong as never)).status, 400);
  assert.equal((await limitModel({ calls_per_minute: 1, concurrency: null }, "sandbox/A")).status, 400);
  assert.equal(
    (await limit("0198c1a2-3b4c-7d5e-8f60-718293a4b5c6", { calls_per_minute: 1, concurrency: null })).status,
    404,
  );
  const asMember = { name: "member", scopes: ["account"], role: "member" };
  const member = await app.call({ method: "POST", path: "/account/keys", headers: bearer(app.key), body: asMember });
  assert.equal(
    (await limit(id, { calls_per_minute: 1, concurrency: null }, textOf(member.json(), "secret"))).status,
    403,
  );
  assert.equal((await call(secret)).status, 200);
});
