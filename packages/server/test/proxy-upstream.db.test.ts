// A proxy whose application is absent, comes late, disappears in the middle and comes back: what callers see, and that
// nothing is lost.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { type RunningSandboxApplication, startSandboxApplication } from "@atelier/sandbox";
import { freePort } from "./support/free-port.ts";
import { at, type ProxyApp, proxyApp, upstreamState } from "./support/proxy-app.ts";
import { until } from "./support/server-process.ts";

let home: string;
let port: number;
let application: RunningSandboxApplication;
let proxy: ProxyApp;

const startApplication = async () => {
  application = await startSandboxApplication({ home, port });
};
const seenAs = (state: string) => until(`seen as ${state}`, async () => (await upstreamState(proxy.url)) === state);

before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-proxy-upstream-"));
  // Chosen beforehand: a port that the system assigned might be taken by another program while the application is away.
  port = await freePort();
  await startApplication();
  await application.close();
  proxy = await proxyApp({ applicationUrl: `http://127.0.0.1:${port}` });
});
after(async () => {
  await proxy.close();
  await application.close();
  await rm(home, { recursive: true, force: true });
});

const graph = (seconds: number, color: number) => ({
  "1": { class_type: "EmptyImage", inputs: { width: 8, height: 8, batch_size: 1, color } },
  "2": { class_type: "TestSleep", inputs: { value: ["1", 0], seconds } },
  "3": { class_type: "SaveImage", inputs: { images: ["2", 0], filename_prefix: "upstream" } },
});

async function ask(path: string, init: RequestInit = {}) {
  const answer = await fetch(new URL(path, proxy.url), init);
  const text = await answer.text();
  const body: unknown = text.startsWith("{") ? JSON.parse(text) : text;
  return { status: answer.status, headers: answer.headers, body };
}

const submit = (workflow: object, key: string = randomUUID()) =>
  ask("/api/v2/jobs", {
    method: "POST",
    headers: { "content-type": "application/json", "idempotency-key": key },
    body: JSON.stringify({ workflow }),
  });
const read = async (id: unknown) => (await ask(`/api/v2/jobs/${id}`)).body;
const untilStatus = (id: unknown, status: string) =>
  until(`${id} is ${status}`, async () => {
    const job = await read(id);
    return at(job, "status") === status && { job };
  });

test("before the application was ever reached a submission says so, and its key stays free", async () => {
  await seenAs("down");
  const key = randomUUID();
  const refused = await submit(graph(0, 1), key);
  assert.deepEqual([refused.status, at(refused.body, "error", "code")], [503, "upstream_unreachable"]);
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
  await startApplication();
  const taken = await until("it is taken", async () => {
    const answer = await submit(graph(0, 1), key);
    return answer.status !== 503 && answer;
  });
  assert.equal(taken.status, 201);
  assert.equal(taken.headers.get("idempotent-replayed"), null);
  await untilStatus(at(taken.body, "id"), "succeeded");
});

test("while the application is down jobs are accepted and wait, without an attempt, and run when it is back", async () => {
  await application.close();
  await seenAs("down");
  const { status, body } = await submit(graph(0, 2));
  assert.equal(status, 201);
  assert.equal(at(body, "status"), "queued");
  await startApplication();
  const { job } = await untilStatus(at(body, "id"), "succeeded");
  assert.equal(at(job, "error"), null);
});

test("a proxy that starts while the application is down judges graphs by what it last knew, and runs them when it is back", async () => {
  await application.close();
  await proxy.restart();
  await seenAs("down");
  const taken = await submit(graph(0, 7));
  assert.deepEqual([taken.status, at(taken.body, "status")], [201, "queued"]);
  const unknown = await submit({ "1": { class_type: "Nowhere", inputs: {} } });
  assert.deepEqual([unknown.status, at(unknown.body, "error", "code")], [422, "invalid_workflow"]);
  await startApplication();
  await untilStatus(at(taken.body, "id"), "succeeded");
});

test("a job that the application loses midway runs again and has one output", async () => {
  const { body } = await submit(graph(1, 3));
  await until("the application runs it", () => (application.stats.startsById[String(at(body, "id"))] ?? 0) > 0);
  await application.restart(200);
  const { job } = await untilStatus(at(body, "id"), "succeeded");
  assert.equal(at(job, "outputs", 1), undefined);
  assert.ok(at(job, "outputs", 0));
});

test("a job is canceled in the application too, and only this one", async () => {
  const [long, next] = [await submit(graph(600, 4)), await submit(graph(0, 5))];
  await untilStatus(at(long.body, "id"), "running");
  const canceled = await ask(`/api/v2/jobs/${at(long.body, "id")}/cancel`, { method: "POST" });
  assert.ok(["canceling", "canceled"].includes(String(at(canceled.body, "status"))));
  await untilStatus(at(long.body, "id"), "canceled");
  await untilStatus(at(next.body, "id"), "succeeded");
  await until("its queue is empty", async () => {
    const queue: unknown = await (await fetch(`${application.url}/queue`)).json();
    return isDeepStrictEqual([at(queue, "queue_running"), at(queue, "queue_pending")], [[], []]);
  });
  assert.equal(application.stats.untargetedInterrupts, 0);
});

test("an application without a stream is polled: its jobs still have events, the outputs before the end", async () => {
  application.setFaults({ dropsSocketAfterFrames: 1 });
  const { body } = await submit(graph(0.2, 8));
  const events = await fetch(new URL(String(at(body, "urls", "events")), proxy.url));
  assert.equal(events.status, 200);
  const text = await events.text();
  assert.match(text, /event: output\n.*event: status\n[^\n]*"succeeded"[^\n]*\n\n$/s);
  application.setFaults({ dropsSocketAfterFrames: 0 });
});

test("bytes removed from the proxy's own store are reported as gone for good", async () => {
  const { body } = await submit(graph(0, 6));
  const { job } = await untilStatus(at(body, "id"), "succeeded");
  const target = `/api/v2/assets/${at(job, "outputs", 0, "id")}/content`;
  await rm(join(proxy.home, "blobs"), { recursive: true });
  const { status, body: gone } = await ask(target);
  assert.deepEqual([status, at(gone, "error", "code")], [404, "output_unavailable"]);
});
