// Deployments as operators see them: a dedicated surface with one pinned environment, its own workers and its own queue.
import { type Static, Type } from "typebox";
import { pageOf } from "../pagination.ts";
import { entity, mapOf, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { PoolScaler } from "./workers.ts";

const count = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });

export const LockId = Type.String({ pattern: "^[0-9a-f]{64}$", description: "The id of a lock." });

const engine = wordOf(["embedded", "application"], { description: "What runs the graphs." });

export const DeploymentSettings = entity(
  "DeploymentSettings",
  "Limits of a run. Missing ones come from the worker's own settings.",
  {
    job_seconds_max: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: "How long a graph may run." }),
    ),
    job_memory_megabytes_max: Type.Optional(
      Type.Integer({ minimum: 64, maximum: 1_048_576, description: "How much memory a graph may use." }),
    ),
  },
  { additionalProperties: false },
);

export const DeploymentEnvironment = entity(
  "DeploymentEnvironment",
  "What every worker of the deployment must match. A worker that differs gets no jobs.",
  {
    engine,
    engine_version: nullable(
      Type.String({ minLength: 1, maxLength: 100 }),
      "The engine version a worker must report; null for any.",
    ),
    node_classes: nullable(
      mapOf(
        Type.String({ minLength: 1, maxLength: 100, description: "The version a worker must report; * for any." }),
        { maxProperties: 5_000 },
      ),
      "The node classes that graphs may use, by name; null for all classes of the engine.",
    ),
    lock_id: nullable(LockId, "The lock that the folder of a worker's application must equal; null for any."),
    settings: DeploymentSettings,
  },
  { additionalProperties: false },
);

export const DeploymentEnvironmentWish = entity(
  "DeploymentEnvironmentWish",
  "What every worker must match. Defaults to any version, all classes of the engine and no limits.",
  {
    engine,
    engine_version: Type.Optional(DeploymentEnvironment.properties.engine_version),
    node_classes: Type.Optional(DeploymentEnvironment.properties.node_classes),
    lock_id: Type.Optional(DeploymentEnvironment.properties.lock_id),
    settings: Type.Optional(DeploymentSettings),
  },
  { additionalProperties: false },
);
export type DeploymentEnvironmentWish = Static<typeof DeploymentEnvironmentWish>;

const written = {
  name: Type.String({ minLength: 1, maxLength: 100, description: "Display name." }),
  environment: DeploymentEnvironmentWish,
  workers_min: count(1_000, "Workers an autoscaler keeps even when idle; 0 scales to zero."),
  workers_max: Type.Integer({ minimum: 1, maximum: 1_000, description: "The most workers an autoscaler may start." }),
  jobs_per_worker: Type.Integer({
    minimum: 1,
    maximum: 64,
    description: "Unfinished jobs per wanted worker.",
  }),
  workspace_id: nullable(Uuid, "The only workspace whose keys may use it; null for every workspace on this server."),
  scale_webhook_url: nullable(
    Type.String({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/]", maxLength: 2048 }),
    "An https URL of a public host, called whenever workers_wanted changes. Signed with the webhook secret of workspace_id, which is then required.",
  ),
};

export const CreateDeployment = entity(
  "CreateDeployment",
  "A deployment to create. Defaults: no idle workers, at most one worker, one job per worker, open to every workspace.",
  {
    name: written.name,
    environment: written.environment,
    workers_min: Type.Optional(written.workers_min),
    workers_max: Type.Optional(written.workers_max),
    jobs_per_worker: Type.Optional(written.jobs_per_worker),
    workspace_id: Type.Optional(written.workspace_id),
    scale_webhook_url: Type.Optional(written.scale_webhook_url),
  },
  { additionalProperties: false },
);

export const UpdateDeployment = entity(
  "UpdateDeployment",
  "The fields to change; the rest stay as they are. An environment is replaced as a whole.",
  {
    name: Type.Optional(written.name),
    environment: Type.Optional(written.environment),
    workers_min: Type.Optional(written.workers_min),
    workers_max: Type.Optional(written.workers_max),
    jobs_per_worker: Type.Optional(written.jobs_per_worker),
    workspace_id: Type.Optional(written.workspace_id),
    scale_webhook_url: Type.Optional(written.scale_webhook_url),
  },
  { additionalProperties: false },
);
export type UpdateDeployment = Static<typeof UpdateDeployment>;

export const DeploymentWorker = entity("DeploymentWorker", "A worker that reported recently.", {
  id: Uuid,
  name: Type.String({ description: "The worker's own name." }),
  slots: Type.Integer({ description: "Jobs it runs at once." }),
  engine,
  engine_version: Type.String({ description: "The version of its engine." }),
  lock_id: nullable(LockId, "The lock of its application's folder as it is now; null if it looks at none."),
  matches: Type.Boolean({ description: "Whether it matches the environment." }),
  problems: Type.Array(Type.String(), { description: "Why it does not match; at most 20 reasons." }),
  seen_at: Timestamp,
});
export type DeploymentWorker = Static<typeof DeploymentWorker>;

export const Deployment = entity("Deployment", "A dedicated deployment and its state.", {
  id: Uuid,
  ...written,
  environment: DeploymentEnvironment,
  state: wordOf(["provisioning", "ready", "stopped"], {
    description: "provisioning: no matching worker has reported, and submissions get 429 deployment_not_ready.",
  }),
  reason: nullable(Type.String(), "Why it is not ready; null if it is."),
  workers_wanted: count(1_000, "How many workers it needs now, between workers_min and workers_max; 0 if stopped."),
  workers: Type.Array(DeploymentWorker, { description: "Workers that reported within the last minute." }),
  scalers: Type.Array(PoolScaler, { description: "Processes that start its workers, seen within the last minute." }),
  unfinished_jobs: Type.Integer({ description: "Waiting and running jobs, counted only as far as workers_max needs." }),
  urls: Type.Object(
    {
      mount: Type.String({ format: "uri-reference", description: "The path before /api/v2 on this host." }),
      host: nullable(Type.String({ format: "uri" }), "Its own URL; null if none is set up."),
    },
    { description: "How to reach it." },
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Deployment = Static<typeof Deployment>;

export const DeploymentPage = pageOf(Deployment, "DeploymentPage", "One page of all deployments.");
