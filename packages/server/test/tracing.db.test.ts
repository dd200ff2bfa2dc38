// One trace from the request through the queue and the worker to the provider, as a collector sees it.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { bearer, textOf } from "./support/app-client.ts";
import { raiseRates } from "./support/app-people.ts";
import { submitted } from "./support/model-requests.ts";
import { type PartnerApp, partnerApp, relightPath, taskIdOf } from "./support/partner-app.ts";
import { type PictureProvider, pictureProvider } from "./support/picture-provider.ts";
import { invokeOn } from "./support/router-calls.ts";
import { type SandboxApps, sandboxApps } from "./support/sandbox-app.ts";
import { startServerProcess, until } from "./support/server-process.ts";
import type { TestApp } from "./support/test-app.ts";
import { type CollectedSpan, type TraceCollector, traceCollector } from "./support/trace-collector.ts";

const kind = { server: 2, client: 3, consumer: 5 };
const model = "pictures/picture";
const input = { prompt: "a lighthouse" };
let apps: SandboxApps;
let collector: TraceCollector;
let provider: PictureProvider;
let it: PartnerApp;
let app: TestApp;
// The app whose graphs run on workers.
let outside: TestApp;

const smallGraph = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "plain" } },
};

before(async () => {
  apps = await sandboxApps();
  collector = await traceCollector();
  provider = await pictureProvider("pictures");
  const file = await apps.write("pictures", provider.definition);
  it = await partnerApp({
    env: {
      ATELIER_PROVIDERS: file,
      ATELIER_ENGINE_SLOTS: "1",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: "x-collector=ours",
      OTEL_RESOURCE_ATTRIBUTES: "deployment.environment.name=test",
    },
  });
  app = it.app;
  const env = { ATELIER_ENGINE_SLOTS: "0", OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  outside = await apps.open({ env });
  await raiseRates(app, app.workspaceId);
});
after(async () => {
  await it.close();
  assert.deepEqual(collector.problems, []);
  await collector.close();
  await provider.close();
  await apps.close();
});

function aCaller(flags = "01") {
  const traceId = randomBytes(16).toString("hex");
  const spanId = randomBytes(8).toString("hex");
  return { traceId, spanId, headers: { traceparent: `00-${traceId}-${spanId}-${flags}` } };
}

// The chain of a trace, from the caller's span down to the last, each the child of the one before.
async function chainOf({ traceId, spanId }: ReturnType<typeof aCaller>, ...names: readonly string[]) {
  const chain: CollectedSpan[] = [];
  for (const name of names) {
    const parent: string = chain.at(-1)?.spanId ?? spanId;
    const found = await until(
      `${name} below ${chain.at(-1)?.name ?? "the caller"}`,
      () => collector.trace(traceId).find((span) => span.name === name && span.parentSpanId === parent) ?? null,
    );
    chain.push(found);
  }
  return chain;
}

test("a model call is its own span below the request, and continues the caller's trace", async () => {
  const caller = aCaller();
  assert.equal((await invokeOn(app, model, input, { ...caller.headers, "idempotency-key": "trace-1" })).status, 200);
  const [request, call] = await chainOf(caller, "POST /v1/models/{provider}/{model}", `call ${model}`);
  assert.deepEqual([request?.kind, call?.kind], [kind.server, kind.client]);
  assert.equal(request?.attributes["http.response.status_code"], "200");
  assert.equal(request?.attributes["atelier.operation"], "invokeModel");
  assert.equal(call?.attributes["atelier.outcome"], "succeeded");
  assert.ok((request?.startNano ?? 0n) <= (call?.startNano ?? 0n));
  // Checked on this span, because the other app reports to the same collector.
  assert.equal(call?.headers["x-collector"], "ours");
  const resource = call?.resource;
  assert.deepEqual([resource?.["service.name"], resource?.["deployment.environment.name"]], ["atelier", "test"]);
});

test("a queued model call stays in the trace of its submission", async () => {
  const caller = aCaller();
  const queued = await submitted(app, model, input, caller.headers);
  await queued.until("COMPLETED");
  const names = ["POST /v1/models/{provider}/{model}/requests", "run model request", `call ${model}`];
  const chain = await chainOf(caller, ...names);
  assert.deepEqual(
    chain.map((span) => span.kind),
    [kind.server, kind.consumer, kind.client],
  );
  assert.equal(chain[1]?.attributes["atelier.call_id"], queued.id);
});

test("a job stays in the trace of its submission: worker, node that calls a model, provider", async () => {
  const caller = aCaller();
  const workflow = {
    1: { class_type: "AtelierModelImage", inputs: { model, prompt: "x", width: 64, height: 64, seed: 1 } },
    2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "traced" } },
  };
  const made = await app.call({
    method: "POST",
    path: "/api/v2/jobs",
    headers: { ...bearer(app.key), ...caller.headers },
    body: { workflow },
  });
  assert.equal(made.status, 201, made.text);
  const id = textOf(made.json(), "id");
  const [, run, call] = await chainOf(caller, "POST /api/v2/jobs", "run job", `call ${model}`);
  assert.deepEqual([run?.kind, call?.kind], [kind.consumer, kind.client]);
  assert.deepEqual([run?.attributes["atelier.job_id"], run?.attributes["atelier.outcome"]], [id, "succeeded"]);
  // An event stream is a span too, until its end.
  const watcher = aCaller();
  const headers = { ...bearer(app.key), ...watcher.headers };
  assert.match((await app.call({ path: `/api/v2/jobs/${id}/events`, headers })).text, /"status":"succeeded"/);
  const [watched] = await chainOf(watcher, "GET /api/v2/jobs/{id}/events");
  assert.equal(watched?.attributes["http.response.status_code"], "200");
});

test("a remote worker continues the trace it gets with the job, and reports its own part", async () => {
  const caller = aCaller();
  const home = await mkdtemp(join(tmpdir(), "atelier-traced-worker-"));
  const worker = await startServerProcess({
    home,
    command: ["worker", "--server", outside.baseUrl, "--slots", "1"],
    env: { ATELIER_WORKER_TOKEN: outside.workerToken, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
  try {
    const made = await outside.call({
      method: "POST",
      path: "/api/v2/jobs",
      headers: { ...bearer(outside.key), ...caller.headers },
      body: { workflow: smallGraph },
    });
    assert.equal(made.status, 201, made.text);
    const [accepted, run] = await chainOf(caller, "POST /api/v2/jobs", "run job");
    assert.notEqual(accepted?.instance, run?.instance);
    assert.equal(run?.attributes["atelier.outcome"], "succeeded");
  } finally {
    await worker.kill("SIGTERM");
    await rm(home, { recursive: true, force: true });
  }
});

test("a partner task has a span for its start and later one for its whole life, whichever process saw it end", async () => {
  const caller = aCaller();
  const started = await it.relight({}, caller.headers);
  it.partner.state(it.partnerTaskOf(started), "COMPLETED", { generated: ["https://pictures.example/1.png"] });
  await it.untilStatus(`${relightPath}/${taskIdOf(started)}`, "COMPLETED");
  const operation = "POST /proxy/partner-a/v1/ai/image-relight";
  const [request, start] = await chainOf(caller, operation, "start partner-a/image-relight");
  const [, task] = await chainOf(caller, operation, "task partner-a/image-relight");
  assert.deepEqual([start?.kind, task?.kind], [kind.client, kind.client]);
  assert.equal(task?.attributes["atelier.outcome"], "succeeded");
  assert.ok((task?.endNano ?? 0n) >= (start?.endNano ?? 0n));
  assert.equal(request?.attributes["http.response.status_code"], "200");
});

test("providers are sent no trace: the list of headers they receive does not include it", async () => {
  assert.ok(provider.headers.length > 0 && it.partner.submissions.length > 0);
  for (const sent of [...provider.headers, ...it.partner.submissions.map(({ headers }) => headers)])
    for (const name of ["traceparent", "tracestate", "baggage"]) assert.equal(sent[name], undefined);
});

test("a caller who opts out is not traced; one who sends nonsense starts a new trace", async () => {
  const caller = aCaller("00");
  assert.equal((await invokeOn(app, model, input, caller.headers)).status, 200);
  const before = collector.spans.length;
  const wrong = { traceparent: `00-${"0".repeat(32)}-${"0".repeat(16)}-01` };
  assert.equal((await invokeOn(app, model, input, wrong)).status, 200);
  await until("a trace of ours came", () =>
    collector.spans.slice(before).some(({ name, parentSpanId }) => name.includes("{model}") && parentSpanId === null),
  );
  assert.deepEqual(collector.trace(caller.traceId), []);
});

test("a refusal is in its trace, and names no secret", async () => {
  const caller = aCaller();
  const refused = await app.call({ path: "/v1/models", headers: { ...caller.headers, ...bearer("service-wrong") } });
  assert.equal(refused.status, 401);
  const [request] = await chainOf(caller, "GET /v1/models");
  assert.equal(request?.attributes["http.response.status_code"], "401");
  assert.ok(!JSON.stringify(collector.spans.map(({ attributes }) => attributes)).includes(app.key));
});

test("spans are counted, and a server without tracing stores and sends none", async () => {
  const page = (await app.call({ path: "/metrics", headers: bearer(app.adminToken) })).text;
  assert.ok(Number(/^atelier_trace_spans_exported_total (\d+)$/m.exec(page)?.[1]) > 10);
  assert.match(page, /^atelier_trace_spans_dropped_total 0$/m);
  const plain = await apps.open({ env: { ATELIER_ENGINE_SLOTS: "0" } });
  const body = { workflow: smallGraph };
  const caller = aCaller();
  const headers = { ...bearer(plain.key), ...caller.headers };
  assert.equal((await plain.call({ method: "POST", path: "/api/v2/jobs", headers, body })).status, 201);
  assert.deepEqual(await plain.database.query(sql`select traceparent from job_graphs`), [{ traceparent: null }]);
  const quiet = (await plain.call({ path: "/metrics", headers: bearer(plain.adminToken) })).text;
  assert.match(quiet, /^atelier_trace_spans_exported_total 0$/m);
  assert.deepEqual(collector.trace(caller.traceId), []);
});
