// Spec, Errors: the set of buckets is closed at fifteen. Every bucket that a caller can receive is produced over HTTP
// here, with its status and both headers; the fifteenth, client_disconnected, is only for the log.
import assert from "node:assert/strict";
import type { ServerResponse } from "node:http";
import { after, before, test } from "node:test";
import { routerBuckets } from "@atelier/contract";
import { request } from "undici";
import { type AppAnswer, bearer, headerOf } from "./support/app-client.ts";
import { addTenant, raiseRates, type Tenant } from "./support/app-people.ts";
import { type BucketCase, refusedByUs } from "./support/router-bucket-cases.ts";
import { aKey, bucketOf, invokeOn, readOn } from "./support/router-calls.ts";
import { hideKeys, showKeys, walletOf } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { pollOf, type ScriptedUpstream, scriptedUpstream } from "./support/scripted-upstream.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";
import { testDatabase } from "./support/test-database.ts";
import { notInFleet } from "./support/test-fleet.ts";
import { testWire } from "./support/test-postgres-proxy.ts";

let apps: SandboxApps;
let app: TestApp;
let upstream: ScriptedUpstream;
let providers: string;
const small = { prompt: "x", width: 64, height: 64 };

// Calls that the provider holds and answers when told.
const held: ServerResponse[] = [];
function release(): void {
  for (const response of held.splice(0)) response.writeHead(200, { "content-type": "application/json" }).end("{}");
}
async function heldTooLong(headers: Readonly<Record<string, string>>): Promise<AppAnswer> {
  const env = { ATELIER_PROVIDERS: providers, ATELIER_ROUTER_DEADLINE_SECONDS: "1" };
  const answer = await invokeOn(await apps.open({ beside: app, env }), "scripted/held", {}, headers);
  await until("the provider works", () => held.length > 0);
  release();
  return answer;
}
const simulate = (word: string, model = "sandbox/image-1", more: object = {}) =>
  invokeOn(app, model, { ...small, simulate: word, ...more });

before(async () => {
  apps = await sandboxApps();
  upstream = await scriptedUpstream({
    "gateway-timeout": { answer: { status: 504 } },
    "request-timeout": { answer: { status: 408 } },
    never: {
      answer: { status: 200, body: '{"id":"1","status":"RUNNING"}' },
      model: { poll: pollOf("never"), longest_run_seconds: 1 },
    },
    rejecting: { answer: { status: 400, body: '{"message":"no"}' } },
    fields: {
      answer: { status: 422, body: '{"detail":[{"loc":["body","image"],"msg":"small","type":"image_too_small"}]}' },
    },
    held: { answer: { act: (response) => void held.push(response) } },
    "held-costly": { answer: { act: (response) => void held.push(response) }, model: { price: { usd: "5" } } },
    empty: { answer: { status: 200, body: "{}" }, model: { result: ["/images/0"] } },
    "not-json": { answer: { status: 200, headers: { "content-type": "text/html" }, body: "<html>" } },
  });
  providers = `${apps.file},${await apps.write("scripted", upstream.definition)}`;
  app = await apps.open({ env: { ATELIER_PROVIDERS: providers } });
});
after(async () => {
  await apps.close();
  await upstream.close();
});

const tenants = new Map<string, Promise<Tenant>>();
async function asTenant(name: string, prepare: (tenant: Tenant) => Promise<unknown> = async () => {}) {
  const known = tenants.get(name) ?? addTenant(app, name);
  tenants.set(name, known);
  const tenant = await known;
  await prepare(tenant);
  return { key: tenant.key, call: app.call, workspaceId: tenant.workspaceId };
}

const limit = (workspaceId: string, name: string, value: number) =>
  app.call({
    method: "PUT",
    path: `/admin/workspaces/${workspaceId}/limits/${name}`,
    headers: bearer(app.adminToken),
    body: { value },
  });
const topUp = (workspaceId: string, amount: string) =>
  app.call({
    method: "POST",
    path: `/admin/workspaces/${workspaceId}/credits`,
    headers: { ...bearer(app.adminToken), ...aKey() },
    body: { amount, note: "a test" },
  });

const cases: readonly BucketCase[] = [
  ...refusedByUs(() => ({ app, apps, asTenant })),
  {
    bucket: "content_policy_violation",
    status: 400,
    when: "a refusal inside HTTP 200",
    produce: () => simulate("refuse"),
  },
  {
    bucket: "content_policy_violation",
    status: 400,
    when: "a refusal as a task's state",
    produce: () => simulate("refuse", "sandbox/image-1-queued"),
  },
  ...["fail", "html", "rate_limit", "truncate", "reset"].map(
    (word): BucketCase => ({
      bucket: "provider_error",
      status: 502,
      when: word,
      ...(word === "rate_limit" ? { retryAfter: /^1$/ } : {}),
      produce: () => simulate(word),
    }),
  ),
  {
    bucket: "provider_error",
    status: 502,
    when: "a success without a result",
    produce: () => invokeOn(app, "scripted/empty", {}),
  },
  {
    bucket: "provider_error",
    status: 502,
    when: "a success that is no JSON",
    produce: () => invokeOn(app, "scripted/not-json", {}),
  },
  ...["gateway-timeout", "request-timeout", "never"].map(
    (name): BucketCase => ({
      bucket: "provider_timeout",
      status: 504,
      when: name,
      produce: () => invokeOn(app, `scripted/${name}`, {}),
    }),
  ),
  {
    bucket: "insufficient_credits",
    status: 402,
    when: "the workspace has no credits",
    produce: async () => invokeOn(await asTenant("Poor"), "sandbox/voice-1", { prompt: "x" }),
  },
  {
    bucket: "invalid_input",
    status: 422,
    when: "the workspace has no credits and the input is wrong",
    produce: async () => invokeOn(await asTenant("Poor"), "sandbox/voice-1", {}),
  },
  {
    bucket: "concurrency_limit_exceeded",
    status: 429,
    when: "every slot is taken",
    async produce() {
      const busy = await asTenant("Busy", ({ workspaceId }) => limit(workspaceId, "concurrency", 1));
      // A call under a key: the slot of a call without one is in no table.
      const hanging = invokeOn(busy, "scripted/held", {}, aKey());
      await until("the slot is taken", async () => (await walletOf(app.database, busy.workspaceId)).inFlight === 1);
      const answer = await invokeOn(busy, "sandbox/text-1", { prompt: "x" }, aKey());
      await until("the provider works", () => held.length === 1);
      const passing = await invokeOn(busy, "sandbox/text-1", { prompt: "x" });
      assert.deepEqual([passing.status, ...slotsOf(passing)], [429, "1", "1", "0"], passing.text);
      release();
      await hanging;
      return answer;
    },
  },
  {
    bucket: "concurrency_limit_exceeded",
    status: 429,
    when: "every slot is taken by free calls without a key",
    async produce() {
      const busy = await asTenant("Busier", ({ workspaceId }) => limit(workspaceId, "concurrency", 1));
      const hanging = invokeOn(busy, "scripted/held", {});
      await until("the provider works", () => held.length === 1);
      const kept = await invokeOn(busy, "sandbox/text-1", { prompt: "x" }, aKey());
      assert.deepEqual([kept.status, ...slotsOf(kept)], [429, "1", "1", "0"], kept.text);
      const answer = await invokeOn(busy, "sandbox/text-1", { prompt: "x" });
      release();
      await hanging;
      assert.equal((await invokeOn(busy, "sandbox/text-1", { prompt: "x" })).status, 200);
      return answer;
    },
  },
  {
    bucket: "concurrency_limit_exceeded",
    status: 429,
    when: "every slot for costly models is taken, a quarter of all (decisions, section 3)",
    async produce() {
      const busy = await asTenant("Costly", ({ workspaceId }) =>
        Promise.all([limit(workspaceId, "concurrency", 4), topUp(workspaceId, "9000")]),
      );
      // The cheap call does not count as costly.
      const models = ["scripted/held-costly", "scripted/held"];
      const hanging = models.map((model) => invokeOn(busy, model, {}, aKey()));
      await until("the provider works", () => held.length === 2);
      const answer = await invokeOn(busy, "scripted/held-costly", {}, aKey());
      assert.equal((await invokeOn(busy, "sandbox/text-1", { prompt: "x" }, aKey())).status, 200, "others have room");
      release();
      for (const answered of await Promise.all(hanging)) assert.equal(answered.status, 200, answered.text);
      return answer;
    },
  },
  {
    bucket: "concurrency_limit_exceeded",
    status: 409,
    when: "eight wait for the same key already",
    ofOneProcess: "each process counts those who wait",
    retryAfter: /^2$/,
    async produce() {
      const key = aKey();
      const away: AppAnswer[] = [];
      const many = Array.from({ length: 12 }, async () => {
        const answer = await invokeOn(app, "scripted/held", {}, key);
        if (answer.status === 409) away.push(answer);
      });
      const answer = await until("somebody is sent away", () => away[0] ?? null);
      await until("the provider works", () => held.length === 1);
      release();
      await Promise.all(many);
      return answer;
    },
  },
  {
    bucket: "rate_limited",
    status: 429,
    when: "the rate is used up",
    retryAfter: /^[1-9]\d*$/,
    async produce() {
      const hasty = await asTenant("Hasty", ({ workspaceId }) =>
        limit(workspaceId, "router_and_partner_requests_per_minute", 1),
      );
      return until("the rate is used up", async () => {
        const answer = await readOn(hasty, "/v1/models");
        return answer.status === 429 ? answer : null;
      });
    },
  },
  {
    bucket: "deadline_exceeded",
    status: 504,
    when: "our deadline, under a key",
    retryAfter: /^5$/,
    async produce() {
      return heldTooLong(aKey());
    },
  },
  {
    bucket: "deadline_exceeded",
    status: 504,
    when: "our deadline, without a key",
    async produce() {
      return heldTooLong({});
    },
  },
  {
    bucket: "service_unavailable",
    status: 503,
    when: "this process holds too many bodies",
    retryAfter: /^[1-9]\d*$/,
    async produce() {
      const narrow = await apps.open({ beside: app, env: { ATELIER_BUFFERED_BYTES_MAX: String(1024 * 1024) } });
      return invokeOn(narrow, "sandbox/open-1", Buffer.from(`{"a":"${"x".repeat(2 * 1024 * 1024)}"}`));
    },
  },
  {
    bucket: "service_unavailable",
    status: 503,
    when: "the database is away",
    ofOneProcess: "without the database a free call goes on where the key is known",
    retryAfter: /^[1-9]\d*$/,
    async produce() {
      const database = await testDatabase();
      const wire = await testWire(database.url);
      const env = { DATABASE_URL: wire.url, ATELIER_PROVIDERS: apps.file };
      const lonely = await testApp({ database, logLevel: "silent", env });
      try {
        assert.equal((await invokeOn(lonely, "sandbox/open-1", {})).status, 200);
        await wire.close();
        // A free call without a key needs no record, so it still works.
        assert.equal((await invokeOn(lonely, "sandbox/open-1", {})).status, 200);
        return await invokeOn(lonely, "sandbox/open-1", {}, aKey());
      } finally {
        await lonely.close();
      }
    },
  },
  {
    bucket: "internal_error",
    status: 500,
    when: "the books are not where the statements look for them",
    async produce() {
      const broken = await apps.open();
      await hideKeys(broken.database);
      const key = aKey();
      const answer = await invokeOn(broken, "sandbox/voice-1", { prompt: "x" }, key);
      await showKeys(broken.database);
      assert.equal((await invokeOn(broken, "sandbox/voice-1", { prompt: "x" }, key)).status, 200, "the key is free");
      return answer;
    },
  },
];

const produced = new Set<string>();

for (const each of cases) {
  test(`${each.bucket}, ${each.status}: ${each.when}`, {
    timeout: 900_000,
    ...(each.ofOneProcess === undefined ? {} : notInFleet(each.ofOneProcess)),
  }, async () => {
    const answer = await each.produce();
    assert.deepEqual([answer.status, bucketOf(answer)], [each.status, each.bucket], answer.text);
    assert.match(headerOf(answer, "x-service-request-id") ?? "", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const retryAfter = headerOf(answer, "retry-after");
    if (each.retryAfter) assert.match(retryAfter ?? "", each.retryAfter);
    else assert.equal(retryAfter, undefined);
    assert.equal(headerOf(answer, "cache-control"), "no-store");
    assert.equal(headerOf(answer, "x-content-type-options"), "nosniff");
    // A call that reached a provider and cost nothing says so; a call that never began says nothing.
    const isAsked =
      headerOf(answer, "x-service-upstream-status") !== undefined || /Nothing was charged/.test(answer.text);
    assert.equal(headerOf(answer, "x-service-credits-used"), isAsked ? "0" : undefined);
    const body = answer.json();
    assert.ok(typeof body === "object" && body !== null && "detail" in body);
    if (answer.status === 422) {
      assert.deepEqual(Object.keys(body), ["detail"]);
      assert.ok(Array.isArray(body.detail) && body.detail.length > 0);
    } else assert.deepEqual(body, { detail: body.detail, error_type: each.bucket });
    if (answer.status !== 422) assert.equal(typeof body.detail, "string");
    if (each.bucket === "concurrency_limit_exceeded" && each.status === 429)
      assert.deepEqual(slotsOf(answer), ["1", "1", "0"], "the slots are named");
    produced.add(each.bucket);
  });
}

function slotsOf(answer: AppAnswer) {
  return ["limit", "current", "remaining"].map((name) => headerOf(answer, `x-service-concurrency-${name}`));
}

test("every bucket but client_disconnected was produced, and no other", () => {
  assert.deepEqual([...produced].sort(), routerBuckets.filter((name) => name !== "client_disconnected").sort());
});

test("client_disconnected appears only in the log: 499, and no answer", async () => {
  const leaving = new AbortController();
  const call = request(`${app.baseUrl}/v1/models/scripted/held`, {
    method: "POST",
    headers: { ...bearer(app.key), "content-type": "application/json" },
    body: "{}",
    signal: leaving.signal,
  });
  const left = assert.rejects(call);
  await until("the provider works", () => held.length === 1);
  leaving.abort();
  await left;
  await until("the log says so", () => app.logged.some((line) => line.includes('"client_disconnected"')));
  release();
});

test("a free model needs no balance, and its answer names the slots", async () => {
  const answer = await invokeOn(await asTenant("Poor"), "sandbox/text-1", { prompt: "free" });
  assert.deepEqual([answer.status, headerOf(answer, "x-service-credits-used")], [200, "0"]);
  assert.deepEqual(slotsOf(answer), ["20", "1", "19"]);
});

test("a call refused before the provider is never sent there and never billed", async () => {
  await raiseRates(app, app.workspaceId);
  const runs = await apps.runs();
  const before = (await readOn(app, "/account/credits")).text;
  for (const body of [Buffer.from("{"), Buffer.from(""), { seed: 1 }, [], { prompt: 5 }])
    assert.ok([400, 422].includes((await invokeOn(app, "sandbox/voice-1", body)).status));
  assert.equal((await invokeOn(app, "sandbox/voice-1", { prompt: "x" }, { "idempotency-key": "a b" })).status, 400);
  assert.equal(await apps.runs(), runs);
  assert.equal((await readOn(app, "/account/credits")).text, before);
});
