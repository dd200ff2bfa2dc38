// Whichever way a model is called, the safety hook is asked once before and once after: queued calls, nodes of graphs, works,
// routes, streams, the OpenAI-shaped entrance, and calls that another process ends.
import assert from "node:assert/strict";
import { after, afterEach, before, describe, test } from "node:test";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { type FaultyProvider, faultyProvider } from "./support/faulty-provider.ts";
import { invariantsHold } from "./support/model-request-records-store.ts";
import { submitted } from "./support/model-requests.ts";
import { putProvider } from "./support/provider-example-calls.ts";
import { publisher } from "./support/publish-works.ts";
import { aKey, bucketOf, invokeOn, readOn } from "./support/router-calls.ts";
import { recordedUnderKey } from "./support/router-records-store.ts";
import { type SafetyHookProgram, safetyHookProgram } from "./support/safety-hook-program.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";
import { posterForm, posterGraph } from "./support/work-calls.ts";

let apps: SandboxApps;
let hook: SafetyHookProgram;
let app: TestApp;
let one: FaultyProvider;
let two: FaultyProvider;
before(async () => {
  hook = await safetyHookProgram();
  apps = await sandboxApps();
  one = await faultyProvider({ name: "one", usd: "0.02", longestRunSeconds: 2 });
  two = await faultyProvider({ name: "two", usd: "0.05", longestRunSeconds: 2 });
  const env = { ...hook.env("closed"), ATELIER_BOOTSTRAP_CREDITS: "1000000", ATELIER_DIALECT: "comfy,openai" };
  app = await apps.open({ env });
  for (const { definition } of [one, two]) {
    const put = await putProvider(app, definition);
    assert.equal(put.status, 201, put.text);
  }
});
afterEach(async () => {
  hook.answerWith(() => ({ body: allow }));
  hook.asked.length = 0;
  await invariantsHold(app.database);
});
after(async () => {
  await apps.close();
  for (const provider of [one, two]) await provider.close();
  await hook.close();
});

const allow = { verdict: "allow" };
const image = "sandbox/image-1-queued";
const picture = { prompt: "a red fox", width: 64, height: 64 };
const at = (stage: "input" | "answer", body: unknown) =>
  hook.answerWith(({ value }) => ({ body: value["stage"] === stage ? body : allow }));
const askedOf = () => hook.asked.map(({ value }) => `${value["model"]} ${value["stage"]}`);

describe("a queued call", () => {
  test("is asked about when it runs, and its result is what the hook lets through", async () => {
    at("answer", { verdict: "replace", answer: { replaced: true } });
    const request = await submitted(app, image, picture);
    await request.until("COMPLETED");
    assert.equal((await request.result()).text, '{"replaced":true}');
    assert.deepEqual(askedOf(), [`${image} input`, `${image} answer`]);
    const shown = await readOn(app, `/account/requests/${request.id}`);
    assert.deepEqual(
      listOf(shown.json(), "checks").map((check) => memberOf(check, "verdict")),
      ["allowed", "replaced"],
    );
  });

  test("that is refused is completed with the reason, free, and never ran", async () => {
    at("input", { verdict: "refuse", reason: "Not here." });
    const runs = await apps.runs();
    const request = await submitted(app, image, picture);
    const status = await request.until("COMPLETED");
    assert.equal(status["error_type"], "content_policy_violation");
    assert.match(String(status["detail"]), /Not here\.$/);
    assert.equal((await request.result()).status, 400);
    assert.deepEqual([await apps.runs(), status["credits_used"]], [runs, "0"]);
  });

  test("whose input is replaced is charged for the replacement; one that costs more ends unsent", async () => {
    at("input", { verdict: "replace", input: { ...picture, prompt: "a grey fox" } });
    const large = await submitted(app, image, { ...picture, width: 512, height: 512 });
    const small = Number((await large.until("COMPLETED"))["credits_used"]);
    assert.ok(small > 0 && small < 0.1, String(small));
    at("input", { verdict: "replace", input: { ...picture, width: 1024, height: 1024 } });
    const runs = await apps.runs();
    const unfit = await (await submitted(app, image, picture)).until("COMPLETED");
    assert.deepEqual([unfit["error_type"], await apps.runs()], ["internal_error", runs]);
  });

  test("waits in the queue while the hook gives no verdict", async () => {
    hook.answerWith(() => ({ status: 400, body: {} }));
    const runs = await apps.runs();
    const request = await submitted(app, image, picture);
    await until("the hook was asked twice", async () => (hook.asked.length >= 2 ? true : null));
    assert.equal(await apps.runs(), runs);
    hook.answerWith(() => ({ body: allow }));
    await request.until("COMPLETED");
    assert.equal((await request.result()).status, 200);
    assert.equal(await apps.runs(), runs + 1);
  });
});

describe("a graph", () => {
  test("asks for the models that its nodes call; what was refused fails the node with the reason", async () => {
    const submit = async (seed: number) => {
      const headers = { ...bearer(app.key), "content-type": "application/json" };
      const first = { ...posterGraph["1"], inputs: { ...posterGraph["1"].inputs, seed } };
      const body = { workflow: { ...posterGraph, "1": first } };
      const answer = await app.call({ method: "POST", path: "/api/v2/jobs", headers, body });
      assert.equal(answer.status, 201, answer.text);
      const id = textOf(answer.json(), "id");
      return until("the job ends", async () => {
        const job = (await readOn(app, `/api/v2/jobs/${id}`)).json();
        return ["succeeded", "failed"].includes(textOf(job, "status")) ? job : null;
      });
    };
    assert.equal(textOf(await submit(1), "status"), "succeeded");
    assert.deepEqual(askedOf(), [`${image} input`, `${image} answer`]);
    at("input", { verdict: "refuse", reason: "No lighthouses." });
    const failed = await submit(2);
    assert.equal(textOf(failed, "status"), "failed");
    assert.match(JSON.stringify(failed), /No lighthouses/);
  });

  test("a work is asked about as itself, and so are the models inside", async () => {
    const works = publisher(app, app.key);
    const workflow = await works.workflow(posterGraph);
    const put = await works.call("PUT", "poster", { workflow_id: workflow, form: posterForm, examples: [] });
    assert.equal(put.status, 201, put.text);
    const id = textOf(put.json(), "id");
    hook.asked.length = 0;
    const answer = await invokeOn(app, id, { prompt: "a lighthouse" }, aKey());
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(askedOf(), [`${id} input`, `${image} input`, `${image} answer`, `${id} answer`]);
    hook.answerWith(({ value }) => ({
      body: value["model"] === id && value["stage"] === "answer" ? { verdict: "refuse" } : allow,
    }));
    const refused = await invokeOn(app, id, { prompt: "a lighthouse by night" }, aKey());
    assert.deepEqual([refused.status, bucketOf(refused)], [400, "content_policy_violation"]);
    assert.ok(Number(headerOf(refused, "x-service-credits-used")) > 0, "what its nodes used was charged as they ran");
  });
});

describe("a route", () => {
  test("is asked about once, by its own id, however many targets are tried", async () => {
    const targets = ["one", "two"].map((name) => ({ model: `${name}/${one.definition.models[0]?.model}` }));
    const headers = bearer(app.key);
    const put = await app.call({ method: "PUT", path: "/account/routes/any", headers, body: { targets } });
    assert.equal(put.status, 201, put.text);
    const input = { prompt: "a red fox", faults: { one: "forbidden" } };
    const probe = await invokeOn(app, "route/any", input, aKey());
    assert.equal(probe.status, 200, probe.text);
    assert.equal(headerOf(probe, "x-service-route-target"), targets[1]?.model);
    assert.deepEqual(askedOf(), ["route/any input", "route/any answer"]);
    hook.asked.length = 0;
    at("input", { verdict: "replace", input: { prompt: "a grey fox", faults: {} } });
    const key = aKey();
    const replaced = await invokeOn(app, "route/any", { prompt: "a red fox", faults: {} }, key);
    assert.equal(replaced.status, 200, replaced.text);
    const [call] = await recordedUnderKey(app.database, key["idempotency-key"]);
    assert.ok(call && call.settleSum > 0n && call.settleSum <= call.hold);
    assert.equal(hook.asked[1]?.value["target"], headerOf(replaced, "x-service-route-target"));
  });
});

describe("streams", () => {
  const asked = { prompt: "a quiet harbour", stream: true };

  test("wait for the verdict where the answer is checked; the hook sees the body that the events make", async () => {
    const key = aKey();
    const answer = await invokeOn(app, "sandbox/text-1", asked, key);
    assert.deepEqual([answer.status, headerOf(answer, "content-type")], [200, "text/event-stream"]);
    assert.match(String(memberOf(hook.asked[1]?.value["answer"], "text")), /\w/);
    assert.equal((await invokeOn(app, "sandbox/text-1", asked, key)).text, answer.text);
    at("answer", { verdict: "refuse", reason: "No harbours." });
    const refused = await invokeOn(app, "sandbox/text-1", asked, aKey());
    assert.deepEqual([refused.status, bucketOf(refused)], [400, "content_policy_violation"]);
    assert.ok(!/data:/.test(refused.text));
  });

  test("cannot be replaced", async () => {
    at("answer", { verdict: "replace", answer: { text: "Nothing." } });
    const answer = await invokeOn(app, "sandbox/text-1", asked, aKey());
    assert.deepEqual([answer.status, bucketOf(answer)], [500, "internal_error"]);
  });

  test("of the OpenAI-shaped entrance do the same", async () => {
    const messages = [{ role: "user", content: "a quiet harbour" }];
    const chat = () =>
      app.call({
        method: "POST",
        path: "/openai/v1/chat/completions",
        headers: { ...bearer(app.key), "content-type": "application/json" },
        body: { model: "sandbox/text-1", messages, stream: true },
      });
    const streamed = await chat();
    assert.equal(streamed.status, 200, streamed.text);
    assert.ok(streamed.text.endsWith("data: [DONE]\n\n"));
    assert.deepEqual(askedOf(), ["sandbox/text-1 input", "sandbox/text-1 answer"]);
    at("answer", { verdict: "refuse", reason: "No harbours." });
    const refused = await chat();
    assert.equal(refused.status, 400, refused.text);
    assert.match(textOf(refused.json(), "error", "message"), /No harbours/);
  });
});
