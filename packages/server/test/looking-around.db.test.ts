// What a workspace sees after real calls: one whole request, figures over time, failures by kind, and the thing that an
// id stands for; and nothing of another workspace's.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, type Tenant } from "./support/app-people.ts";
import { submitOn } from "./support/model-requests.ts";
import { invokeOn, readOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
let neighbour: Tenant;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_BOOTSTRAP_CREDITS: "1000000" } });
  neighbour = await addTenant(app, "Eve");
});
after(() => apps.close());

const model = "sandbox/image-1";
const priced = "sandbox/image-1-queued";
const readAs = (key: string, path: string) => app.call({ path, headers: bearer(key) });
const requestIdOf = (answer: AppAnswer) =>
  headerOf(answer, "x-service-request-id") ?? assert.fail("an answer names its request");

async function shown(id: string): Promise<unknown> {
  const answer = await readOn(app, `/account/requests/${id}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json();
}

// Usage rows of replays are written soon after their answer, not before it.
async function shownWhen(id: string, isReady: (request: unknown) => boolean): Promise<unknown> {
  return until(`request ${id} is as wanted`, async () => {
    const answer = await readOn(app, `/account/requests/${id}`);
    const request: unknown = answer.status === 200 ? answer.json() : null;
    return request !== null && isReady(request) ? request : null;
  });
}

async function found(q: string, key: string = app.key): Promise<readonly unknown[]> {
  const answer = await readAs(key, `/account/find?q=${encodeURIComponent(q)}`);
  assert.equal(answer.status, 200, answer.text);
  return listOf(answer.json(), "data");
}

const kindsOf = (things: readonly unknown[]) =>
  things.map((thing) => `${textOf(thing, "kind")} ${textOf(thing, "id")}`);

describe("one request, in full", () => {
  test("a call is shown with its money, its key, its answer and its repeats, by its own id and by the call's", async () => {
    const key = { "idempotency-key": randomUUID() };
    const answer = await invokeOn(app, priced, { prompt: "a red fox" }, key);
    assert.equal(answer.status, 200, answer.text);
    const again = await invokeOn(app, priced, { prompt: "a red fox" }, key);
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    const id = requestIdOf(answer);
    const request = await shownWhen(id, (one) => memberOf(one, "replays") === 1);
    assert.deepEqual(
      ["subject", "outcome", "status", "replayed", "credits"].map((name) => memberOf(request, name)),
      [`model:${priced}`, "succeeded", 200, false, headerOf(answer, "x-service-credits-used")],
    );
    assert.equal(typeof memberOf(request, "key_name"), "string");
    assert.equal(memberOf(request, "call", "idempotency_key"), key["idempotency-key"]);
    assert.equal(memberOf(request, "call", "charged"), memberOf(request, "credits"));
    assert.equal(memberOf(request, "answer", "bytes"), answer.bytes.length);
    assert.equal(memberOf(request, "answer", "content_type"), headerOf(answer, "content-type"));
    assert.ok(listOf(request, "credit_lines").some((line) => memberOf(line, "kind") === "settle"));
    const callId = textOf(request, "call", "id");
    assert.deepEqual(memberOf(await shown(callId), "call"), memberOf(request, "call"));
    const repeat = await shown(requestIdOf(again));
    assert.deepEqual([memberOf(repeat, "replayed"), memberOf(repeat, "call", "id")], [true, callId]);
    const listed = await readOn(app, `/account/usage?request_id=${callId}`);
    assert.equal(listOf(listed.json(), "data").length, 2, "the call and its repeat");
    assert.equal(listOf((await readOn(app, `/account/usage?request_id=${id}`)).json(), "data").length, 1);
  });

  test("a refusal that began no call has no money and no answer", async () => {
    const refused = await invokeOn(app, "sandbox/nothing", { prompt: "x" });
    assert.equal(refused.status, 404);
    const wrong = await invokeOn(app, model, { prompt: 7 });
    assert.equal(wrong.status, 422, wrong.text);
    const shown = await shownWhen(requestIdOf(wrong), () => true);
    assert.deepEqual(
      ["outcome", "status", "credits", "call", "answer"].map((name) => memberOf(shown, name)),
      ["invalid_input", 422, "0", null, null],
    );
    const queued = await submitOn(app, priced, { prompt: "dear" }, { "x-service-max-credits": "0.000001" });
    const dear = await shownWhen(requestIdOf(queued), () => true);
    assert.deepEqual([memberOf(dear, "outcome"), memberOf(dear, "status")], ["invalid_input", queued.status]);
  });

  test("a queued call is shown from its submission on, by the id in its answer", async () => {
    const submitted = await submitOn(app, model, { prompt: "a lighthouse" });
    assert.equal(submitted.status, 202, submitted.text);
    const id = textOf(submitted.json(), "request_id");
    const first = await shown(id);
    assert.equal(memberOf(first, "queued", "request_id"), id);
    const ended = await shownWhen(id, (one) => memberOf(one, "outcome") !== null);
    assert.equal(memberOf(ended, "queued", "status"), "COMPLETED");
    assert.equal(memberOf(ended, "call", "id"), id);
    assert.equal(memberOf(await shown(requestIdOf(submitted)), "call", "id"), id, "also by the submission's own id");
    assert.deepEqual(kindsOf(await found(id)), [`request ${id}`]);
  });

  test("an unknown, foreign or invalid id is 404", async () => {
    const answer = await invokeOn(app, priced, { prompt: "mine" });
    const id = requestIdOf(answer);
    const callId = textOf(await shown(id), "call", "id");
    for (const [key, wanted] of [
      [neighbour.key, id],
      [neighbour.key, callId],
      [app.key, randomUUID()],
      [app.key, "nothing"],
    ] as const) {
      assert.equal((await readAs(key, `/account/requests/${wanted}`)).status, 404);
      assert.deepEqual(await found(wanted, key), []);
    }
  });
});

describe("figures", () => {
  test("a series, the errors and the models count the calls that were made, and none of another workspace", async () => {
    const counted = await invokeOn(app, model, { prompt: "counted" });
    const free = await shownWhen(requestIdOf(counted), () => true);
    assert.deepEqual(
      [memberOf(free, "outcome"), memberOf(free, "call")],
      ["succeeded", null],
      "a free call has no books",
    );
    const series = (await readOn(app, "/account/usage/series?by=family")).json();
    assert.equal(memberOf(series, "step"), "hour");
    const total = Number(memberOf(series, "total", "calls"));
    assert.ok(total >= 1);
    const rows = listOf((await readOn(app, "/account/usage?limit=100&replayed=false")).json(), "data");
    assert.equal(total, rows.length);
    const stats = listOf((await readOn(app, "/account/models/stats")).json(), "data");
    assert.ok(stats.some((one) => memberOf(one, "model") === model && Number(memberOf(one, "p50_ms")) >= 0));
    const errors = (await readOn(app, "/account/errors")).json();
    assert.equal(memberOf(errors, "total", "count"), memberOf(series, "total", "failures"));
    for (const path of ["/account/usage/series?by=subject", "/account/errors", "/account/models/stats"]) {
      assert.deepEqual(listOf((await readAs(neighbour.key, path)).json(), "data"), [], path);
    }
  });

  test("the step is chosen to fill a chart, and one with too many points is refused", async () => {
    const now = Date.now();
    const span = (hours: number) => `from=${new Date(now - hours * 3_600_000).toISOString()}`;
    const stepOf = async (query: string) =>
      memberOf((await readOn(app, `/account/usage/series?${query}`)).json(), "step");
    assert.equal(await stepOf(span(1)), "minute");
    assert.equal(await stepOf(span(24 * 7)), "hour");
    assert.equal(await stepOf(span(24 * 30)), "day");
    for (const wrong of [
      `${span(26)}&step=minute`,
      `${span(24 * 70)}&step=hour`,
      span(24 * 401),
      `to=${new Date(now - 86_400_000).toISOString()}&from=${new Date(now).toISOString()}`,
      "step=week",
      "by=day",
      "latency=yes",
      "family=all",
      "failed=1",
    ]) {
      assert.equal((await readOn(app, `/account/usage/series?${wrong}`)).status, 400, wrong);
    }
    assert.equal((await readOn(app, "/account/models/stats?hours=169")).status, 400);
    assert.equal((await readOn(app, "/account/errors?limit=many")).status, 400);
  });
});

describe("finding", () => {
  test("models by parts of their names, keys by their beginnings, and a whole key by its public part", async () => {
    assert.equal(kindsOf(await found("SANDBOX/image-1"))[0], "model sandbox/image-1");
    assert.ok(kindsOf(await found("image-1")).includes("model sandbox/image-1"));
    const [byBeginning] = await found(app.key.slice(0, 14));
    assert.equal(memberOf(byBeginning, "kind"), "key");
    assert.deepEqual(await found(app.key), [byBeginning], "a whole key finds itself");
    assert.ok(!JSON.stringify(byBeginning).includes(app.key));
    assert.deepEqual(kindsOf(await found(app.key.slice(0, 14), neighbour.key)), []);
  });

  test("an asset by its id, its hash and the first digits of it", async () => {
    const boundary = "between";
    const field = (name: string, value: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
    const part = `${field("content_type", "text/plain")}${field("file_path", "note.txt")}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain`;
    const stored = await app.call({
      method: "POST",
      path: "/api/v2/assets",
      headers: { ...bearer(app.key), "content-type": `multipart/form-data; boundary=${boundary}` },
      body: `${part}\r\n\r\nfound again\r\n--${boundary}--\r\n`,
    });
    assert.ok(stored.status < 300, stored.text);
    const id = textOf(stored.json(), "id");
    const hash = textOf(stored.json(), "hash");
    for (const q of [id, hash, hash.slice("blake3:".length), hash.slice(0, "blake3:".length + 9), hash.slice(7, 15)]) {
      assert.deepEqual(kindsOf(await found(q)), [`asset ${id}`], q);
      assert.deepEqual(await found(q, neighbour.key), [], q);
    }
    assert.deepEqual(await found(hash.slice(7, 14)), [], "seven digits are too few");
  });

  test("odd characters find nothing and are no error; an overlong text is one", async () => {
    for (const q of [
      "'; drop table jobs; --",
      "%",
      "_",
      "\0",
      "💥".repeat(100),
      " ",
      "\\",
      "'",
      ":*",
      "&|!",
      "<script>",
    ]) {
      await found(q);
    }
    for (const path of [
      "/account/find",
      "/account/find?q=",
      `/account/find?q=${"x".repeat(201)}`,
      "/account/find?q=a&q=b",
    ]) {
      assert.equal((await readOn(app, path)).status, 400, path);
    }
  });
});
