// Realistic messages between an outside worker and its server, and ways to break them.
import { time as at, type Example, uuid as id } from "./example.ts";

const hash = "0f".repeat(32);
const token = {
  id,
  name: "rack-1",
  pool_ids: [id],
  created_at: at,
  expires_at: null,
  last_used_at: at,
  revoked_at: null,
};
const worker = {
  id,
  name: "rack-1",
  engine: "application",
  version: "0.3.60",
  slots: 2,
  node_classes: 512,
  models_loaded: ["base.safetensors"],
  seen_at: at,
  draining: false,
  lock_id: hash,
  problems: ["It differs from the pinned lock 0f0f0f0f0f0f: pack studio: util.py changed."],
  jobs: [{ id, workspace_id: id, started_at: at }],
};
const lease = { job_id: id, attempt: 1 };
const leased = {
  ...lease,
  workspace_id: id,
  workflow: '{"1":{"class_type":"EmptyImage","inputs":{}}}',
  nodes_total: 1,
  extra_data: { api_key_service: "service-…" },
  expires_at: at,
};
const output = { node_id: "9", index: 0, name: "kept_00001_.png", hash };
const progress = { value: 0.5, nodes_done: 1, nodes_total: 2 };

export const failure = {
  at,
  message: "The worker ended with code 1 before the worker was ready.",
  lines: ["No module named torch"],
  retry_at: at,
};
const scalerFields = { name: "rack-1", running: 1, starting: 1, draining: 0, failure };
export const scaler = { id, ...scalerFields, workers_min: 0, workers_max: 4, workers_wanted: 2, seen_at: at };

export const workerExamples: Record<string, Example> = {
  WorkerToken: { good: token, broken: { pool_ids: [], revoked_at: "yesterday" } },
  CreatedWorkerToken: { good: { ...token, secret: "worker-abc" }, broken: { secret: "admin-abc" } },
  CreateWorkerToken: { good: { name: "rack-1", pool_ids: [id] }, broken: { name: "", pool_ids: ["shared"] } },
  WorkerTokenList: { good: { data: [token] }, broken: { "data.0.name": 7 } },
  PoolWorker: { good: worker, broken: { engine: "steam", slots: -1, draining: "yes", "jobs.0.id": "7" } },
  ChangePoolWorker: { good: { draining: true }, broken: { draining: "yes" } },
  PoolWorkerList: { good: { data: [worker] }, broken: { "data.0.seen_at": null } },
  StartFailure: { good: failure, broken: { at: "now", lines: "none" } },
  PoolScaler: { good: scaler, broken: { running: -1, failure: {}, workers_max: "4" } },
  ReportScaler: {
    good: {
      ...scalerFields,
      pool_id: id,
      workers_min: 0,
      workers_max: 4,
      jobs_per_worker: null,
      idle_seconds: 60,
      known_wanted: null,
      wait_ms: 20_000,
    },
    broken: { workers_max: 0, wait_ms: 60_000, jobs_per_worker: 65, idle_seconds: -1 },
  },
  ScalerOrders: {
    good: {
      pool_id: id,
      workers_wanted: 2,
      workers_min: 0,
      workers_max: 4,
      unfinished_jobs: 7,
      workers: [{ id, jobs: 1 }],
    },
    broken: { workers_wanted: -1, "workers.0.jobs": "one" },
  },
  Pool: { good: { id, lock_id: hash, scalers: [scaler] }, broken: { id: "shared", lock_id: "0f" } },
  ChangePool: { good: { lock_id: null }, broken: { lock_id: undefined } },
  WorkerLock: {
    good: { lock_id: hash, against: null, drift: [] },
    broken: { lock_id: null, against: "0f", drift: ["", "x"] },
  },
  ReportWorker: {
    good: { pool_id: id, name: "rack-1", slots: 2, environment_id: hash, models_loaded: [] },
    broken: { slots: 0, environment_id: "0f", models_loaded: "all", lock: {} },
  },
  WorkerStanding: {
    good: {
      pool_id: id,
      environment_wanted: false,
      lease_seconds: 45,
      heartbeat_seconds: 10,
      self_fence_seconds: 30,
    },
    broken: { lease_seconds: "45", environment_wanted: undefined },
  },
  WorkerEnvironment: {
    good: {
      engine: "application",
      version: "0.3.60",
      classes: { EmptyImage: "3f2a" },
      descriptions: { EmptyImage: { input: {} } },
    },
    broken: { engine: "steam", classes: { EmptyImage: 7 }, descriptions: [] },
  },
  ClaimWork: { good: { slots: 1, wait_ms: 5000, models_loaded: [] }, broken: { slots: 65, wait_ms: 60_000 } },
  LeasedJob: { good: leased, broken: { attempt: 0, workflow: {} } },
  LeasedJobList: { good: { jobs: [leased] }, broken: { "jobs.0.job_id": "one" } },
  HeartbeatLeases: { good: { leases: [lease] }, broken: { leases: {}, "leases.0.attempt": "1" } },
  LeaseStates: { good: { states: ["running", "lost"] }, broken: { "states.0": "dead" } },
  WatchCancels: { good: { leases: [lease], wait_ms: 0 }, broken: { wait_ms: -1 } },
  CancelsSeen: { good: { job_ids: [id] }, broken: { job_ids: ["one"] } },
  ReportProgress: { good: { entries: [{ ...lease, progress }] }, broken: { "entries.0.progress.value": 2 } },
  OutputByHash: { good: { ...output, content_type: "image/png" }, broken: { hash: "blake3:00", index: -1 } },
  KeptOutput: { good: { asset_id: id, hash, size: 300 }, broken: { size: -1, asset_id: undefined } },
  FinishJob: {
    good: {
      kind: "failed",
      problem: { code: "node_execution_error", message: "Out of memory.", node_id: "9", class_type: "SaveImage" },
      is_retryable: false,
    },
    broken: { kind: "expired", "problem.code": "" },
  },
};
