// Spec, Model input, model output: the body is forwarded as raw bytes, there and back. The sandbox hashes what it got and
// keeps what it gave, so both directions are compared at both ends.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import { headerOf } from "./support/app-client.ts";
import { anyObjectText } from "./support/json-texts.ts";
import { inLanes, invokeOn } from "./support/router-calls.ts";
import { callsByRequest } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { sha256Of } from "./support/sandbox-provider.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
before(async () => {
  apps = await sandboxApps();
  app = await apps.open();
});
after(() => apps.close());

// All of them in `npm run test:long -- inputs`.
const count = process.env["ATELIER_TEST_LONG"] ? 10_000 : 1_500;

test(`for ${count} generated JSON documents the hash at the provider is the hash sent, and the answer likewise`, {
  timeout: 900_000,
}, async () => {
  const seed = Date.now() % 2 ** 31;
  const documents = fc.sample(anyObjectText, { numRuns: count, seed });
  const sent = new Map<string, { hash: string; text: string }>();
  await inLanes(20, documents, async (text) => {
    const bytes = Buffer.from(text);
    const answer = await invokeOn(app, "sandbox/open-1", bytes);
    assert.equal(answer.status, 200, `seed ${seed}: ${answer.text} for ${text}`);
    assert.ok(answer.bytes.equals(bytes), `seed ${seed}: ${text}`);
    sent.set(headerOf(answer, "x-service-request-id") ?? "", { hash: sha256Of(bytes), text });
  });
  assert.equal(sent.size, count);
  // The usage rows of free calls come a moment later.
  const calls = await until("every call has its usage row", async () => {
    const found = await callsByRequest(app.database);
    return found.size >= count ? found : null;
  });
  await inLanes(20, [...sent], async ([requestId, { hash, text }]) => {
    const seen = await apps.reference(calls.get(requestId) ?? "");
    assert.deepEqual([seen?.runs, seen?.request_sha256, seen?.response_sha256], [1, hash, hash], text);
  });
});

test("a model with a schema gets the caller's bytes too, and its seed comes back digit for digit", async () => {
  const body = Buffer.from('{ "prompt" : "a fox",  "seed":18446744073709551615 , "width": 64, "height": 64 }');
  const answer = await invokeOn(app, "sandbox/image-1", body);
  assert.match(answer.text, /"seed":18446744073709551615[,}]/);
  const callId = await until(
    "the call has its usage row",
    async () => (await callsByRequest(app.database)).get(headerOf(answer, "x-service-request-id") ?? "") ?? null,
  );
  const seen = await apps.reference(callId);
  assert.deepEqual(
    [seen?.runs, seen?.request_sha256, seen?.response_sha256],
    [1, sha256Of(body), sha256Of(answer.bytes)],
  );
});

test("the answer of a queued model is the provider's last answer, byte for byte", async () => {
  const body = { prompt: "a fox", seed: 1, width: 64, height: 64, simulate_seconds: 0.05 };
  const answer = await invokeOn(app, "sandbox/image-1-queued", body);
  const callId = await until(
    "the call has its usage row",
    async () => (await callsByRequest(app.database)).get(headerOf(answer, "x-service-request-id") ?? "") ?? null,
  );
  const seen = await apps.reference(callId);
  assert.deepEqual([seen?.runs, seen?.response_sha256], [1, sha256Of(answer.bytes)]);
});

test("native audio passes with its own content type", async () => {
  const answer = await invokeOn(app, "sandbox/voice-1", { prompt: "hello" });
  assert.deepEqual(
    [answer.status, answer.headers["content-type"], answer.bytes.subarray(0, 4).toString()],
    [200, "audio/wav", "RIFF"],
  );
});

test("a body of several megabytes is checked off the main thread and arrives untouched", async () => {
  const body = Buffer.from(`{"blob":"${"x".repeat(3_000_000)}","seed":18446744073709551615}`);
  const answer = await invokeOn(app, "sandbox/open-1", body);
  assert.ok(answer.bytes.equals(body));
  assert.equal((await invokeOn(app, "sandbox/open-1", Buffer.from(`["${"x".repeat(400_000)}"]`))).status, 422);
});
