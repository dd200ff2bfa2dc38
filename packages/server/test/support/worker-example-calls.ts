// One example call for each operation for outside workers, and for the operators who give them tokens.
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type AppRequest, bearer, textOf } from "./app-client.ts";
import { keepEnvironment } from "./environment-example-calls.ts";
import type { ExampleCall, Scene } from "./example-call.ts";
import {
  aLeasedJob,
  anHttpWorker,
  environmentOf,
  type HttpWorker,
  idOfEnvironment,
  type LeasedTestJob,
} from "./http-worker.ts";

const hash = "0".repeat(64);
const progress = { value: 0.5, nodes_done: 1, nodes_total: 2 };

type Made = Omit<AppRequest, "method" | "path">;

const asWorker = (
  method: string,
  end: string,
  more: (worker: HttpWorker) => Made = () => ({}),
  status = 200,
): ExampleCall => ({
  status,
  async make({ app }) {
    const worker = await anHttpWorker(app);
    const rest = more(worker);
    const headers = { ...bearer(worker.token), ...rest.headers };
    return { ...rest, method, path: `/api/workers/${worker.workerId}${end}`, headers };
  },
});

const onLease = (
  method: string,
  path: (lease: LeasedTestJob) => string,
  more: (lease: LeasedTestJob) => Made,
  status: number,
): ExampleCall => ({
  status,
  async make({ app }) {
    const worker = await anHttpWorker(app);
    const lease = await aLeasedJob(app, worker);
    const rest = more(lease);
    const headers = { ...bearer(worker.token), ...rest.headers };
    return { ...rest, method, path: `/api/workers/${worker.workerId}${path(lease)}`, headers };
  },
});

const leaseOf = ({ jobId, attempt }: LeasedTestJob) => ({ job_id: jobId, attempt });
const output = { node_id: "2", index: 0, name: "a.png", hash };

const asAdmin = ({ app }: Scene) => ({ headers: bearer(app.adminToken) });

async function aToken(scene: Scene): Promise<string> {
  const body = { name: randomUUID() };
  const made = await scene.app.call({ method: "POST", path: "/admin/worker-tokens", ...asAdmin(scene), body });
  assert.equal(made.status, 201, made.text);
  return textOf(made.json(), "id");
}

export const workerExamples: Readonly<Record<string, ExampleCall>> = {
  listWorkerTokens: { status: 200, make: (scene) => ({ path: "/admin/worker-tokens", ...asAdmin(scene) }) },
  createWorkerToken: {
    status: 201,
    make: (scene) => ({
      method: "POST",
      path: "/admin/worker-tokens",
      ...asAdmin(scene),
      body: { name: randomUUID(), expires_at: "2999-01-01T00:00:00.000Z" },
    }),
  },
  revokeWorkerToken: {
    status: 204,
    make: async (scene) => ({
      method: "DELETE",
      path: `/admin/worker-tokens/${await aToken(scene)}`,
      ...asAdmin(scene),
    }),
  },
  getPool: { status: 200, make: (scene) => ({ path: "/admin/pools/shared", ...asAdmin(scene) }) },
  changePool: {
    status: 200,
    make: (scene) => ({ method: "PATCH", path: "/admin/pools/shared", ...asAdmin(scene), body: { lock_id: null } }),
  },
  listPoolWorkers: { status: 200, make: (scene) => ({ path: "/admin/pools/shared/workers", ...asAdmin(scene) }) },
  changePoolWorker: {
    status: 204,
    async make(scene) {
      const { workerId, poolId } = await anHttpWorker(scene.app);
      const path = `/admin/pools/${poolId}/workers/${workerId}`;
      return { method: "PATCH", path, ...asAdmin(scene), body: { draining: true } };
    },
  },
  reportWorker: asWorker("PUT", "", () => ({
    body: {
      name: "rack-1",
      slots: 1,
      environment_id: idOfEnvironment(environmentOf()),
      models_loaded: ["a.safetensors"],
    },
  })),
  leavePool: asWorker("DELETE", "", () => ({}), 204),
  describeEnvironment: asWorker("PUT", "/environment", () => ({ body: environmentOf(["EmptyImage"]) }), 204),
  reportScaler: {
    status: 200,
    async make({ app }) {
      const worker = await anHttpWorker(app);
      const body = {
        pool_id: worker.poolId,
        name: "rack-1",
        running: 0,
        starting: 0,
        draining: 0,
        failure: null,
        workers_min: null,
        workers_max: null,
        jobs_per_worker: null,
        idle_seconds: 60,
        known_wanted: null,
        wait_ms: 0,
      };
      return { method: "PUT", path: `/api/workers/scalers/${randomUUID()}`, headers: bearer(worker.token), body };
    },
  },
  readPinnedLock: {
    status: 200,
    async make(scene) {
      const worker = await anHttpWorker(scene.app);
      const path = `/admin/environments/${await keepEnvironment(scene.app)}`;
      const kept = await scene.app.call({ path, ...asAdmin(scene) });
      const body = { lock_id: textOf(kept.json(), "lock_id") };
      await scene.app.call({ method: "PATCH", path: `/admin/pools/${worker.poolId}`, ...asAdmin(scene), body });
      return { path: `/api/workers/${worker.workerId}/lock`, headers: bearer(worker.token) };
    },
  },
  claimJobs: asWorker("POST", "/claims", () => ({ body: { slots: 1, wait_ms: 0, models_loaded: [] } })),
  listLeasedJobs: onLease(
    "GET",
    () => "/jobs",
    () => ({}),
    200,
  ),
  sendHeartbeat: onLease(
    "POST",
    () => "/heartbeats",
    (lease) => ({ body: { leases: [leaseOf(lease)] } }),
    200,
  ),
  watchCancels: onLease(
    "POST",
    () => "/cancels",
    (lease) => ({ body: { leases: [leaseOf(lease)], wait_ms: 0 } }),
    200,
  ),
  reportProgress: onLease(
    "POST",
    () => "/progress",
    (lease) => ({ body: { entries: [{ ...leaseOf(lease), progress }] } }),
    204,
  ),
  reportPreview: onLease(
    "PUT",
    ({ path }) => `${path}/preview?node_id=2`,
    () => ({ headers: { "content-type": "image/png" }, body: Buffer.from("picture") }),
    204,
  ),
  // The job has no input.
  readJobInput: onLease(
    "GET",
    ({ path }) => `${path}/inputs/${randomUUID()}`,
    () => ({}),
    404,
  ),
  // No workspace has these bytes.
  keepKnownOutput: onLease(
    "POST",
    ({ path }) => `${path}/outputs`,
    () => ({ body: { ...output, content_type: "image/png" } }),
    404,
  ),
  // The bytes do not match what the request says about them.
  keepOutput: onLease(
    "PUT",
    ({ path }) => `${path}/outputs?${new URLSearchParams({ ...output, index: "0" })}`,
    () => ({ headers: { "content-type": "image/png" }, body: Buffer.from("picture") }),
    409,
  ),
  finishJob: onLease(
    "POST",
    ({ path }) => `${path}/finish`,
    () => ({ body: { kind: "succeeded" } }),
    204,
  ),
  giveBackJob: onLease(
    "POST",
    ({ path }) => `${path}/give-back`,
    () => ({}),
    204,
  ),
};
