// The process that accepted the work is killed; another one does it, and there is still one trace.
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { bearer, openClient, textOf } from "./support/app-client.ts";
import { queuedCall, submitted } from "./support/model-requests.ts";
import { pictureProvider } from "./support/picture-provider.ts";
import { sandboxProvider } from "./support/sandbox-provider.ts";
import { type ServerProcess, startServerProcess, until } from "./support/server-process.ts";
import { testDatabase } from "./support/test-database.ts";
import { traceCollector } from "./support/trace-collector.ts";

const model = "pictures/picture";

function aCaller() {
  const traceId = randomBytes(16).toString("hex");
  return { traceId, headers: { traceparent: `00-${traceId}-${randomBytes(8).toString("hex")}-01` } };
}

test("a job and a queued model call continue in their traces after kill -9 of the process that accepted them", {
  timeout: 900_000,
}, async () => {
  const collector = await traceCollector();
  const provider = await pictureProvider("pictures");
  const files = await sandboxProvider();
  const database = await testDatabase();
  const home = await mkdtemp(join(tmpdir(), "atelier-traces-"));
  const adminToken = `admin-${randomBytes(32).toString("base64url")}`;
  const start = (slots: string) =>
    startServerProcess({
      home,
      env: {
        DATABASE_URL: database.url,
        ATELIER_MIGRATE: "auto",
        ATELIER_ADMIN_TOKEN: adminToken,
        ATELIER_ENGINE_SLOTS: slots,
        ATELIER_CONTENT_PORT: "0",
        ATELIER_CALL_LEASE_SECONDS: "6",
        ATELIER_PROVIDERS: providers,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      },
    });
  const providers = await files.write("pictures", provider.definition);
  let server: ServerProcess | null = null;
  try {
    server = await start("0");
    const first = openClient(server.baseUrl);
    const key = /^API key: +(\S+)$/m.exec(await readFile(join(home, "first-key.txt"), "utf8"))?.[1] ?? "";
    const account = await first.call({ path: "/account", headers: bearer(key) });
    const workspaceId = textOf(account.json(), "workspace", "id");
    const setSlots = async ({ call }: typeof first, value: number) => {
      const path = `/admin/workspaces/${workspaceId}/limits/concurrency`;
      const set = await call({ method: "PUT", path, headers: bearer(adminToken), body: { value } });
      assert.equal(set.status, 200, set.text);
    };
    await setSlots(first, 1);
    // The first call takes the only slot and is at its provider when the process dies; the second waits for it.
    provider.flow(false);
    const app = { call: first.call, key };
    await submitted(app, model, { prompt: "in the way" });
    await until("it is at the provider", () => provider.headers.length === 1);
    const [ofRequest, ofJob] = [aCaller(), aCaller()];
    const { id } = await submitted(app, model, { prompt: "a lighthouse" }, ofRequest.headers);
    const workflow = {
      1: { class_type: "AtelierModelImage", inputs: { model, prompt: "x", width: 64, height: 64, seed: 1 } },
      2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "traced" } },
    };
    const headers = { ...bearer(key), ...ofJob.headers };
    const made = await first.call({ method: "POST", path: "/api/v2/jobs", headers, body: { workflow } });
    assert.equal(made.status, 201, made.text);
    await until("both submissions were told", () =>
      [ofRequest, ofJob].every(({ traceId }) => collector.trace(traceId).length === 1),
    );
    await server.kill("SIGKILL");
    await first.close();
    provider.flow(true);
    server = await start("1");
    const second = openClient(server.baseUrl);
    // The call that was at its provider keeps its slot until its outcome is known.
    await setSlots(second, 5);
    await queuedCall({ call: second.call, key }, model, id).until("COMPLETED");
    const spansOf = ({ traceId }: ReturnType<typeof aCaller>, last: string) =>
      until(`${last} of ${traceId}`, () => {
        const spans = collector.trace(traceId);
        return spans.length >= 3 && spans.some(({ name }) => name === last) ? spans : null;
      });
    for (const [caller, run] of [
      [ofRequest, "run model request"],
      [ofJob, "run job"],
    ] as const) {
      const spans = await spansOf(caller, run);
      const [accepted, ran, called] = spans;
      assert.deepEqual(
        [ran?.name, called?.name],
        [run, `call ${model}`],
        JSON.stringify(spans.map(({ name }) => name)),
      );
      assert.deepEqual([ran?.parentSpanId, called?.parentSpanId], [accepted?.spanId, ran?.spanId]);
      assert.notEqual(accepted?.instance, ran?.instance, "another process ran it");
      assert.equal(called?.instance, ran?.instance);
      assert.equal(called?.attributes["atelier.outcome"], "succeeded");
    }
    await second.close();
    assert.ok(provider.headers.every((sent) => sent["traceparent"] === undefined));
    // Spans not sent yet are sent before the process ends.
    const caller = aCaller();
    await fetch(`${server.baseUrl}/v1/models`, { headers: { ...bearer(key), ...caller.headers } });
    assert.equal(await server.kill("SIGTERM"), 0, server.log());
    assert.deepEqual(
      collector.trace(caller.traceId).map(({ name }) => name),
      ["GET /v1/models"],
    );
    assert.deepEqual(collector.problems, []);
  } finally {
    server?.process.kill("SIGKILL");
    await database.close();
    await files.close();
    await provider.close();
    await collector.close();
    await rm(home, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  }
});
