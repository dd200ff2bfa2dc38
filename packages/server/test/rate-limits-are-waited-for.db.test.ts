// A caller may let a call wait for its provider's rate limit: it runs once, and no longer than allowed is waited.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, afterEach, before, test } from "node:test";
import { headerOf } from "./support/app-client.ts";
import { invariantsHold } from "./support/model-request-records-store.ts";
import { submitted } from "./support/model-requests.ts";
import { aDefinition, aModel, putProvider } from "./support/provider-example-calls.ts";
import { aKey, bucketOf, invokeOn } from "./support/router-calls.ts";
import { recordedUnderKey } from "./support/router-records-store.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
// Refuses this many submissions, each with this header.
let refusals = 0;
let retryAfter: string | null = "1";
const arrivals: number[] = [];
const server = createServer(async (request, response) => {
  for await (const _ of request);
  arrivals.push(performance.now());
  const isRefused = refusals > 0;
  refusals -= 1;
  response.writeHead(isRefused ? 429 : 200, {
    "content-type": "application/json",
    ...(isRefused && retryAfter !== null ? { "retry-after": retryAfter } : {}),
  });
  response.end(isRefused ? "{}" : '{"done":true}');
});
before(async () => {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  app = await testApp();
  const models = [aModel({ model: "busy", released: true, price: { usd: "0.02" } })];
  const put = await putProvider(app, aDefinition("limited", { base_url: `http://127.0.0.1:${port}`, models }));
  assert.equal(put.status, 201, put.text);
});
afterEach(async () => {
  arrivals.length = 0;
  await invariantsHold(app.database);
});
after(async () => {
  await app.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const model = "limited/busy";
const waiting = (seconds: number | string) => ({ ...aKey(), "x-service-wait-seconds": String(seconds) });

test("it is sent again when the provider says, more often than without, and is charged once", async () => {
  [refusals, retryAfter] = [5, "1"];
  const headers = waiting(60);
  const answer = await invokeOn(app, model, { prompt: "waves" }, headers);
  assert.equal(answer.status, 200, answer.text);
  assert.equal(arrivals.length, 6);
  const pauses = arrivals.slice(1).map((at, index) => at - (arrivals[index] ?? 0));
  assert.ok(Math.min(...pauses) >= 950, String(pauses));
  const [call] = await recordedUnderKey(app.database, headers["idempotency-key"]);
  assert.deepEqual([call?.settleLines, call?.settleSum], [1, 4_220_000n]);
});

test("a pause that would be longer than allowed is not begun: 502 with what the provider says, nothing charged", async () => {
  [refusals, retryAfter] = [1, "30"];
  const headers = waiting(5);
  const answer = await invokeOn(app, model, { prompt: "waves" }, headers);
  assert.deepEqual([answer.status, bucketOf(answer), headerOf(answer, "retry-after")], [502, "provider_error", "30"]);
  assert.equal(arrivals.length, 1);
  assert.deepEqual(await recordedUnderKey(app.database, headers["idempotency-key"]), [], "the key is free");
});

test("a provider that says nothing is asked with growing pauses; 0 means not at all", async () => {
  [refusals, retryAfter] = [3, null];
  assert.equal((await invokeOn(app, model, { prompt: "waves" }, waiting(30))).status, 200);
  assert.equal(arrivals.length, 4);
  [refusals, arrivals.length] = [1, 0];
  assert.equal((await invokeOn(app, model, { prompt: "waves" }, waiting(0))).status, 502);
  assert.equal(arrivals.length, 1);
});

test("a queued call waits as long as its submission allowed", async () => {
  [refusals, retryAfter] = [5, "1"];
  const request = await submitted(app, model, { prompt: "waves" }, waiting(60));
  assert.equal((await request.until("COMPLETED"))["credits_used"], "4.22");
  assert.equal(arrivals.length, 6);
});

test("what is not a number of seconds up to 300 is 400", async () => {
  for (const wrong of ["301", "-1", "1.5", "soon", ""])
    assert.deepEqual(bucketOf(await invokeOn(app, model, { prompt: "waves" }, waiting(wrong))), "invalid_input", wrong);
  assert.equal(arrivals.length, 0);
});
