// Workers outside: what they report about themselves, what they receive, and what they return. Everything about a job names the
// attempt that the worker was given; once a newer attempt exists, it is ignored.
import { type Static, Type } from "typebox";
import { Progress } from "../jobs.ts";
import { entity, mapOf, mediaTypePattern, notBlank, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const name = Type.String({ minLength: 1, maxLength: 100, description: "The display name." });
const tokenName = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "The display name." });
const attempt = Type.Integer({ minimum: 1, maximum: 1_000_000, description: "The attempt the worker was given." });
const hash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "64 hexadecimal digits." });
const models = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  maxItems: 200,
  description: "Models it has already loaded.",
});
const waitMs = Type.Integer({ minimum: 0, maximum: 25_000, description: "How long to wait at most, in milliseconds." });

const tokenFields = {
  id: Uuid,
  name,
  pool_ids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: 100,
    description: "Ids of the pools it may take jobs from: the shared pool or a deployment's.",
  }),
  created_at: Timestamp,
  expires_at: nullable(Timestamp, "When it expires; null if never."),
  last_used_at: nullable(Timestamp, "Time of last use, to the minute."),
  revoked_at: nullable(Timestamp, "When it was revoked."),
};

export const WorkerToken = entity(
  "WorkerToken",
  "A worker token in a list. Only a hash of the token is stored.",
  tokenFields,
);
export type WorkerToken = Static<typeof WorkerToken>;

export const CreatedWorkerToken = entity("CreatedWorkerToken", "A new worker token.", {
  ...tokenFields,
  secret: Type.String({ pattern: "^worker-", description: "The token itself, shown only once." }),
});

export const CreateWorkerToken = entity("CreateWorkerToken", "A worker token to create.", {
  name: tokenName,
  pool_ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 100, description: "Defaults to the shared pool only." }),
  ),
  expires_at: Type.Optional(nullable(Timestamp, "When it expires. Absent or null: never.")),
});

export const WorkerTokenList = entity("WorkerTokenList", "All worker tokens.", {
  data: Type.Array(WorkerToken, { description: "All tokens, including revoked ones, newest first." }),
});

export const PoolWorker = entity("PoolWorker", "A connected worker.", {
  id: Uuid,
  name: Type.String({ description: "The display name." }),
  engine: wordOf(["embedded", "application"], { description: "What runs its graphs." }),
  version: Type.String({ description: "The engine's version." }),
  slots: Type.Integer({ minimum: 0, description: "How many jobs it runs at once." }),
  node_classes: Type.Integer({ minimum: 0, description: "How many node classes it knows." }),
  models_loaded: Type.Array(Type.String(), { description: "Models it has already loaded." }),
  seen_at: Timestamp,
  draining: Type.Boolean({ description: "true if an operator wants it to take no more jobs." }),
  lock_id: nullable(hash, "The lock of its application's folder as it is now; null if it looks at none."),
  problems: Type.Array(Type.String(), {
    description: "Why it gets no jobs, such as what differs from the pinned lock. Empty if it gets them.",
  }),
  jobs: Type.Array(Type.Object({ id: Uuid, workspace_id: Uuid, started_at: Timestamp }), {
    description: "The jobs it is running.",
  }),
});
export type PoolWorker = Static<typeof PoolWorker>;

export const ChangePoolWorker = entity("ChangePoolWorker", "What a worker shall do.", {
  draining: Type.Boolean({ description: "true: finish the jobs it has and take no more. false: take jobs again." }),
});

export const PoolWorkerList = entity("PoolWorkerList", "The workers of a pool.", {
  data: Type.Array(PoolWorker, { description: "Workers seen within the last minute." }),
});

const workersCount = (description: string) => Type.Integer({ minimum: 0, maximum: 1_000, description });

export const StartFailure = entity("StartFailure", "Why workers could not be started.", {
  at: Timestamp,
  message: Type.String({ maxLength: 500, description: "What ended, and how." }),
  lines: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 20, description: "The last lines it wrote." }),
  retry_at: Timestamp,
});

const scalerFields = {
  name,
  running: workersCount("Workers that are ready."),
  starting: workersCount("Workers that are being started, or whose next start waits."),
  draining: workersCount("Workers that leave as soon as they have no job."),
  failure: nullable(StartFailure, "Why the newest start failed; null if none has since one succeeded."),
};

export const PoolScaler = entity("PoolScaler", "A process that starts and stops workers of a pool.", {
  id: Uuid,
  ...scalerFields,
  workers_min: workersCount("The fewest workers it keeps."),
  workers_max: workersCount("The most workers it starts."),
  workers_wanted: workersCount("How many workers it follows now."),
  seen_at: Timestamp,
});
export type PoolScaler = Static<typeof PoolScaler>;

export const ReportScaler = entity("ReportScaler", "A process that starts workers, and what it does now.", {
  pool_id: Type.Optional(nullable(Uuid, "The pool. Absent or null: the only pool of its token.")),
  ...scalerFields,
  workers_min: nullable(workersCount("At least."), "The fewest workers; null: the deployment's, or 0."),
  workers_max: nullable(
    Type.Integer({ minimum: 1, maximum: 1_000, description: "At most." }),
    "The most workers; null: the deployment's, or 1.",
  ),
  jobs_per_worker: nullable(
    Type.Integer({ minimum: 1, maximum: 64, description: "Jobs." }),
    "Unfinished jobs per wanted worker; null: the deployment's, or 1.",
  ),
  idle_seconds: Type.Integer({
    minimum: 0,
    maximum: 86_400,
    description: "How long one worker of a deployment stays wanted after the last submission.",
  }),
  known_wanted: nullable(workersCount("Workers."), "The number it follows now; null: answer at once."),
  wait_ms: waitMs,
});

export const ScalerOrders = entity("ScalerOrders", "How many workers a pool wants.", {
  pool_id: Uuid,
  workers_wanted: workersCount("How many workers to have."),
  workers_min: workersCount("The fewest."),
  workers_max: workersCount("The most."),
  unfinished_jobs: Type.Integer({
    minimum: 0,
    description: "Waiting and running jobs, counted as far as they matter.",
  }),
  workers: Type.Array(
    Type.Object({ id: Uuid, jobs: Type.Integer({ minimum: 0, description: "How many jobs it has." }) }),
    {
      description: "The connected workers of the pool.",
    },
  ),
});
export type ScalerOrders = Static<typeof ScalerOrders>;

export const Pool = entity("Pool", "A pool of workers.", {
  id: Uuid,
  lock_id: nullable(hash, "The lock that its workers must equal; null for any."),
  scalers: Type.Array(PoolScaler, { description: "Processes that start its workers, seen within the last minute." }),
});
export type Pool = Static<typeof Pool>;

export const ChangePool = entity("ChangePool", "What to change about a pool.", {
  lock_id: nullable(hash, "The lock that its workers must equal, kept on this server; null for any."),
});

export const WorkerLock = entity("WorkerLock", "What a worker found in the application's folder beside it.", {
  lock_id: hash,
  against: nullable(hash, "The pinned lock that it compared the folder with; null if none was pinned."),
  drift: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
    maxItems: 50,
    description: "What differs from the pinned lock, one sentence each without its full stop.",
  }),
});

export const ReportWorker = entity("ReportWorker", "A worker's registration.", {
  pool_id: Type.Optional(nullable(Uuid, "The pool it takes jobs from. Absent or null: the only pool of its token.")),
  name,
  slots: Type.Integer({ minimum: 1, maximum: 1000, description: "How many jobs it runs at once." }),
  environment_id: hash,
  models_loaded: models,
  lock: Type.Optional(nullable(WorkerLock, "Null or absent if it looks at no folder.")),
});

export const WorkerStanding = entity("WorkerStanding", "What a worker needs to know after registering.", {
  pool_id: Uuid,
  environment_wanted: Type.Boolean({
    description: "true: this environment has not been described yet. Describe it, then register again.",
  }),
  lock_id: Type.Optional(nullable(hash, "The lock that it must equal to get jobs; null for any.")),
  lease_seconds: Type.Number({ description: "How long the worker keeps a job without a heartbeat." }),
  heartbeat_seconds: Type.Number({ description: "How often to send a heartbeat." }),
  self_fence_seconds: Type.Number({
    description: "How long without a heartbeat until the worker must discard the job.",
  }),
});
export type WorkerStanding = Static<typeof WorkerStanding>;

export const WorkerEnvironment = entity(
  "WorkerEnvironment",
  "What a worker can run. Its id is the SHA-256 of this document.",
  {
    engine: wordOf(["embedded", "application"], { description: "What runs the graphs." }),
    version: Type.String({ minLength: 1, maxLength: 100, description: "The engine's version." }),
    classes: mapOf(Type.String({ minLength: 1, maxLength: 100 }), {
      description: "Node class → its version or a fingerprint.",
    }),
    descriptions: Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.Unknown(), {
      description: "Node class → its description, in the application's object_info format.",
    }),
  },
);

export const ClaimWork = entity("ClaimWork", "A worker asking for jobs.", {
  slots: Type.Integer({ minimum: 1, maximum: 64, description: "How many jobs it can start now." }),
  wait_ms: waitMs,
  models_loaded: models,
});

export const LeasedJob = entity("LeasedJob", "A job that belongs to this worker until its lease expires.", {
  job_id: Uuid,
  attempt,
  workspace_id: Uuid,
  workflow: Type.String({ description: "The graph as a JSON string, so that large integers keep their digits." }),
  extra_pnginfo: Type.Optional(
    Type.String({
      description:
        "What saved files contain besides the graph, as a JSON object in a string. Each member is a separate text; an editor graph is `workflow`.",
    }),
  ),
  nodes_total: Type.Integer({ minimum: 0, description: "How many nodes will run." }),
  extra_data: nullable(
    Type.Record(Type.String(), Type.String()),
    "Credentials from the submission for its nodes. Only for this attempt.",
  ),
  expires_at: Timestamp,
  traceparent: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "W3C trace context of the submission, if it is traced. A worker that traces continues it.",
    }),
  ),
  settings: Type.Optional(
    Type.Object(
      {
        job_seconds_max: Type.Optional(Type.Integer({ description: "How long it may run." })),
        job_memory_megabytes_max: Type.Optional(Type.Integer({ description: "How much memory it may use." })),
        own_process: Type.Optional(
          Type.Boolean({ description: "Run it only in an engine process that serves no other workspace." }),
        ),
      },
      { description: "The deployment's current limits. Missing ones come from the worker's own settings." },
    ),
  ),
});
export type LeasedJob = Static<typeof LeasedJob>;

export const LeasedJobList = entity("LeasedJobList", "The worker's jobs.", {
  jobs: Type.Array(LeasedJob, { description: "Empty if there is nothing to do." }),
});
export type LeasedJobList = Static<typeof LeasedJobList>;

const lease = Type.Object({ job_id: Uuid, attempt }, { description: "A job the worker holds." });
const leases = Type.Array(lease, { maxItems: 1000, description: "The jobs it holds." });

export const HeartbeatLeases = entity("HeartbeatLeases", "A heartbeat for these jobs.", { leases });

export const LeaseStates = entity("LeaseStates", "The state of the jobs.", {
  states: Type.Array(
    wordOf(["running", "canceling", "lost"], {
      description: "canceling: stop the job and finish it as canceled. lost: stop immediately and send nothing more.",
    }),
    { description: "One for each lease, in the same order." },
  ),
});

export const WatchCancels = entity("WatchCancels", "A worker waiting for cancellations of its jobs.", {
  leases,
  wait_ms: waitMs,
});

export const CancelsSeen = entity("CancelsSeen", "Jobs that are being canceled.", {
  job_ids: Type.Array(Uuid, { description: "The jobs to stop. Empty if the wait timed out." }),
});

// One string per job, as short as possible, because it is sent twice a second and stored unchanged.
const nodeStatesText = Type.Optional(
  Type.String({
    maxLength: 65_536,
    description:
      "The state of its nodes, as JSON: [1, attempt, sequence, [waiting, running, cached, done, failed], [[class, ran, ms, cached] …], [[node id, index of its class, title or 0, state 0–4, ms, an empty string, share] …]]. Empty values at the end of a node's list are left out. Unreadable values are ignored.",
  }),
);

export const ReportProgress = entity("ReportProgress", "Job progress. Best effort: stale reports are ignored.", {
  entries: Type.Array(Type.Object({ job_id: Uuid, attempt, progress: Progress, node_states: nodeStatesText }), {
    maxItems: 1000,
    description: "The newest report of each job.",
  }),
});

const outputFields = {
  node_id: Type.String({ minLength: 1, maxLength: 255, description: "The node that made it." }),
  index: Type.Integer({ minimum: 0, maximum: 100_000, description: "Its index among the node's outputs." }),
  name: Type.String({ minLength: 1, maxLength: 1024, description: "Its file name." }),
  folder: Type.Optional(
    wordOf(["output", "temp", "shown"], {
      description:
        "output (the default): a result. temp: a preview saved as a file. shown: a full-size image for live viewers.",
    }),
  ),
  hash,
};

export const OutputByHash = entity("OutputByHash", "An output by the BLAKE3 hash of its bytes.", {
  ...outputFields,
  content_type: Type.String({
    minLength: 1,
    maxLength: 255,
    pattern: mediaTypePattern,
    description: "Its media type.",
  }),
});

export const OutputQuery = Type.Object(outputFields);

export const KeptOutput = entity("KeptOutput", "An output that was added to the job.", {
  asset_id: Uuid,
  hash,
  size: Type.Integer({ minimum: 0, description: "Size in bytes." }),
});
export type KeptOutput = Static<typeof KeptOutput>;

export const FinishJob = entity("FinishJob", "The end of a job's attempt.", {
  kind: wordOf(["succeeded", "failed", "canceled"], { description: "How it ended." }),
  outputs_reused: Type.Optional(Type.Boolean({ description: "Whether some results came from an earlier run." })),
  executed_workflow: Type.Optional(nullable(Type.String(), "The graph that actually ran, as a JSON string.")),
  problem: Type.Optional(
    Type.Object({
      code: Type.String({ minLength: 1, maxLength: 100, description: "An error code." }),
      message: Type.String({ maxLength: 10_000, description: "A human-readable message." }),
      node_id: nullable(Type.String({ maxLength: 255 }), "The node that failed."),
      class_type: nullable(Type.String({ maxLength: 255 }), "Its class."),
    }),
  ),
  is_retryable: Type.Optional(
    Type.Boolean({ description: "failed: the worker may be at fault. The job runs again while attempts are left." }),
  ),
  node_states: nodeStatesText,
});
export type FinishJob = Static<typeof FinishJob>;
