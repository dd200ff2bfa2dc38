// Workers outside: what they report about themselves, what they receive, and what they return. Everything about a job names the
// attempt that the worker was given; once a newer attempt exists, it is ignored.
import { type Static, Type } from "typebox";
import { Progress } from "../jobs.ts";
import { entity, mapOf, mediaTypePattern, notBlank, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const name = Type.String({ minLength: 1, maxLength: 100, description: "For people." });
const tokenName = Type.String({ minLength: 1, maxLength: 100, pattern: notBlank, description: "For people." });
const attempt = Type.Integer({ minimum: 1, maximum: 1_000_000, description: "The attempt that the worker was given." });
const hash = Type.String({ pattern: "^[0-9a-f]{64}$", description: "64 hexadecimal digits." });
const models = Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
  maxItems: 200,
  description: "Models that it would not have to load first.",
});
const waitMs = Type.Integer({ minimum: 0, maximum: 25_000, description: "How long to wait for something to happen." });

const tokenFields = {
  id: Uuid,
  name,
  pool_ids: Type.Array(Uuid, {
    minItems: 1,
    maxItems: 100,
    description: "The pools whose jobs it may take: the shared one, or a deployment's id.",
  }),
  created_at: Timestamp,
  expires_at: nullable(Timestamp, "When it stops working; null: never."),
  last_used_at: nullable(Timestamp, "Its last use, to the minute."),
  revoked_at: nullable(Timestamp, "When it was revoked."),
};

export const WorkerToken = entity(
  "WorkerToken",
  "A worker's token as it is listed. The token itself is stored nowhere, only a hash of it.",
  tokenFields,
);
export type WorkerToken = Static<typeof WorkerToken>;

export const CreatedWorkerToken = entity("CreatedWorkerToken", "A new worker's token.", {
  ...tokenFields,
  secret: Type.String({ pattern: "^worker-", description: "The token itself, shown this one time." }),
});
export type CreatedWorkerToken = Static<typeof CreatedWorkerToken>;

export const CreateWorkerToken = entity("CreateWorkerToken", "A wish for a worker's token.", {
  name: tokenName,
  pool_ids: Type.Optional(
    Type.Array(Uuid, { minItems: 1, maxItems: 100, description: "Absent: the shared pool alone." }),
  ),
  expires_at: Type.Optional(nullable(Timestamp, "When it stops working; absent or null: never.")),
});
export type CreateWorkerToken = Static<typeof CreateWorkerToken>;

export const WorkerTokenList = entity("WorkerTokenList", "All workers' tokens.", {
  data: Type.Array(WorkerToken, { description: "Every token, revoked ones included, the newest first." }),
});
export type WorkerTokenList = Static<typeof WorkerTokenList>;

export const PoolWorker = entity("PoolWorker", "A worker that is here now.", {
  id: Uuid,
  name: Type.String({ description: "For people." }),
  engine: wordOf(["embedded", "application"], { description: "What runs its graphs." }),
  version: Type.String({ description: "The engine's version." }),
  slots: Type.Integer({ minimum: 0, description: "How many jobs it takes at once." }),
  node_classes: Type.Integer({ minimum: 0, description: "How many node classes it knows." }),
  models_loaded: Type.Array(Type.String(), { description: "Models that it would not have to load first." }),
  seen_at: Timestamp,
});
export type PoolWorker = Static<typeof PoolWorker>;

export const PoolWorkerList = entity("PoolWorkerList", "The workers of a pool.", {
  data: Type.Array(PoolWorker, { description: "Those that were seen within a minute." }),
});
export type PoolWorkerList = Static<typeof PoolWorkerList>;

export const ReportWorker = entity("ReportWorker", "A worker as it introduces itself.", {
  pool_id: Type.Optional(nullable(Uuid, "Whose jobs it takes; absent or null: the only pool of its token.")),
  name,
  slots: Type.Integer({ minimum: 1, maximum: 1000, description: "How many jobs it takes at once." }),
  environment_id: hash,
  models_loaded: models,
});
export type ReportWorker = Static<typeof ReportWorker>;

export const WorkerStanding = entity("WorkerStanding", "What a worker must know of the place it works for.", {
  pool_id: Uuid,
  environment_wanted: Type.Boolean({
    description: "True: nobody has described this environment yet; describe it, then report again.",
  }),
  lease_seconds: Type.Number({ description: "How long a job is the worker's without a heartbeat." }),
  heartbeat_seconds: Type.Number({ description: "How often to send one." }),
  self_fence_seconds: Type.Number({ description: "After how long without one the work must be thrown away." }),
});
export type WorkerStanding = Static<typeof WorkerStanding>;

export const WorkerEnvironment = entity(
  "WorkerEnvironment",
  "What a worker can run. Its id is the SHA-256 of this document.",
  {
    engine: wordOf(["embedded", "application"], { description: "What runs the graphs." }),
    version: Type.String({ minLength: 1, maxLength: 100, description: "The engine's version." }),
    classes: mapOf(Type.String({ minLength: 1, maxLength: 100 }), {
      description: "Node class → its version, or a fingerprint of it.",
    }),
    descriptions: Type.Record(Type.String({ minLength: 1, maxLength: 200 }), Type.Unknown(), {
      description: "Node class → its description, as the application's object_info has it.",
    }),
  },
);
export type WorkerEnvironment = Static<typeof WorkerEnvironment>;

export const ClaimWork = entity("ClaimWork", "A worker with room for jobs.", {
  slots: Type.Integer({ minimum: 1, maximum: 64, description: "How many jobs it can begin now." }),
  wait_ms: waitMs,
  models_loaded: models,
});
export type ClaimWork = Static<typeof ClaimWork>;

export const LeasedJob = entity("LeasedJob", "A job that is this worker's until its lease runs out.", {
  job_id: Uuid,
  attempt,
  workspace_id: Uuid,
  workflow: Type.String({ description: "The graph as JSON text, so that long integers keep their digits." }),
  extra_pnginfo: Type.Optional(
    Type.String({
      description:
        "What saved files carry besides the graph, as the JSON text of an object: each member is a text of its own, and an editor's graph is `workflow`.",
    }),
  ),
  nodes_total: Type.Integer({ minimum: 0, description: "How many nodes will run." }),
  extra_data: nullable(
    Type.Record(Type.String(), Type.String()),
    "Credentials that the submission brought for its nodes; for this attempt alone.",
  ),
  expires_at: Timestamp,
  traceparent: Type.Optional(
    Type.String({
      maxLength: 64,
      description: "W3C trace context of the submission, where it is traced: a worker that traces goes on in it.",
    }),
  ),
  settings: Type.Optional(
    Type.Object(
      {
        job_seconds_max: Type.Optional(Type.Integer({ description: "How long it may run." })),
        job_memory_megabytes_max: Type.Optional(Type.Integer({ description: "How much memory it may take." })),
      },
      { description: "The deployment's bounds as they are now; what is absent is as the worker's own settings say." },
    ),
  ),
});
export type LeasedJob = Static<typeof LeasedJob>;

export const LeasedJobList = entity("LeasedJobList", "Jobs of this worker.", {
  jobs: Type.Array(LeasedJob, { description: "None: there is nothing to do now." }),
});
export type LeasedJobList = Static<typeof LeasedJobList>;

const lease = Type.Object({ job_id: Uuid, attempt }, { description: "A job that it was given." });
const leases = Type.Array(lease, { maxItems: 1000, description: "What it has." });

export const HeartbeatLeases = entity("HeartbeatLeases", "A sign of life for these jobs.", { leases });
export type HeartbeatLeases = Static<typeof HeartbeatLeases>;

export const LeaseStates = entity("LeaseStates", "What became of the jobs.", {
  states: Type.Array(
    wordOf(["running", "canceling", "lost"], {
      description: "canceling: stop it and finish it as canceled. lost: stop at once and bring nothing more.",
    }),
    { description: "One for each lease, in their order." },
  ),
});
export type LeaseStates = Static<typeof LeaseStates>;

export const WatchCancels = entity(
  "WatchCancels",
  "A worker that wants to hear at once when one of its jobs is canceled.",
  { leases, wait_ms: waitMs },
);
export type WatchCancels = Static<typeof WatchCancels>;

export const CancelsSeen = entity("CancelsSeen", "Jobs that somebody cancels.", {
  job_ids: Type.Array(Uuid, { description: "Those that are to be stopped; none: the time is up." }),
});
export type CancelsSeen = Static<typeof CancelsSeen>;

// One string per job, as short as possible, because it is sent twice a second and stored unchanged.
const nodeStatesText = Type.Optional(
  Type.String({
    maxLength: 65_536,
    description:
      "How its nodes are doing, as JSON: [1, attempt, sequence, [waiting, running, cached, done, failed], [[class, ran, ms, cached] …], [[node id, index of its class, title or 0, state 0–4, ms, an empty text, share] …]]; what is at the end of a node's list and empty is left out. What cannot be read is ignored.",
  }),
);

export const ReportProgress = entity("ReportProgress", "How far jobs are. A hint: stale ones are ignored.", {
  entries: Type.Array(Type.Object({ job_id: Uuid, attempt, progress: Progress, node_states: nodeStatesText }), {
    maxItems: 1000,
    description: "The newest of each job.",
  }),
});
export type ReportProgress = Static<typeof ReportProgress>;

const outputFields = {
  node_id: Type.String({ minLength: 1, maxLength: 255, description: "The node that made it." }),
  index: Type.Integer({ minimum: 0, maximum: 100_000, description: "Its number among the node's outputs." }),
  name: Type.String({ minLength: 1, maxLength: 1024, description: "Its file name." }),
  folder: Type.Optional(
    wordOf(["output", "temp", "shown"], {
      description:
        "output, or absent: a result. temp: a preview that is a file. shown: a whole picture for those who watch.",
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
export type OutputByHash = Static<typeof OutputByHash>;

export const OutputQuery = Type.Object(outputFields);

export const KeptOutput = entity("KeptOutput", "An output that is the job's now.", {
  asset_id: Uuid,
  hash,
  size: Type.Integer({ minimum: 0, description: "Bytes." }),
});
export type KeptOutput = Static<typeof KeptOutput>;

export const FinishJob = entity("FinishJob", "The end of a job's attempt.", {
  kind: wordOf(["succeeded", "failed", "canceled"], { description: "How it ended." }),
  outputs_reused: Type.Optional(Type.Boolean({ description: "Some results were kept from an earlier run." })),
  executed_workflow: Type.Optional(nullable(Type.String(), "The graph that really ran, as JSON text.")),
  problem: Type.Optional(
    Type.Object({
      code: Type.String({ minLength: 1, maxLength: 100, description: "A word for programs." }),
      message: Type.String({ maxLength: 10_000, description: "For people." }),
      node_id: nullable(Type.String({ maxLength: 255 }), "The node that failed."),
      class_type: nullable(Type.String({ maxLength: 255 }), "Its class."),
    }),
  ),
  is_retryable: Type.Optional(
    Type.Boolean({ description: "failed: the fault may be the worker's; it runs again while attempts are left." }),
  ),
  node_states: nodeStatesText,
});
export type FinishJob = Static<typeof FinishJob>;
