// Queued model calls through the SDK, against the real server.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer } from "../../server/test/support/app-client.ts";
import { addTenant } from "../../server/test/support/app-people.ts";
import { type SandboxApps, sandboxApps } from "../../server/test/support/sandbox-app.ts";
import type { TestApp } from "../../server/test/support/test-app.ts";
import {
  AlreadyCompleted,
  Atelier,
  Cancelled,
  InvalidInput,
  type ModelRequest,
  ProviderError,
  RequestNotCompleted,
  RequestNotFound,
} from "../src/index.ts";

let apps: SandboxApps;
let app: TestApp;
let atelier: Atelier;

before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
  atelier = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
});
after(() => apps.close());

const idOf = ({ request_id: id }: ModelRequest): string => id;

describe("a queued model call", { timeout: 900_000 }, () => {
  const input = { prompt: "a haiku about tea", seed: 18446744073709551615n };

  test("subscribe gives the model's answer, and the id collects the very same bytes elsewhere", async () => {
    const updates: string[] = [];
    let id = "";
    const answer = await atelier.models.subscribe("sandbox/open-1", input, {
      onSubmit: (request) => {
        id = request.id;
      },
      onUpdate: ({ status }) => updates.push(status),
    });
    assert.match(new TextDecoder().decode(answer.bytes), /18446744073709551615/);
    assert.equal(updates.at(-1), "COMPLETED");
    const elsewhere = new Atelier({ baseUrl: app.baseUrl, apiKey: app.key });
    const found = await elsewhere.models.request("sandbox/open-1", id);
    assert.deepEqual((await found.result()).bytes, answer.bytes);
    const collected = await (await elsewhere.requests.find(id)).result();
    assert.deepEqual(collected.bytes, answer.bytes);
    assert.equal(collected.idempotencyKey, null);
    await assert.rejects(found.cancel(), AlreadyCompleted);
    const listed = await Array.fromAsync(atelier.requests.list({ status: "COMPLETED", model: "sandbox/open-1" }));
    assert.ok(listed.map(idOf).includes(id));
  });

  test("a submission whose answer was lost is sent again under its key, and is one request", async () => {
    let lost = 0;
    const losing = new Atelier({
      baseUrl: app.baseUrl,
      apiKey: app.key,
      fetch: async (...asked) => {
        const answer = await fetch(...asked);
        if (String(asked[0]).endsWith("/requests") && lost++ === 0) throw new TypeError("the line was cut");
        return answer;
      },
    });
    const before = (await Array.fromAsync(atelier.requests.list())).length;
    const request = await losing.models.submit("sandbox/open-1", input);
    assert.equal(lost, 2);
    await request.wait();
    assert.equal((await Array.fromAsync(atelier.requests.list({ pageSize: 1 }))).length, before + 1);
  });

  test("a waiting request says so and can be cancelled for free, and a failing one throws the typed failure", async () => {
    const tenant = await addTenant(app, "queue");
    const admin = (method: "POST" | "PUT", path: string, body: object) =>
      app.call({
        method,
        path: `/admin/workspaces/${tenant.workspaceId}/${path}`,
        headers: bearer(app.adminToken),
        body,
      });
    assert.equal((await admin("POST", "credits", { amount: "100" })).status, 201);
    const narrowed = await admin("PUT", "limits/concurrency", { value: 1 });
    assert.equal(narrowed.status, 200, narrowed.text);
    const own = new Atelier({ baseUrl: app.baseUrl, apiKey: tenant.key });
    const image = (more: object) => ({ prompt: "x", width: 64, height: 64, ...more });
    const running = await own.models.submit("sandbox/image-1-queued", image({ simulate_seconds: 3 }));
    const waiting = await own.models.submit("sandbox/image-1-queued", image({}));
    assert.equal(waiting.current?.status, "IN_QUEUE");
    await assert.rejects(waiting.result(), RequestNotCompleted);
    const cancelled = await waiting.cancel();
    assert.deepEqual(
      [cancelled.status, cancelled.error_type, cancelled.code],
      ["COMPLETED", "invalid_input", "cancelled"],
    );
    await assert.rejects(waiting.result(), Cancelled);
    await assert.rejects(own.models.subscribe("sandbox/image-1-queued", image({ simulate: "fail" })), ProviderError);
    assert.equal((await running.wait()).error_type, undefined);
    await assert.rejects(own.models.submit("sandbox/image-1-queued", { prompt: 5 }), InvalidInput);
    await assert.rejects(
      own.requests.find(running.id.replace(/.$/, (last) => (last === "0" ? "1" : "0"))).then((it) => it.status()),
      RequestNotFound,
    );
    await assert.rejects(atelier.models.request("sandbox/image-1-queued", running.id), RequestNotFound, "another's");
  });

  test("an abort stops waiting, and the request goes on", async () => {
    const stop = new AbortController();
    let id = "";
    const slow = { prompt: "x", width: 64, height: 64, simulate_seconds: 1.5 };
    const subscribed = atelier.models.subscribe("sandbox/image-1-queued", slow, {
      signal: stop.signal,
      onSubmit: (request) => {
        id = request.id;
        stop.abort(new Error("enough"));
      },
    });
    await assert.rejects(subscribed, /enough/);
    const left = await atelier.models.request("sandbox/image-1-queued", id);
    assert.equal((await left.wait()).error_type, undefined, "it went on");
    assert.equal((await left.result()).contentType, "application/json");
  });
});
