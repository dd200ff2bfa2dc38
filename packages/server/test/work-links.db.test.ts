// Links to a work: people without an account run this work and nothing else, up to a budget and until a date.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CatalogPage, CreatedWorkLink, type Operation, WorkLinkList } from "@atelier/contract";
import { parseCredits } from "../src/capabilities/prices/index.ts";
import { sql } from "../src/foundation/database/index.ts";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { anyPath, mountedIn } from "./support/app-operations.ts";
import { addTenant, raiseRates } from "./support/app-people.ts";
import { publisher } from "./support/publish-works.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let works: ReturnType<typeof publisher>;
let poster: string;
let other: string;

const posterGraph = {
  "1": {
    class_type: "AtelierModelImage",
    inputs: {
      ...{ model: "sandbox/image-1-queued", prompt: "a lighthouse", width: 64, height: 64, seed: 1 },
      parameters: '{"response_format": "b64_json", "simulate_seconds": 0}',
    },
  },
  "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "poster" } },
};
const posterForm = {
  inputs: [{ name: "seed", node: "1", input: "seed", kind: "integer", minimum: 0, maximum: 1_000_000 }],
  outputs: [{ name: "picture", node: "2" }],
};

before(async () => {
  apps = await sandboxApps();
  app = await apps.open({
    env: { ATELIER_BOOTSTRAP_CREDITS: "100000", ATELIER_ENGINE_SLOTS: "2", ATELIER_JOB_SECOND_CREDITS: "0.001" },
  });
  await raiseRates(app, app.workspaceId);
  works = publisher(app, app.key);
  const workflowId = await works.workflow(posterGraph);
  const body = { workflow_id: workflowId, form: posterForm, examples: [] };
  const published = await works.call("PUT", "poster", body);
  assert.equal(published.status, 201, published.text);
  poster = textOf(published.json(), "id");
  other = (await works.published("other")).work.id;
});
after(() => apps.close());

const later = (ms = 3_600_000) => new Date(Date.now() + ms).toISOString();
const keyIn = ({ url }: CreatedWorkLink) => new URL(url).hash.slice("#key=".length);

async function aLink(budget = "1000", more: object = {}): Promise<{ link: CreatedWorkLink; key: string }> {
  const answer = await works.call("POST", "poster/links", { budget, expires_at: later(), ...more });
  assert.equal(answer.status, 201, answer.text);
  const link = requireValid(CreatedWorkLink, answer.json());
  assert.equal(headerOf(answer, "location"), `/account/works/poster/links/${link.id}`);
  return { link, key: keyIn(link) };
}

const through = (key: string, method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
  app.call({
    method,
    path,
    headers: { ...bearer(key), ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
const bucketOf = (answer: AppAnswer) => [answer.status, headerOf(answer, "x-service-error-type")];
const linkOf = async (id: string) =>
  requireValid(WorkLinkList, (await works.call("GET", "poster/links")).json()).data.find((each) => each.id === id);

describe("a link", () => {
  test("has an address with the secret, which no list shows again, and is not among the keys", async () => {
    const { link, key } = await aLink("5", { label: " The judges " });
    assert.ok(link.url.endsWith(`/w/${poster}#key=${key}`), link.url);
    assert.deepEqual([link.label, link.budget, link.spent, link.ended_at], ["The judges", "5", "0", null]);
    const unlabelled = await aLink();
    assert.equal((await linkOf(unlabelled.link.id))?.label, null);
    const list = await works.call("GET", "poster/links");
    assert.ok(!list.text.includes(key));
    const keys = await works.call("GET", "/account/keys");
    assert.ok(!keys.text.includes(link.id));
    for (const [method, path, body] of [
      ["DELETE", `/account/keys/${link.id}`],
      ["POST", `/account/keys/${link.id}/rotation`, {}],
      ["GET", `/account/keys/${link.id}/caps`],
      ["PUT", `/account/keys/${link.id}/caps`, { daily_credits_max: null, monthly_credits_max: null }],
    ] as const)
      assert.equal((await works.call(method, path, body)).status, 404, `${method} ${path}`);
  });

  test("runs its work, at once and queued, in any version, and pays from its budget", async () => {
    const { link, key } = await aLink();
    const call = await through(key, "POST", `/v1/models/${poster}`, { seed: 11 });
    assert.equal(call.status, 200, call.text);
    assert.equal((await through(key, "POST", `/v1/models/${poster}.v1`, { seed: 12 })).status, 200);
    for (const path of ["", "/openapi.json"])
      assert.equal((await through(key, "GET", `/v1/models/${poster}${path}`)).status, 200, path);
    const estimate = await through(key, "POST", `/v1/models/${poster}/estimate`, { seed: 11 });
    assert.equal(estimate.status, 200, estimate.text);
    const queued = await through(key, "POST", `/v1/models/${poster}/requests`, { seed: 13 });
    assert.equal(queued.status, 202, queued.text);
    const request = `/v1/models/${poster}/requests/${textOf(queued.json(), "request_id")}`;
    await until("the request has completed", async () => (await through(key, "GET", request)).status === 200);
    const listed = requireValid(CatalogPage, (await through(key, "GET", "/v1/models")).json());
    assert.deepEqual(
      listed.data.map(({ id }) => id),
      [poster],
    );
    const used = parseCredits(headerOf(call, "x-service-credits-used") ?? "") ?? 0n;
    assert.ok(used > 0n);
    const spent = parseCredits((await linkOf(link.id))?.spent ?? "") ?? 0n;
    assert.ok(spent >= used * 2n, "every run counts, with its running time");
    const another = await aLink();
    assert.equal((await through(another.key, "GET", request)).status, 404, "of another link");
    assert.equal((await through(another.key, "PUT", `${request}/cancel`)).status, 404);
  });

  test("whose budget cannot pay a run gets 402, and the run does not begin", async () => {
    const { link, key } = await aLink("0.000001");
    const refused = await through(key, "POST", `/v1/models/${poster}`, { seed: 21 });
    assert.deepEqual(bucketOf(refused), [402, "insufficient_credits"], refused.text);
    assert.match(refused.text, /in all/);
    assert.equal((await linkOf(link.id))?.spent, "0");
  });

  test("is spent by several calls at once, and never beyond its budget", async () => {
    const generous = await aLink();
    const one = await through(generous.key, "POST", `/v1/models/${poster}`, { seed: 30 });
    const price = parseCredits(headerOf(one, "x-service-credits-used") ?? "") ?? assert.fail();
    const budget = Number(price * 3n) / 1_000_000 + 0.9;
    const { link, key } = await aLink(budget.toFixed(6));
    const answers = await Promise.all(
      [31, 32, 33, 34, 35, 36, 37, 38].map((seed) => through(key, "POST", `/v1/models/${poster}`, { seed })),
    );
    const statuses = answers.map(({ status }) => status);
    assert.ok(statuses.includes(200), statuses.join());
    assert.ok(
      statuses.some((status) => status !== 200),
      statuses.join(),
    );
    const spent = parseCredits((await linkOf(link.id))?.spent ?? "") ?? 0n;
    assert.ok(spent <= (parseCredits(link.budget) ?? 0n), `${spent} of ${link.budget}`);
  });

  test("that was ended or has expired is 401; ending it twice is no error", async () => {
    const { link, key } = await aLink();
    for (const _ of [1, 2]) assert.equal((await works.call("DELETE", `poster/links/${link.id}`)).status, 204);
    assert.equal((await through(key, "GET", `/v1/models/${poster}`)).status, 401);
    assert.ok((await linkOf(link.id))?.ended_at);
    const short = await aLink();
    await app.database.execute(
      sql`update api_keys set expires_at = now() - interval '1 second' where id = ${short.link.id}`,
    );
    assert.equal((await through(short.key, "GET", `/v1/models/${poster}`)).status, 401);
  });

  test("ends with its work, also if the name is published again", async () => {
    const { workflowId } = await works.published("brief");
    const made = await works.call("POST", "brief/links", { budget: "1", expires_at: later() });
    const key = keyIn(requireValid(CreatedWorkLink, made.json()));
    assert.equal((await through(key, "GET", "/v1/models")).status, 200);
    assert.equal((await works.call("DELETE", "brief")).status, 204);
    assert.equal((await through(key, "GET", "/v1/models")).status, 401);
    await works.call("PUT", "brief", { workflow_id: workflowId, examples: [] });
    assert.equal((await through(key, "GET", "/v1/models")).status, 401);
  });
});

describe("the key of a link", () => {
  let key: string;
  let mounted: readonly Operation[];
  before(async () => {
    ({ key } = await aLink());
    mounted = await mountedIn(app);
  });

  test("opens no other model: not another work, not a partner's, and no webhook", async () => {
    for (const model of [other, "sandbox/image-1", `${poster}-2`, `${poster}.v0`, `${poster}.v1x`, "w.nobody/nothing"])
      for (const [method, end] of [
        ["GET", ""],
        ["GET", "/openapi.json"],
        ["POST", ""],
        ["POST", "/requests"],
      ] as const) {
        const answer = await through(
          key,
          method,
          `/v1/models/${model}${end}`,
          method === "POST" ? { seed: 1 } : undefined,
        );
        assert.equal(answer.status, 404, `${method} ${model}${end}: ${answer.status}`);
      }
    const hook = { "x-service-webhook-url": "https://example.com/hook" };
    assert.equal((await through(key, "POST", `/v1/models/${poster}/requests`, { seed: 1 }, hook)).status, 403);
  });

  const open = [
    ...["listModels", "getModel", "getInputSchema", "estimateModel", "invokeModel", "submitModelRequest"],
    ...["getModelRequestStatus", "getModelRequestResult", "cancelModelRequest"],
  ];

  test("is refused by every other operation that wants a credential", async () => {
    const guarded = mounted.filter(({ access, id }) => access !== "public" && !open.includes(id));
    assert.ok(guarded.length > 150, `${guarded.length}`);
    for (const operation of guarded) {
      const answer = await through(key, operation.method, anyPath(operation));
      const wanted = operation.access === "key" ? [403] : [401, 403];
      assert.ok(wanted.includes(answer.status), `${operation.id}: ${answer.status} ${answer.text.slice(0, 200)}`);
    }
  });

  test("pays for nothing in a job either", async () => {
    const body = { workflow: posterGraph, extra_data: { api_key_service: key } };
    const job = textOf((await works.call("POST", "/api/v2/jobs", body)).json(), "id");
    await until("the job has ended", async () =>
      ["failed", "succeeded"].includes(textOf((await works.call("GET", `/api/v2/jobs/${job}`)).json(), "status")),
    );
    assert.equal(memberOf((await works.call("GET", `/api/v2/jobs/${job}`)).json(), "status"), "failed");
  });
});

describe("making a link", () => {
  test("takes the scope account, a work of one's own, a budget and an end in the future", async () => {
    const body = { budget: "1", expires_at: later() };
    const made = await works.call("POST", "/account/keys", { name: "programs", scopes: ["workflows", "models"] });
    const programs = textOf(made.json(), "secret");
    assert.equal((await works.call("POST", "poster/links", body, {}, programs)).status, 403);
    assert.equal((await works.call("GET", "poster/links", undefined, {}, programs)).status, 403);
    const stranger = await addTenant(app, "stranger");
    for (const [method, end, sent] of [
      ["POST", "", body],
      ["GET", ""],
      ["DELETE", `/${made.json() && textOf(made.json(), "id")}`],
    ] as const)
      assert.equal((await works.call(method, `poster/links${end}`, sent, {}, stranger.key)).status, 404);
    for (const wrong of [
      { ...body, budget: "-1" },
      { ...body, budget: 5 },
      { ...body, expires_at: "2020-01-01T00:00:00.000Z" },
      { ...body, expires_at: "soon" },
      { ...body, label: " " },
    ])
      assert.equal((await works.call("POST", "poster/links", wrong)).status, 400, JSON.stringify(wrong));
    assert.equal(
      (await works.call("DELETE", `poster/links/${textOf(made.json(), "id")}`)).status,
      404,
      "an ordinary key",
    );
    assert.ok(listOf((await works.call("GET", "/account/keys")).json(), "data").length > 0);
  });
});
