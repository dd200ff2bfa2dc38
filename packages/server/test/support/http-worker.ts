// An outside worker driven by hand: it sends exactly what the test says.
import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { builtInClasses, describeClasses } from "@atelier/engine";
import { type AppAnswer, type AppRequest, bearer, listOf, memberOf, textOf } from "./app-client.ts";
import { makeDeployment } from "./deployment-example-calls.ts";
import type { TestApp } from "./test-app.ts";
import { addWorkerToken } from "./worker-token-store.ts";

export interface HttpWorker {
  readonly workerId: string;
  readonly token: string;
  readonly poolId: string;
  // Below /api/workers/{workerId}, with its token.
  call(method: string, end: string, more?: Omit<AppRequest, "method" | "path">): Promise<AppAnswer>;
}

export interface LeasedTestJob {
  readonly jobId: string;
  readonly attempt: number;
  // Below the worker's own path.
  readonly path: string;
}

export const environmentOf = (classes: readonly string[] | null = null) => {
  const all = describeClasses(builtInClasses);
  const descriptions = Object.fromEntries(Object.entries(all).filter(([name]) => classes?.includes(name) ?? true));
  const names = Object.fromEntries(Object.keys(descriptions).map((name) => [name, "1"]));
  return { engine: "application" as const, version: "0.1", classes: names, descriptions };
};

export const idOfEnvironment = (environment: object) =>
  createHash("sha256").update(JSON.stringify(environment)).digest("hex");

export function httpWorker(app: Pick<TestApp, "call">, token: string, poolId: string, workerId: string = randomUUID()) {
  const worker: HttpWorker = {
    workerId,
    token,
    poolId,
    call: (method, end, more = {}) =>
      app.call({
        ...more,
        method,
        path: `/api/workers/${workerId}${end}`,
        headers: { ...bearer(token), ...more.headers },
      }),
  };
  return worker;
}

export async function introduce(worker: HttpWorker, environment: object = environmentOf()): Promise<AppAnswer> {
  const body = {
    pool_id: worker.poolId,
    name: "by hand",
    slots: 4,
    environment_id: idOfEnvironment(environment),
    models_loaded: [],
  };
  const first = await worker.call("PUT", "", { body });
  if (first.status !== 200 || memberOf(first.json(), "environment_wanted") !== true) return first;
  const described = await worker.call("PUT", "/environment", {
    headers: { "content-type": "application/json" },
    body: JSON.stringify(environment),
  });
  assert.equal(described.status, 204, described.text);
  return worker.call("PUT", "", { body });
}

// Serves the pool of a separate deployment, so that no other worker takes its jobs.
export async function anHttpWorker(app: TestApp): Promise<HttpWorker> {
  const environment = { engine: "application" as const, engine_version: null, node_classes: null, settings: {} };
  const poolId = await makeDeployment(app, { environment });
  const worker = httpWorker(app, await addWorkerToken(app.database, [poolId]), poolId);
  const known = await introduce(worker);
  assert.equal(known.status, 200, known.text);
  return worker;
}

const picture = {
  1: { class_type: "EmptyImage", inputs: { width: 16, height: 16, batch_size: 1, color: 255 } },
  2: { class_type: "SaveImage", inputs: { images: ["1", 0], filename_prefix: "example" } },
};

export async function submitTo(
  app: Pick<TestApp, "call" | "key">,
  poolId: string,
  workflow: object = picture,
  key = app.key,
): Promise<string> {
  const path = `/deployment/${poolId}/api/v2/jobs`;
  const answer = await app.call({ method: "POST", path, headers: bearer(key), body: { workflow } });
  assert.equal(answer.status, 201, answer.text);
  return textOf(answer.json(), "id");
}

export async function claimOne(worker: HttpWorker, waitMs = 25_000): Promise<LeasedTestJob | null> {
  const answer = await worker.call("POST", "/claims", { body: { slots: 1, wait_ms: waitMs, models_loaded: [] } });
  assert.equal(answer.status, 200, answer.text);
  const [job] = listOf(answer.json(), "jobs");
  if (job === undefined) return null;
  const [jobId, attempt] = [textOf(job, "job_id"), Number(memberOf(job, "attempt"))];
  return { jobId, attempt, path: `/jobs/${jobId}/${attempt}` };
}

export async function aLeasedJob(app: TestApp, worker: HttpWorker, workflow?: object): Promise<LeasedTestJob> {
  const jobId = await submitTo(app, worker.poolId, workflow);
  const leased = await claimOne(worker);
  assert.equal(leased?.jobId, jobId);
  return leased;
}
