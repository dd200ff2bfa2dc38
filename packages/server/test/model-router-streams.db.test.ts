// Streams over HTTP: the provider's events byte for byte, charged by what the provider reports, no matter what breaks in between.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type IncomingMessage, request } from "node:http";
import { after, before, test } from "node:test";
import { callInvariants } from "../src/capabilities/calls/shared-sql.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { aKey, bucketOf, invokeOn } from "./support/router-calls.ts";
import { recordedUnderKey } from "./support/router-records-store.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { sha256Of } from "./support/sandbox-provider.ts";
import { until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";

let apps: SandboxApps;
let app: TestApp;
const model = "paid/text-1";

before(async () => {
  apps = await sandboxApps();
  const text = apps.definition.models.find((each) => each.model === "text-1");
  assert.ok(text?.stream);
  // 0.211 credits for each token.
  const rate = { usd_per_million: "1000", default: 100, most: 4000 };
  const rates = [
    { ...rate, reported: "input_tokens" },
    { ...rate, reported: "output_tokens" },
  ];
  const price = { usd: { kind: "tokens", rates } };
  const paid = await apps.write("paid", { ...apps.definition, provider: "paid", models: [{ ...text, price }] });
  app = await apps.open({ env: { ATELIER_PROVIDERS: `${apps.file},${paid}`, ATELIER_BOOTSTRAP_CREDITS: "1000000" } });
});
after(() => apps.close());

interface Streamed {
  readonly response: IncomingMessage;
  readonly chunks: readonly Buffer[];
  // Null if the connection broke.
  readonly trailers: IncomingMessage["trailers"] | null;
}

// Node's own client shows trailers. `leave` is called with each chunk; true closes the connection.
function stream(
  body: object,
  headers: Readonly<Record<string, string>> = {},
  leave: (chunks: readonly Buffer[]) => boolean = () => false,
): Promise<Streamed> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: "127.0.0.1",
        port: app.port,
        method: "POST",
        path: `/v1/models/${model}`,
        headers: { ...bearer(app.key), "content-type": "application/json", ...headers },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => {
          chunks.push(chunk);
          if (leave(chunks)) sent.destroy();
        });
        response.on("end", () => resolve({ response, chunks, trailers: response.trailers }));
        response.on("error", () => resolve({ response, chunks, trailers: null }));
      },
    );
    sent.on("error", reject);
    sent.end(JSON.stringify({ prompt: "a quiet harbour at dawn", seed: 7, stream: true, ...body }));
  });
}

const textIn = (answer: unknown) => textOf(answer, "text");
const eventsIn = (bytes: Buffer) =>
  bytes
    .toString()
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event): unknown => JSON.parse(event.slice(6)));
const wordsIn = (bytes: Buffer) =>
  eventsIn(bytes)
    .map((event) => memberOf(event, "text") ?? "")
    .join("");
const costOf = (usage: unknown) =>
  (Number(memberOf(usage, "input_tokens")) + Number(memberOf(usage, "output_tokens"))) * 211_000;
const costIn = (bytes: Buffer) => costOf(memberOf(eventsIn(bytes).at(-1), "usage"));

async function chargedUnder(key: string) {
  const [call] = await recordedUnderKey(app.database, key);
  assert.ok(call);
  return { ...call, cost: Number(call.settleSum), runs: (await apps.reference(call.callId))?.runs };
}

test("the provider's events arrive while it still writes, byte for byte, charged by the tokens it reports", async () => {
  const key = aKey();
  const { response, chunks, trailers } = await stream({ simulate_seconds: 1 }, key);
  const bytes = Buffer.concat(chunks);
  assert.deepEqual([response.statusCode, response.headers["content-type"]], [200, "text/event-stream"]);
  assert.equal(response.headers["cache-control"], "no-store");
  assert.ok(response.headers["x-service-request-id"]);
  assert.ok(chunks.length > 5, `it came in ${chunks.length} pieces`);
  assert.ok(bytes.toString().endsWith("data: [DONE]\n\n"));
  const call = await chargedUnder(key["idempotency-key"]);
  assert.equal((await apps.reference(call.callId))?.response_sha256, sha256Of(bytes), "the provider's own bytes");
  assert.deepEqual([call.settleLines, call.runs, call.outcome], [1, 1, "succeeded"]);
  assert.equal(call.cost, costIn(bytes));
  assert.ok(call.hold > call.settleSum, "the bound was held before");
  assert.equal(Math.round(Number(trailers?.["x-service-credits-used"]) * 1e6), call.cost);
});

test("the key replays the whole answer as a stream or as one body, as asked, and nothing runs again", async () => {
  const key = aKey();
  const first = Buffer.concat((await stream({}, key)).chunks);
  const runs = await apps.runs();
  const again = await stream({}, key);
  assert.ok(Buffer.concat(again.chunks).equals(first));
  assert.equal(again.response.headers["idempotent-replayed"], "true");
  assert.equal(Math.round(Number(again.response.headers["x-service-credits-used"]) * 1e6), costIn(first));
  const input = { prompt: "a quiet harbour at dawn", seed: 7, stream: true };
  const whole = await invokeOn(app, model, input, { ...key, accept: "application/json" });
  assert.deepEqual([whole.status, headerOf(whole, "content-type")], [200, "application/json"]);
  assert.equal(textIn(whole.json()), wordsIn(first));
  assert.equal(await apps.runs(), runs);
  const plain = await invokeOn(app, model, { prompt: "a quiet harbour at dawn", seed: 7 });
  assert.equal(textIn(plain.json()), textIn(whole.json()), "a stream says what the plain answer says");
  assert.deepEqual(Object.keys(whole.json() as object).sort(), Object.keys(plain.json() as object).sort());
  assert.equal(headerOf(plain, "content-type"), "application/json");
});

test("a caller that leaves half-way is charged once for what was used, and its key has the whole answer", async () => {
  const key = aKey();
  await stream({ simulate_seconds: 1 }, key, (chunks) => chunks.length === 3).catch(() => undefined);
  const call = await until("the call ends", async () => {
    const found = await chargedUnder(key["idempotency-key"]);
    return found.state === "finished" ? found : null;
  });
  const { chunks } = await stream({ simulate_seconds: 1 }, key);
  const bytes = Buffer.concat(chunks);
  assert.ok(bytes.toString().endsWith("data: [DONE]\n\n"));
  assert.deepEqual([call.settleLines, call.runs, call.cost], [1, 1, costIn(bytes)]);
});

for (const simulate of ["reset", "truncate"]) {
  test(`a provider that breaks off (${simulate}): an error event, then the key has the whole answer, charged once`, async () => {
    const key = aKey();
    const broken = await stream({ simulate }, key);
    const text = Buffer.concat(broken.chunks).toString();
    assert.equal(broken.response.statusCode, 200);
    assert.match(text, /^data: \{"id"/);
    const [, event = ""] = /event: error\ndata: (.*)\n\n$/.exec(text) ?? [];
    assert.equal(textOf(JSON.parse(event), "error_type"), "provider_error");
    assert.equal(broken.trailers?.["x-service-credits-used"], undefined);
    const whole = await until("the provider was asked", async () => {
      const answer = await invokeOn(
        app,
        model,
        { prompt: "a quiet harbour at dawn", seed: 7, stream: true, simulate },
        { ...key, accept: "application/json" },
      );
      return answer.status === 200 ? answer : null;
    });
    const call = await chargedUnder(key["idempotency-key"]);
    assert.deepEqual([call.settleLines, call.runs], [1, 1]);
    assert.equal(call.cost, costOf(memberOf(whole.json(), "usage")));
  });
}

test("a failure before the first byte is an ordinary error, and nothing is charged", async () => {
  const refused = await stream({ simulate: "refuse" });
  assert.deepEqual(
    [refused.response.statusCode, refused.response.headers["x-service-error-type"]],
    [400, "content_policy_violation"],
  );
  const failed = await invokeOn(app, model, { prompt: "x", stream: true, simulate: "fail" });
  assert.deepEqual([failed.status, bucketOf(failed)], [502, "provider_error"]);
  const wrong = await invokeOn(app, model, { prompt: "x", stream: "yes" });
  assert.equal(wrong.status, 422);
  assert.deepEqual(memberOf(listOf(wrong.json(), "detail")[0], "loc"), ["body", "stream"]);
});

test("a stream without a key is charged once too, and the books are right after all of this", async () => {
  const { chunks } = await stream({ prompt: `free of keys ${randomUUID()}` });
  assert.ok(Buffer.concat(chunks).toString().endsWith("data: [DONE]\n\n"));
  for (const { name, statement } of callInvariants) assert.deepEqual(await app.database.query(statement), [], name);
});
