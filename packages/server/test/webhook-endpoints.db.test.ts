// Endpoints over HTTP and two gateways: every kind of event reaches those that ask for it once, and what people may not do.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { CreatedWebhookEndpoint, type NewWebhookEndpoint, WebhookEndpoint, webhookEventTypes } from "@atelier/contract";
import { Webhook } from "standardwebhooks";
import { requireValid } from "../src/foundation/json/schema.ts";
import { type AppAnswer, bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addMember, addTenant } from "./support/app-people.ts";
import { makeDeployment } from "./support/deployment-example-calls.ts";
import { submitOn } from "./support/model-requests.ts";
import { type HookReceiver, hookReceiver, pixel, relightPath } from "./support/partner-app.ts";
import { createPublisher, packed, publish } from "./support/publishing.ts";
import { invokeOn } from "./support/router-calls.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const path = "/account/webhooks/endpoints";
const graph = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
};
let app: TestApp;
let other: TestApp;
let receiver: HookReceiver;
before(async () => {
  receiver = await hookReceiver();
  const env = { ATELIER_SANDBOX: "on", ATELIER_WEBHOOK_TARGETS: receiver.target };
  app = await testApp({ env });
  other = await testApp({ env, beside: app });
});
after(async () => {
  await other.close();
  await app.close();
  await receiver.close();
});

const send = (method: string, at: string, body?: unknown, key = app.key): Promise<AppAnswer> =>
  app.call({ method, path: at, headers: bearer(key), ...(body === undefined ? {} : { body }) });
let made = 0;
async function add(types: readonly string[], more: Partial<NewWebhookEndpoint> = {}) {
  made += 1;
  const answer = await send("POST", path, { url: `${receiver.url}/${made}`, types, ...more });
  assert.equal(answer.status, 201, answer.text);
  assert.equal(answer.headers["cache-control"], "no-store");
  return requireValid(CreatedWebhookEndpoint, answer.json());
}
const look = async (id: string) => requireValid(WebhookEndpoint, (await send("GET", `${path}/${id}`)).json());
const drop = async (...ids: readonly { readonly id: string }[]) => {
  for (const { id } of ids) assert.equal((await send("DELETE", `${path}/${id}`)).status, 204);
};
// The deliveries to one endpoint, as it can verify them.
const gotBy = ({ secret }: { readonly secret: string }) =>
  receiver.hooks.filter(({ text, headers }) => {
    try {
      return new Webhook(secret).verify(text, headers) !== undefined;
    } catch {
      return false;
    }
  });
const typesOf = (endpoint: { readonly secret: string }) => gotBy(endpoint).map(({ value }) => String(value["type"]));
async function runJob(at: TestApp, more: object = {}): Promise<string> {
  const body = { workflow: graph, ...more };
  const answer = await at.call({ method: "POST", path: "/api/v2/jobs", headers: bearer(app.key), body });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

describe("an event reaches every endpoint that asks for it, once", () => {
  test("jobs: by type and tag, from any gateway at once, beside the address that a job names itself", {
    timeout: 900_000,
  }, async () => {
    const ends = await add(["job.succeeded", "job.failed"]);
    const all = await add(
      webhookEventTypes.filter((type) => type.startsWith("job.")),
      { filter: { tag: "project=spring" } },
    );
    const plain = await runJob(other);
    const tagged = await runJob(other, { webhook_url: `${receiver.url}/own`, metadata: { project: "spring" } });
    await until("both jobs were sent", () => typesOf(ends).length >= 2 && typesOf(all).length >= 2);
    assert.deepEqual(typesOf(ends), ["job.succeeded", "job.succeeded"]);
    assert.deepEqual(typesOf(all).sort(), ["job.running", "job.succeeded"]);
    assert.deepEqual(
      gotBy(ends)
        .map(({ value }) => value["id"])
        .sort(),
      [plain, tagged].sort(),
    );
    const log = async (query: string) =>
      listOf((await send("GET", `/account/webhooks/deliveries?${query}`)).json(), "data");
    await until("its own address got both changes", async () => {
      const own = (await log(`subject_id=${tagged}`)).filter((one) => memberOf(one, "endpoint_id") === null);
      return own.length === 2 && own.every((one) => textOf(one, "status") === "delivered");
    });
    const delivered = await log(`endpoint_id=${all.id}`);
    assert.deepEqual(
      delivered.map((one) => [textOf(one, "subject_id"), textOf(one, "endpoint_id"), textOf(one, "url")]),
      [1, 2].map(() => [tagged, all.id, all.url]),
    );
    assert.equal((await look(all.id)).last_delivery?.status, "delivered");
    await drop(ends, all);
  });

  test("queued calls and partner tasks: by model, provider and partner; direct calls have none", {
    timeout: 900_000,
  }, async () => {
    const types = ["model_request.completed", "partner_task.running", "partner_task.completed"];
    const one = await add(types, { filter: { model: "sandbox/text-1" } });
    const provider = await add(types, { filter: { model: "sandbox" } });
    const partner = await add(types, { filter: { model: "partner-a", tag: "project=spring" } });
    const headers = { "x-service-tags": '{"project":"spring"}' };
    const call = { call: app.call.bind(app), key: app.key };
    assert.equal((await invokeOn(call, "sandbox/text-1", { prompt: "tea" })).status, 200);
    const queued = await submitOn(call, "sandbox/text-1", { prompt: "tea" });
    assert.equal(queued.status < 300, true, queued.text);
    const voice = await submitOn(call, "sandbox/voice-1", { prompt: "tea" });
    assert.equal(voice.status < 300, true, voice.text);
    const task = await app.call({
      method: "POST",
      path: relightPath,
      headers: { ...bearer(app.key), ...headers },
      body: { image: pixel },
    });
    assert.equal(task.status, 200, task.text);
    await until("all were sent", () => typesOf(one).length + typesOf(provider).length + typesOf(partner).length >= 5);
    assert.deepEqual(typesOf(one), ["model_request.completed"]);
    assert.deepEqual(typesOf(provider), ["model_request.completed", "model_request.completed"]);
    assert.deepEqual(typesOf(partner).sort(), ["partner_task.completed", "partner_task.running"]);
    await drop(one, provider, partner);
  });

  test("budgets, deployments and versions of the workspace's own nodes", { timeout: 900_000 }, async () => {
    const budget = await add(["budget.threshold"]);
    const [mine, foreign] = [
      await makeDeployment(app, { workspace_id: app.workspaceId, workers_max: 2 }),
      await makeDeployment(app, { workspace_id: app.workspaceId, workers_max: 2 }),
    ];
    const scale = await add(["deployment.scale"], { filter: { deployment: mine } });
    const versions = await add(["node_version.published", "node_version.flagged", "node_version.banned"]);
    const limit = { scope: "end_user", subject: "ann", period: "day", amount: "0.000001", at_limit: "warn" };
    assert.equal((await send("PUT", "/account/budgets/tiny", limit)).status, 201);
    const call = { call: app.call.bind(app), key: app.key };
    const paid = await invokeOn(call, "sandbox/voice-1", { prompt: "tea" }, { "x-service-end-user": "ann" });
    assert.equal(paid.status, 200, paid.text);
    for (const id of [mine, foreign])
      await app.call({
        method: "POST",
        path: `/deployment/${id}/api/v2/jobs`,
        headers: bearer(app.key),
        body: { workflow: graph },
      });
    const publisher = await createPublisher(app, "endpoint-tests");
    const [clean, bad] = [
      { nodeId: "clean-node", version: "1.0.0" },
      { nodeId: "bad-node", version: "1.0.0" },
    ];
    await publish(app, publisher, clean);
    await publish(app, publisher, bad, packed(publisher.id, bad, [{ name: "a.py", bytes: "eval('1' + input())\n" }]));
    await app.call({
      ...{ method: "PUT", path: "/admin/nodes/clean-node/versions/1.0.0", headers: bearer(app.adminToken) },
      body: { status: "NodeVersionStatusBanned", status_reason: "It was taken over." },
    });
    await until(
      "all were sent",
      () => typesOf(budget).length >= 1 && typesOf(scale).length >= 1 && typesOf(versions).length >= 3,
    );
    assert.deepEqual([...new Set(typesOf(budget))], ["budget.threshold"]);
    assert.equal(new Set(gotBy(budget).map(({ value }) => value["threshold"])).size, gotBy(budget).length);
    assert.deepEqual([...new Set(gotBy(scale).map(({ value }) => value["id"]))], [mine]);
    const told = gotBy(versions).map(({ value }) => [value["type"], value["node_id"], value["sequence"]]);
    assert.deepEqual(told.sort(), [
      ["node_version.banned", "clean-node", 2],
      ["node_version.flagged", "bad-node", 1],
      ["node_version.published", "clean-node", 1],
    ]);
    const flagged = gotBy(versions).find(({ value }) => value["type"] === "node_version.flagged")?.value;
    assert.deepEqual(memberOf(flagged, "findings", 0, "code"), "python_eval");
    const banned = gotBy(versions).find(({ value }) => value["type"] === "node_version.banned")?.value;
    assert.equal(banned?.["status_reason"], "It was taken over.");
    await drop(budget, scale, versions);
  });
});

test("a test event is signed for the endpoint; pausing, resuming and rotating say what is so now", async () => {
  const endpoint = await add(["job.succeeded"], { description: "Production" });
  const paused = await send("POST", `${path}/${endpoint.id}/pause`);
  assert.equal(textOf(paused.json(), "status"), "paused");
  assert.match(textOf(paused.json(), "status_detail"), /Resume it/);
  const tested = await send("POST", `${path}/${endpoint.id}/test`);
  assert.equal(tested.status, 202, tested.text);
  await until("the test arrived", () => typesOf(endpoint).includes("webhook.test"));
  const missed = await runJob(app);
  await until("the event is in the log", async () => {
    const log = await send("GET", `/account/webhooks/deliveries?endpoint_id=${endpoint.id}&status=dead`);
    return listOf(log.json(), "data").some((one) => textOf(one, "subject_id") === missed);
  });
  const resumed = await send("POST", `${path}/${endpoint.id}/resume`);
  assert.deepEqual([textOf(resumed.json(), "status"), memberOf(resumed.json(), "status_detail")], ["active", null]);
  const rotated = await send("POST", `${path}/${endpoint.id}/secrets`, { overlap_seconds: 0 });
  assert.equal(rotated.status, 201);
  const fresh = { secret: textOf(rotated.json(), "secret") };
  await send("POST", `${path}/${endpoint.id}/test`);
  await until("the new secret signs", () => typesOf(fresh).length === 1);
  assert.equal(typesOf(endpoint).length, 1);
  const changed = await send("PATCH", `${path}/${endpoint.id}`, { types: ["job.failed"], filter: { tag: "a=b" } });
  const { types, filter, description } = requireValid(WebhookEndpoint, changed.json());
  assert.deepEqual([types, filter, description], [["job.failed"], { tag: "a=b" }, "Production"]);
  const audit = await app.call({ path: "/admin/audit?limit=100", headers: bearer(app.adminToken) });
  const actions = listOf(audit.json(), "data")
    .map((entry) => textOf(entry, "action"))
    .filter((action) => action.startsWith("webhook_endpoint."));
  for (const action of ["create", "pause", "resume", "rotate_secret", "update", "delete"])
    assert.ok(actions.includes(`webhook_endpoint.${action}`), action);
  assert.doesNotMatch(audit.text, new RegExp(`whsec_|${receiver.url}/`));
  await drop(endpoint);
});

describe("what is refused", () => {
  test("400 to addresses we never call, unknown types and filters, each with its field", async () => {
    const good = { url: `${receiver.url}/refused`, types: ["job.succeeded"] };
    const cases: readonly [change: object, field: RegExp][] = [
      [{ url: "https://10.0.0.1/hook" }, /url must be an https URL of a public host/],
      [{ url: "https://127.0.0.1:1/hook" }, /url must be/],
      [{ url: "https://[::ffff:169.254.169.254]/" }, /url must be/],
      [{ url: "http://hooks.example.com/" }, /url must be/],
      [{ url: "https://user:pass@hooks.example.com/" }, /url must be/],
      [{ url: "not a url" }, /url/],
      [{ url: `https://hooks.example.com/${"x".repeat(2048)}` }, /url must be at most 2048/],
      [{ types: [] }, /types/],
      [{ types: ["job.done"] }, /types/],
      [{ types: ["webhook.test"] }, /types/],
      [{ types: ["job.succeeded", "job.succeeded"] }, /types/],
      [{ filter: { tag: "spring" } }, /filter\/tag/],
      [{ filter: { tag: "a b=c" } }, /filter\/tag has the key/],
      [{ filter: { tag: "a=\u0000" } }, /filter\/tag/],
      [{ filter: { colour: "blue" } }, /filter/],
      [{ filter: { model: "sandbox" } }, /filter\/model does not apply to job.succeeded/],
      [{ description: "x".repeat(201) }, /description/],
      [{ description: "a\u0000b" }, /description/],
      [{ secret: "whsec_mine" }, /secret/],
    ];
    for (const [change, field] of cases) {
      const answer = await send("POST", path, { ...good, ...change });
      assert.deepEqual(
        [answer.status, field.test(answer.text)],
        [400, true],
        `${JSON.stringify(change).slice(0, 80)}: ${answer.text}`,
      );
    }
    const endpoint = await add(["job.succeeded"]);
    const private_ = await send("PATCH", `${path}/${endpoint.id}`, { url: "https://192.168.1.1/" });
    assert.equal(private_.status, 400);
    const apart = await send("PATCH", `${path}/${endpoint.id}`, { filter: { model: "sandbox" } });
    assert.match(apart.text, /does not apply to job.succeeded/);
    assert.deepEqual((await look(endpoint.id)).filter, {});
    await drop(endpoint);
  });

  test("403 to members and to keys without the scope; members may read and test", async () => {
    const endpoint = await add(["job.succeeded"]);
    const member = await addMember(app, "Mia");
    const writes: readonly [method: string, at: string, body?: object][] = [
      ["POST", path, { url: `${receiver.url}/m`, types: ["job.failed"] }],
      ["PATCH", `${path}/${endpoint.id}`, { description: "mine" }],
      ["DELETE", `${path}/${endpoint.id}`],
      ["POST", `${path}/${endpoint.id}/secrets`],
      ["POST", `${path}/${endpoint.id}/pause`],
      ["POST", `${path}/${endpoint.id}/resume`],
    ];
    for (const [method, at, body] of writes)
      assert.equal((await send(method, at, body, member.jwt)).status, 403, `${method} ${at}`);
    assert.equal((await send("GET", path, undefined, member.jwt)).status, 200);
    assert.equal((await send("POST", `${path}/${endpoint.id}/test`, undefined, member.jwt)).status, 202);
    const key = await send("POST", "/account/keys", { name: "models only", scopes: ["models"] });
    const narrow = textOf(key.json(), "secret");
    for (const [method, at, body] of [["GET", path] as const, ...writes])
      assert.equal((await send(method, at, body, narrow)).status, 403, `${method} ${at}`);
    await drop(endpoint);
  });

  test("409 to an address that has an endpoint, with its id", async () => {
    const endpoint = await add(["job.succeeded"]);
    const again = await send("POST", path, { url: endpoint.url, types: ["job.failed"] });
    assert.equal(again.status, 409);
    assert.match(again.text, new RegExp(endpoint.id));
    await drop(endpoint);
  });
});

test("another workspace's events and endpoints stay its own", async () => {
  const eve = await addTenant(app, "Eve");
  const endpoint = await add(["job.succeeded"]);
  const theirs = await send("POST", path, { url: `${receiver.url}/eve`, types: ["job.succeeded"] }, eve.key);
  const seen = { secret: textOf(theirs.json(), "secret") };
  const mine = await runJob(app);
  await until("my event arrived", () => typesOf(endpoint).length === 1);
  assert.deepEqual([gotBy(endpoint)[0]?.value["id"], gotBy(seen)], [mine, []]);
  assert.equal((await send("GET", `${path}/${endpoint.id}`, undefined, eve.key)).status, 404);
  await drop(endpoint);
});
