// The entrance for OpenAI-shaped clients: their shapes, and the router's rules without exception.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { aKey } from "./support/router-calls.ts";
import { recordedByRequest, recordedUnderKey } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open({ env: { ATELIER_DIALECT: "comfy,openai", ATELIER_BOOTSTRAP_CREDITS: "1000" } });
});
after(() => apps.close());

const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: [{ type: "text", text: "a quiet harbour at dawn" }] },
];

function ask(path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}): Promise<AppAnswer> {
  const type = body === undefined ? {} : { "content-type": "application/json" };
  const method = body === undefined ? "GET" : "POST";
  return app.call({ method, path: `/openai/v1${path}`, headers: { ...bearer(app.key), ...type, ...headers }, body });
}

const errorOf = (answer: AppAnswer) => {
  const { type, param, code } = memberOf(answer.json(), "error") as Record<string, unknown>;
  return { status: answer.status, type, param, code };
};
const chunksIn = (answer: AppAnswer): unknown[] =>
  answer.text
    .split("\n\n")
    .filter((each) => each.startsWith("data: {"))
    .map((each) => JSON.parse(each.slice(6)));
const textIn = (answer: AppAnswer) =>
  chunksIn(answer)
    .flatMap((chunk) => listOf(chunk, "choices"))
    .map((choice) => memberOf(choice, "delta", "content") ?? "")
    .join("");

describe("models", () => {
  test("those that a mapping names are listed with their endpoints, and one is read by its id", async () => {
    const data = listOf((await ask("/models")).json(), "data");
    const found = data.find((each) => memberOf(each, "id") === "sandbox/text-1");
    assert.deepEqual(found, {
      id: "sandbox/text-1",
      object: "model",
      created: 0,
      owned_by: "sandbox",
      endpoints: ["chat/completions"],
    });
    assert.ok(!data.some((each) => memberOf(each, "id") === "sandbox/video-1"), "no mapping names it");
    for (const path of ["/models/sandbox%2Ftext-1", "/models/sandbox/text-1"])
      assert.deepEqual((await ask(path)).json(), found);
    assert.equal((await ask("/models/sandbox%2Fvideo-1")).status, 404);
  });
});

describe("pictures", () => {
  test("base64 or a URL, in the asked size; what a mapping drops is named", async () => {
    const request = { model: "sandbox/image-1", prompt: "a lighthouse", size: "128x64", n: 2, style: "vivid" };
    const made = await ask("/images/generations", { ...request, response_format: "b64_json" });
    assert.equal(made.status, 200, made.text);
    const bytes = Buffer.from(textOf(made.json(), "data", 0, "b64_json"), "base64");
    assert.deepEqual(
      [bytes.toString("latin1", 1, 4), bytes.readUInt32BE(16), bytes.readUInt32BE(20)],
      ["PNG", 128, 64],
    );
    assert.equal(headerOf(made, "x-service-dropped-params"), "n, style");
    const linked = await ask("/images/generations", { ...request, response_format: "url" });
    assert.match(textOf(linked.json(), "data", 0, "url"), /^http/);
  });

  test("a paid call is charged like the router's, with the cost in credits and dollars, and a key makes it once", async () => {
    const key = aKey();
    const request = { model: "sandbox/image-1-queued", prompt: "hills", size: "1000x1000" };
    const sized = { ...request, size: "1024x1024" };
    const first = await ask("/images/generations", sized, key);
    assert.equal(first.status, 200, first.text);
    const [call] = await recordedUnderKey(app.database, key["idempotency-key"]);
    assert.deepEqual([call?.settleLines, call?.outcome], [1, "succeeded"]);
    const credits = Number(headerOf(first, "x-service-credits-used"));
    assert.equal(BigInt(Math.round(credits * 1e6)), call?.settleSum);
    assert.equal(Number(headerOf(first, "x-litellm-response-cost")), Number((credits / 211).toFixed(9)));
    const again = await ask("/images/generations", sized, key);
    assert.deepEqual(memberOf(again.json(), "data"), memberOf(first.json(), "data"));
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
    assert.equal((await apps.reference(call?.callId ?? ""))?.runs, 1);
    assert.equal(errorOf(await ask("/images/generations", { ...sized, prompt: "other" }, key)).status, 409);
    assert.equal(errorOf(await ask("/images/generations", sized, { "x-service-max-credits": "0.1" })).status, 400);
  });
});

describe("chat", () => {
  test("a completion, and the same as a stream with usage, recorded as a call of the model", async () => {
    const request = { model: "sandbox/text-1", messages, seed: 7 };
    const whole = await ask("/chat/completions", request);
    assert.equal(whole.status, 200, whole.text);
    const said = textOf(whole.json(), "choices", 0, "message", "content");
    assert.match(said, /\w/);
    const streamed = await ask("/chat/completions", {
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.equal(headerOf(streamed, "content-type"), "text/event-stream");
    assert.equal(textIn(streamed), said);
    assert.deepEqual(memberOf(chunksIn(streamed).at(-1), "usage"), memberOf(whole.json(), "usage"));
    assert.ok(streamed.text.endsWith("data: [DONE]\n\n"));
    assert.equal(headerOf(streamed, "x-service-dropped-params"), undefined);
  });

  test("a key replays a stream", async () => {
    const key = aKey();
    const request = { model: "sandbox/text-1", messages, stream: true };
    const first = await ask("/chat/completions", request, key);
    const again = await ask("/chat/completions", request, key);
    assert.equal(textIn(again), textIn(first));
    assert.equal(headerOf(again, "idempotent-replayed"), "true");
  });
});

test("speech comes as the model's own sound", async () => {
  const spoken = await ask("/audio/speech", { model: "sandbox/voice-1", input: "good evening", voice: "alloy" });
  assert.deepEqual([spoken.status, headerOf(spoken, "content-type")], [200, "audio/wav"]);
  assert.equal(spoken.bytes.toString("latin1", 0, 4), "RIFF");
  assert.equal(headerOf(spoken, "x-service-dropped-params"), "voice");
  const call = await recordedByRequest(app.database, headerOf(spoken, "x-service-request-id") ?? "");
  assert.equal(call?.settleSum, 2_110_000n);
});

describe("errors have their shape, with the router's bucket beside it", () => {
  test("a wrong member, an unknown model, one without a mapping, no key, no JSON", async () => {
    const wrong = await ask("/images/generations", { model: "sandbox/image-1", prompt: "", size: "64x64" });
    assert.deepEqual(errorOf(wrong), { status: 400, type: "invalid_request_error", param: "prompt", code: null });
    assert.equal(headerOf(wrong, "x-service-error-type"), "invalid_input");
    const unknown = await ask("/chat/completions", { model: "sandbox/nothing", messages });
    assert.deepEqual([errorOf(unknown).status, errorOf(unknown).code], [404, "model_not_found"]);
    const other = await ask("/chat/completions", { model: "sandbox/image-1", messages });
    assert.match(textOf(other.json(), "error", "message"), /not offered at \/openai\/v1\/chat\/completions/);
    const nameless = await ask("/chat/completions", { messages });
    assert.deepEqual([errorOf(nameless).status, errorOf(nameless).param], [400, "model"]);
    const keyless = await app.call({ path: "/openai/v1/models" });
    assert.deepEqual([errorOf(keyless).status, errorOf(keyless).code], [401, "invalid_api_key"]);
    const broken = await app.call({
      method: "POST",
      path: "/openai/v1/chat/completions",
      headers: { ...bearer(app.key), "content-type": "application/json" },
      body: "{",
    });
    assert.equal(errorOf(broken).status, 400);
    assert.equal(errorOf(await ask("/nowhere")).status, 404);
  });

  test("a form for a model that no mapping edits with", async () => {
    const form = new FormData();
    form.set("model", "sandbox/image-1");
    const edit = await fetch(`http://127.0.0.1:${app.port}/openai/v1/images/edits`, {
      method: "POST",
      headers: bearer(app.key),
      body: form,
    });
    assert.equal(edit.status, 404, "no mapping edits with this model");
    assert.equal(edit.headers.get("x-service-error-type"), "model_not_found");
  });
});

test("without the switch there is no such entrance", async () => {
  const plain = await apps.open({ beside: app });
  const answer = await plain.call({ path: "/openai/v1/models", headers: bearer(plain.key) });
  assert.equal(answer.status, 404);
});
