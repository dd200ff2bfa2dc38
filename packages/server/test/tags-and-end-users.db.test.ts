// Tags and end users over HTTP: every way to make a call carries them into usage, and usage is listed and added up by them.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { UsagePage, UsageSeries } from "@atelier/contract";
import { requireValid } from "../src/foundation/json/schema.ts";
import { bearer, memberOf, textOf } from "./support/app-client.ts";
import { submitted } from "./support/model-requests.ts";
import { bucketOf, invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

const model = "sandbox/voice-1";
const input = { prompt: "waves" };
let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_BOOTSTRAP_CREDITS: "1000", ATELIER_DIALECT: "openai" } });
});
after(() => apps.close());

const tagged = (tags: object, endUser?: string) => ({
  "x-service-tags": JSON.stringify(tags).replace("ö", "\\u00f6"),
  ...(endUser === undefined ? {} : { "x-service-end-user": endUser }),
});
const usage = async (query: string) => {
  const answer = await app.call({ path: `/account/usage?${query}`, headers: bearer(app.key) });
  assert.equal(answer.status, 200, answer.text);
  return requireValid(UsagePage, answer.json()).data;
};
const rowsOf = (query: string, count: number) =>
  until(`${count} rows of ${query}`, async () => {
    const rows = await usage(query);
    return rows.length === count ? rows : null;
  });

test("direct, replayed, refused, queued and OpenAI-shaped calls, and a job's nodes, are counted under their labels", {
  timeout: 900_000,
}, async () => {
  const key = { "idempotency-key": "tagged-once" };
  for (const _ of [1, 2])
    assert.equal((await invokeOn(app, model, input, { ...tagged({ way: "direct" }, "ann"), ...key })).status, 200);
  assert.equal((await invokeOn(app, model, { wrong: 1 }, tagged({ way: "direct" }, "ann"))).status, 422);
  const direct = await rowsOf("tag=way=direct", 3);
  assert.deepEqual(direct.map(({ outcome, end_user }) => [outcome, end_user]).sort(), [
    ["invalid_input", "ann"],
    ["replayed", "ann"],
    ["succeeded", "ann"],
  ]);

  const queued = await submitted(app, model, input, tagged({ way: "queued", city: "Köln" }));
  await queued.until("COMPLETED");
  const [row] = await rowsOf("tag=way=queued", 1);
  assert.deepEqual([row?.tags, row?.end_user], [{ way: "queued", city: "Köln" }, null]);

  const chat = { model: "sandbox/text-1", messages: [{ role: "user", content: "hi" }] };
  const headers = { ...bearer(app.key), "content-type": "application/json" };
  const body = { ...chat, user: "bob", metadata: { way: "openai" } };
  const answered = await app.call({ method: "POST", path: "/openai/v1/chat/completions", headers, body });
  assert.equal(answered.status, 200, answered.text);
  assert.equal((await rowsOf("tag=way=openai&end_user=bob", 1)).length, 1);

  const workflow = {
    "1": {
      class_type: "AtelierModelImage",
      inputs: { model: "sandbox/image-1", prompt: "x", width: 64, height: 64, seed: 1, parameters: "{}" },
    },
    "2": { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "x" } },
  };
  const job = await app.call({
    method: "POST",
    path: "/api/v2/jobs",
    headers: { ...headers, "x-service-end-user": "cem" },
    body: { workflow, metadata: { way: "job" } },
  });
  assert.equal(job.status, 201, job.text);
  const [node] = await rowsOf("tag=way=job&family=model", 1);
  assert.equal(node?.end_user, "cem");

  const series = await app.call({ path: "/account/usage/series?by=tag&tag_key=way", headers });
  const { groups, total } = requireValid(UsageSeries, series.json());
  assert.deepEqual(new Set(groups.map((group) => group.key)), new Set(["direct", "job", "openai", "queued"]));
  assert.equal(
    total.calls,
    groups.reduce((sum, { calls }) => sum + calls, 0),
  );
});

test("a token's end user labels what it calls, and a header cannot name another", { timeout: 900_000 }, async () => {
  const made = await app.call({
    method: "POST",
    path: "/account/tokens",
    headers: bearer(app.key),
    body: { capabilities: ["call_models"], models: [model], credits_max: "100", end_user: "visitor-7" },
  });
  const token = { call: app.call.bind(app), key: textOf(made.json(), "token") };
  assert.equal((await invokeOn(token, model, input)).status, 200);
  assert.equal((await usage("end_user=visitor-7")).length, 1);
  const other = await invokeOn(token, model, input, { "x-service-end-user": "visitor-8" });
  assert.equal(other.status, 403, other.text);
});

test("labels that cannot be stored are refused before anything runs, and bad filters are named", {
  timeout: 900_000,
}, async () => {
  for (const bad of ["project=spring", '{"a":1}', `{"a":"${"x".repeat(300)}"}`]) {
    const answer = await invokeOn(app, model, input, { "x-service-tags": bad });
    assert.deepEqual([answer.status, bucketOf(answer)], [400, "invalid_input"], answer.text);
    assert.match(String(memberOf(answer.json(), "detail")), /X-Service-Tags/);
  }
  for (const query of ["?tag=project", "?end_user=a%20b"]) {
    const answer = await app.call({ path: `/account/usage${query}`, headers: bearer(app.key) });
    assert.equal(answer.status, 400, query);
  }
  for (const query of ["?by=tag", "?by=subject&tag_key=a"]) {
    const answer = await app.call({ path: `/account/usage/series${query}`, headers: bearer(app.key) });
    assert.equal(answer.status, 400, query);
    assert.match(answer.text, /tag_key/);
  }
});
