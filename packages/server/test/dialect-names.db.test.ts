// The dialect at the rim of a whole server: the names of public clients reach the same operations as ours, ours still
// work, and without the switch there is no trace of it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant } from "./support/app-people.ts";
import { type HeldProvider, heldProvider } from "./support/held-provider.ts";
import { createNode, createPublisher, send, someId } from "./support/registry-app.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let plain: TestApp;
let app: TestApp;
let held: HeldProvider;

before(async () => {
  apps = await sandboxApps();
  held = await heldProvider("held");
  const providers = { ATELIER_PROVIDERS: [apps.file, await apps.write("held", held.definition)].join(",") };
  plain = await apps.open({ env: { ...providers, ATELIER_DIALECT: "off" } });
  app = await apps.open({ beside: plain, env: { ...providers, ATELIER_DIALECT: "comfy" } });
});
after(async () => {
  held.flow(true);
  await apps.close();
  await held.close();
});

type Headers = Readonly<Record<string, string>>;
const get = (path: string, headers: Headers = {}) => send(app, "GET", path, { ...bearer(app.key), ...headers });
const post = (path: string, body: unknown, headers: Headers = {}) =>
  send(app, "POST", path, { ...bearer(app.key), ...headers }, body);

describe("the router", () => {
  test("is found under both names, with equal answers", async () => {
    const ours = await get("/v1/models?limit=3");
    const theirs = await get("/v2/models?limit=3");
    assert.equal(theirs.status, 200);
    assert.deepEqual(theirs.json(), ours.json());
    assert.equal(headerOf(theirs, "x-comfy-request-id"), headerOf(theirs, "x-service-request-id"));
    const missing = await get("/v2/models/nobody/nothing");
    assert.equal(missing.status, 404);
    assert.equal(headerOf(missing, "x-comfy-error-type"), "model_not_found");
    assert.equal((await send(app, "GET", "/v2/models")).status, 401);
    assert.equal((await send(app, "DELETE", "/v2/models", bearer(app.key))).status, 405);
  });

  test("answers a call by either name under one key, with the headers of both", async () => {
    const key = { "idempotency-key": someId("k") };
    const body = { prompt: "a boat", width: 64, height: 64 };
    const first = await post("/v2/models/sandbox/image-1?model_provider=default&strict_mode=false", body, key);
    assert.equal(first.status, 200, first.text);
    assert.equal(headerOf(first, "x-comfy-credits-used"), headerOf(first, "x-service-credits-used"));
    assert.equal(headerOf(first, "x-concurrency-limit"), headerOf(first, "x-service-concurrency-limit"));
    assert.equal(headerOf(first, "x-comfy-concurrency-limit"), undefined);
    const again = await post("/v1/models/sandbox/image-1?model_provider=default&strict_mode=false", body, key);
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    assert.deepEqual(again.bytes, first.bytes);
    assert.equal((await post("/v2/models/sandbox/image-1/estimate", body)).status, 200);
  });

  test("queues a call, reports its status and returns its result by their names", async () => {
    const queued = await post("/v2/models/sandbox/image-1/requests", { prompt: "a boat", width: 64, height: 64 });
    assert.equal(queued.status, 201, queued.text);
    const path = `/v2/models/sandbox/image-1/requests/${textOf(queued.json(), "request_id")}`;
    await until("the call has ended", async () => {
      const status = await get(`${path}/status`);
      assert.equal(status.status, 200);
      return textOf(status.json(), "status") === "COMPLETED";
    });
    assert.equal((await get(path)).status, 200);
    assert.equal(
      headerOf(await send(app, "PUT", `${path}/cancel`, bearer(app.key)), "x-comfy-error-type"),
      "already_completed",
    );
  });

  test("matches whole segments in their exact spelling only", async () => {
    for (const path of ["/v2/modelsx", "/V2/models", "/v2//models", "/v2/%6dodels", "/x/v2/models"]) {
      const answer = await get(path);
      assert.equal(answer.status, 404, path);
      assert.equal(headerOf(answer, "x-comfy-error-type"), undefined, path);
    }
  });
});

describe("the router's public shapes", () => {
  const body = { prompt: "a boat" };
  const statusAnd = (answer: { status: number; json(): unknown }, ...names: string[]) => [
    answer.status,
    ...names.map((name) => memberOf(answer.json(), name)),
  ];

  test("a submission is 201 with links of the requested path, and 202 under our name", async () => {
    const theirs = await post("/v2/models/held/free/requests", body);
    const id = textOf(theirs.json(), "request_id");
    const own = `${app.baseUrl}/v2/models/held/free/requests/${id}`;
    const links = ["status_url", "response_url", "cancel_url"] as const;
    assert.deepEqual(statusAnd(theirs, ...links), [201, `${own}/status`, own, `${own}/cancel`]);
    assert.equal(headerOf(theirs, "location"), `${own}/status`);
    assert.deepEqual(statusAnd(await get(`${own.slice(app.baseUrl.length)}/status`), ...links).slice(1), [
      `${own}/status`,
      own,
      `${own}/cancel`,
    ]);
    assert.deepEqual(statusAnd(await get(own.slice(app.baseUrl.length)), "response_url"), [202, own]);
    const ours = await post("/v1/models/held/free/requests", body);
    assert.equal(ours.status, 202);
    assert.match(textOf(ours.json(), "status_url"), /\/v1\/models\//);
    for (const answer of [theirs, ours]) {
      const reference = textOf(answer.json(), "request_id");
      await until("it is at the provider", () => held.calls.find((call) => call.reference === reference) ?? null);
    }
    held.flow(true);
    await until("both have ended", async () => {
      const page = listOf((await get("/v2/requests")).json(), "data");
      return page.every((request) => memberOf(request, "status") === "COMPLETED");
    });
    held.flow(false);
    const taken = await get(own.slice(app.baseUrl.length));
    assert.deepEqual([taken.status, taken.json()], [200, { done: id }]);
  });

  test("a cancel says in the public words whether it was accepted or came too late", async () => {
    const tenant = await addTenant(app, someId("queue"));
    const limit = `/admin/workspaces/${tenant.workspaceId}/limits/concurrency`;
    assert.equal((await send(app, "PUT", limit, bearer(app.adminToken), { value: 1 })).status, 200);
    const ask = (method: string, path: string, sent?: object) => send(app, method, path, bearer(tenant.key), sent);
    const queue = async () => {
      const queued = await ask("POST", "/v2/models/held/free/requests", body);
      return textOf(queued.json(), "request_id");
    };
    const running = await queue();
    const call = await until("it runs", () => held.calls.find(({ reference }) => reference === running) ?? null);
    const waiting = await queue();
    const at = (id: string, version = "v2") => `/${version}/models/held/free/requests/${id}`;
    const cancel = (id: string, version = "v2") => ask("PUT", `${at(id, version)}/cancel`);
    for (const id of [waiting, running]) {
      const heard = await cancel(id);
      assert.equal(heard.status, 202, heard.text);
      assert.deepEqual(heard.json(), { request_id: id, status: "CANCELLATION_REQUESTED" });
    }
    const late = await cancel(waiting);
    assert.deepEqual(statusAnd(late, "request_id", "status", "error_type"), [
      409,
      waiting,
      "ALREADY_COMPLETED",
      "already_completed",
    ]);
    assert.equal(headerOf(late, "x-comfy-error-type"), "already_completed");
    assert.deepEqual(statusAnd(await ask("GET", `${at(waiting)}/status`), "status", "error_type"), [
      200,
      "COMPLETED",
      "cancelled",
    ]);
    assert.deepEqual(statusAnd(await ask("GET", at(waiting)), "error_type"), [409, "cancelled"]);
    // Under our own name nothing is different.
    assert.deepEqual(statusAnd(await cancel(waiting, "v1"), "request_id", "status", "error_type"), [
      409,
      undefined,
      undefined,
      "invalid_input",
    ]);
    assert.deepEqual(statusAnd(await cancel(running, "v1"), "code"), [409, "cancel_refused"]);
    // The cancel was accepted, but the provider went on.
    call.answer();
    await until("it has ended", async () => {
      const seen = (await ask("GET", `${at(running)}/status`)).json();
      return memberOf(seen, "status") === "COMPLETED" && memberOf(seen, "error_type") === undefined;
    });
    const nothing = await cancel("00000000-0000-7000-8000-000000000000");
    assert.deepEqual(statusAnd(nothing, "error_type", "status"), [404, "request_not_found", undefined]);
  });

  test("an estimate names provider, currency and source, and its amount in dollars", async () => {
    const theirs = await post("/v2/models/held/plain/estimate", body);
    assert.deepEqual(statusAnd(theirs, "provider", "currency", "source", "amount", "credits", "hold", "model"), [
      200,
      "held",
      "USD",
      "exact",
      "0.02",
      4.22,
      "4.22",
      "held/plain",
    ]);
    assert.ok(Date.parse(textOf(theirs.json(), "pricing_as_of")) > 0);
    const ours = await post("/v1/models/held/plain/estimate", body);
    assert.deepEqual(statusAnd(ours, "provider", "credits"), [200, undefined, { lowest: "4.22", highest: "4.22" }]);
  });

  test("reject_unknown_fields refuses what the model's schema does not declare, before anything runs", async () => {
    const before = held.calls.length;
    const more = { ...body, colour: "red" };
    for (const path of ["/v2/models/held/free", "/v2/models/held/free/requests"]) {
      const refused = await post(`${path}?reject_unknown_fields=true`, more);
      assert.equal(refused.status, 422, refused.text);
      assert.deepEqual(
        listOf(refused.json(), "detail").map((entry) => [memberOf(entry, "loc"), memberOf(entry, "type")]),
        [[["body", "colour"], "extra_forbidden"]],
      );
      assert.equal((await post(`${path}?reject_unknown_fields=maybe`, body)).status, 400);
      assert.equal((await post(`${path}?reject_unknown_fields=true`, { ...body, x: "y".repeat(1 << 20) })).status, 400);
    }
    assert.equal((await post("/v2/models/held/nothing?reject_unknown_fields=true", body)).status, 404);
    assert.equal(held.calls.length, before);
    held.flow(true);
    assert.equal((await post("/v2/models/held/free?reject_unknown_fields=true", body)).status, 200);
    for (const query of ["", "?reject_unknown_fields=false"])
      assert.equal((await post(`/v2/models/held/free${query}`, more)).status, 200);
    assert.equal((await post("/v1/models/held/free?reject_unknown_fields=true", more)).status, 200);
    held.flow(false);
  });
});

describe("keys", () => {
  test("are shown as public clients expect them, and both spellings of every key work", async () => {
    const made = await post("/account/keys", { name: "for a frontend" });
    assert.equal(made.status, 201, made.text);
    const secret = textOf(made.json(), "secret");
    assert.match(secret, /^comfyui-.{64}$/);
    const own = `service-${secret.slice(8, -17)}`;
    for (const key of [secret, own]) {
      assert.equal((await send(app, "GET", "/v1/models", { "x-api-key": key })).status, 200);
      assert.equal((await send(app, "GET", "/v1/models", bearer(key))).status, 200);
    }
    assert.equal((await send(plain, "GET", "/v1/models", bearer(own))).status, 200);
    assert.equal((await send(plain, "GET", "/v1/models", bearer(secret))).status, 401);
    const bent = `${secret.slice(0, -1)}1`;
    assert.equal((await send(app, "GET", "/v1/models", { "x-api-key": bent })).status, 401);
  });

  test("a key sent with a job is accepted under their name, under ours, and never under both", async () => {
    const workflow = {
      "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
      "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "k" } },
    };
    const submit = (extra_data: object) => post("/api/v2/jobs", { workflow, extra_data });
    assert.equal((await submit({ api_key_comfy_org: app.key })).status, 201);
    assert.equal((await submit({ api_key_service: app.key })).status, 201);
    assert.equal((await submit({ api_key_comfy_org: app.key, api_key_service: app.key })).status, 400);
    assert.equal((await submit({ api_key_comfy_org: app.key, other: 1 })).status, 400);
    assert.equal(
      (
        await send(plain, "POST", "/api/v2/jobs", bearer(app.key), {
          workflow,
          extra_data: { api_key_comfy_org: app.key },
        })
      ).status,
      400,
    );
  });
});

test("jobs are listed in both envelopes, found by their labels, with the times of both", async () => {
  const workflow = {
    "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "l" } },
  };
  const submitted = await post("/api/v2/jobs", { workflow, metadata: { team: "blue" } });
  assert.equal(submitted.status, 201, submitted.text);
  const page = (await get("/api/v2/jobs?metadata[team]=blue&limit=1")).json();
  const [job] = listOf(page, "jobs");
  assert.equal(memberOf(job, "id"), memberOf(listOf(page, "data")[0], "id"));
  assert.deepEqual(memberOf(job, "metadata"), { team: "blue" });
  assert.equal(memberOf(job, "create_time"), memberOf(submitted.json(), "created_at"));
  assert.ok(Date.parse(textOf(job, "update_time")) >= Date.parse(textOf(job, "create_time")));
  assert.equal(memberOf((await send(plain, "GET", "/api/v2/jobs", bearer(app.key))).json(), "jobs"), undefined);
});

test("a redirect to signed bytes says when it expires, and leads there", async () => {
  const form = new FormData();
  form.set("content_type", "text/plain");
  form.set("file_path", "signed.txt");
  form.set("file", new Blob(["signed"]), "signed.txt");
  const uploaded = await fetch(`${app.baseUrl}/api/v2/assets`, {
    method: "POST",
    headers: bearer(app.key),
    body: form,
  });
  const asset: unknown = await uploaded.json();
  const id = textOf(asset, "id");
  const answer = await fetch(`${app.baseUrl}/api/v2/assets/${id}/content`, {
    headers: bearer(app.key),
    redirect: "manual",
  });
  const location = answer.headers.get("location") ?? "";
  assert.match(location, /&X-Goog-Date=\d{8}T\d{6}Z&X-Goog-Expires=\d+$/);
  assert.equal(await (await fetch(location)).text(), "signed");
  assert.equal((await fetch(`${location}&more=1`)).status, 403);
});

describe("the registry", () => {
  let publisherId: string;
  before(async () => {
    publisherId = textOf((await createPublisher(app, bearer(app.key))).json(), "id");
  });

  test("keeps what is sent under their names and shows it under both", async () => {
    const more = { supported_comfyui_version: ">=0.3.1", supported_comfyui_frontend_version: ">=1.2" };
    const id = await createNode(app, bearer(app.key), publisherId, more);
    const seen = (await get(`/nodes/${id}`)).json();
    assert.equal(memberOf(seen, "supported_app_version"), ">=0.3.1");
    assert.equal(memberOf(seen, "supported_comfyui_version"), ">=0.3.1");
    assert.equal(memberOf(seen, "supported_comfyui_frontend_version"), ">=1.2");
    const plainly = (await send(plain, "GET", `/nodes/${id}`)).json();
    assert.equal(memberOf(plainly, "supported_app_version"), ">=0.3.1");
    assert.equal(memberOf(plainly, "supported_comfyui_version"), undefined);
    const both = { id: someId("n"), name: "x", ...more, supported_app_version: "2" };
    assert.equal((await post(`/publishers/${publisherId}/nodes`, both)).status, 400);
  });

  test("gives respelled bodies their own ETags", async () => {
    const id = await createNode(app, bearer(app.key), publisherId);
    const etag = headerOf(await get(`/nodes/${id}`), "etag") ?? "";
    const plainEtag = headerOf(await send(plain, "GET", `/nodes/${id}`), "etag") ?? "";
    assert.notEqual(etag, plainEtag);
    assert.equal((await get(`/nodes/${id}`, { "if-none-match": etag })).status, 304);
    assert.equal((await get(`/nodes/${id}`, { "if-none-match": plainEtag })).status, 200);
  });

  test("answers in the words of the requested path", async () => {
    const id = await createNode(app, bearer(app.key), publisherId);
    const version = { node_version: { version: "1.0.0" }, node: { id } };
    assert.equal((await post(`/publishers/${publisherId}/nodes/${id}/versions`, version)).status, 201);
    const admin = bearer(app.adminToken);
    const theirs = `/nodes/${id}/versions/1.0.0/comfy-nodes/Klass`;
    const put = await send(app, "PUT", theirs, admin, { comfy_node_name: "Klass", policy: "ComfyNodePolicyLocalOnly" });
    assert.equal(put.status, 200, put.text);
    assert.equal(memberOf(put.json(), "policy"), "ComfyNodePolicyLocalOnly");
    const ours = await send(app, "GET", `/nodes/${id}/versions/1.0.0/svc-nodes/Klass`, admin);
    assert.equal(memberOf(ours.json(), "policy"), "NodePolicyLocalOnly");
  });
});

test("badges are requested by their query and found by the names of the public node classes", async () => {
  const answer = await send(app, "GET", "/nodes/pricing/badges?comfyui_version=1.2.3&platform=local");
  assert.equal(answer.status, 200, answer.text);
  const badges = answer.json();
  assert.deepEqual(memberOf(badges, "MagnificImageRelightNode"), memberOf(badges, "PartnerARelightNode"));
  assert.ok(memberOf(badges, "MoonvalleyTxt2VideoNode"));
  assert.equal((await send(plain, "GET", "/nodes/pricing/badges?comfyui_version=1.2.3&platform=local")).status, 400);
});

test("partners are found under their public names", async () => {
  for (const path of ["/proxy/freepik/v1/ai/image-relight", "/proxy/moonvalley/prompts/text-to-video"]) {
    const answer = await post(path, {});
    assert.notEqual(answer.status, 404, path);
    assert.ok(headerOf(answer, "x-comfy-request-id"), path);
  }
});

test("without the switch the other names do not exist, and no answer carries them", async () => {
  assert.equal((await send(plain, "GET", "/v2/models", bearer(app.key))).status, 404);
  const { headers } = await send(plain, "GET", "/v1/models", bearer(app.key));
  assert.deepEqual(
    Object.keys(headers).filter((name) => name.includes("comfy") || name.startsWith("x-concurrency")),
    [],
  );
  const document = await fetch(`${plain.baseUrl}/openapi.json`);
  assert.doesNotMatch(await document.text(), /comfyui-/);
});
