// Deployments as operators see them: a dedicated surface with one pinned environment, its own workers and its own queue.
import { type Static, Type } from "typebox";
import { pageOf } from "../pagination.ts";
import { entity, mapOf, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const count = (maximum: number, description: string) => Type.Integer({ minimum: 0, maximum, description });

const engine = wordOf(["embedded", "application"], { description: "What runs the graphs." });

export const DeploymentSettings = entity(
  "DeploymentSettings",
  "Bounds of a run; what is absent is as the worker's own settings say.",
  {
    job_seconds_max: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 86_400, description: "How long one graph may run." }),
    ),
    job_memory_megabytes_max: Type.Optional(
      Type.Integer({ minimum: 64, maximum: 1_048_576, description: "How much memory one graph may take." }),
    ),
  },
  { additionalProperties: false },
);
export type DeploymentSettings = Static<typeof DeploymentSettings>;

export const DeploymentEnvironment = entity(
  "DeploymentEnvironment",
  "What every worker of the deployment has to be. A worker that differs is given no job.",
  {
    engine,
    engine_version: nullable(
      Type.String({ minLength: 1, maxLength: 100 }),
      "The engine's version that a worker must report; null: any.",
    ),
    node_classes: nullable(
      mapOf(
        Type.String({ minLength: 1, maxLength: 100, description: "The version a worker must report; * for any." }),
        { maxProperties: 5_000 },
      ),
      "The node classes that graphs may use, by name; null: every class that the engine knows.",
    ),
    settings: DeploymentSettings,
  },
  { additionalProperties: false },
);
export type DeploymentEnvironment = Static<typeof DeploymentEnvironment>;

export const DeploymentEnvironmentWish = entity(
  "DeploymentEnvironmentWish",
  "What every worker is to be. Absent: any version, every class that the engine knows, no bounds.",
  {
    engine,
    engine_version: Type.Optional(DeploymentEnvironment.properties.engine_version),
    node_classes: Type.Optional(DeploymentEnvironment.properties.node_classes),
    settings: Type.Optional(DeploymentSettings),
  },
  { additionalProperties: false },
);
export type DeploymentEnvironmentWish = Static<typeof DeploymentEnvironmentWish>;

const written = {
  name: Type.String({ minLength: 1, maxLength: 100, description: "Display name." }),
  environment: DeploymentEnvironmentWish,
  workers_min: count(1_000, "Workers that an autoscaler keeps without any work; 0 scales to zero."),
  workers_max: Type.Integer({ minimum: 1, maximum: 1_000, description: "Workers that an autoscaler never exceeds." }),
  jobs_per_worker: Type.Integer({
    minimum: 1,
    maximum: 64,
    description: "Unfinished jobs that one worker is wanted for.",
  }),
  workspace_id: nullable(Uuid, "The only workspace whose keys may use it; null: every workspace of this server."),
  scale_webhook_url: nullable(
    Type.String({ format: "uri", pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^/]", maxLength: 2048 }),
    "An https URL of a public host. Told whenever workers_wanted changes, signed with the secret of workspace_id, which it needs.",
  ),
};

export const CreateDeployment = entity(
  "CreateDeployment",
  "A wish for a deployment. Absent: no workers kept, at most one, one job each, open to every workspace.",
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
export type CreateDeployment = Static<typeof CreateDeployment>;

export const UpdateDeployment = entity(
  "UpdateDeployment",
  "What changes; the rest stays. An environment is replaced whole.",
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

export const DeploymentWorker = entity("DeploymentWorker", "A worker that reported lately.", {
  id: Uuid,
  name: Type.String({ description: "As the worker calls itself." }),
  slots: Type.Integer({ description: "Jobs it runs at once." }),
  engine,
  engine_version: Type.String({ description: "The version of its engine." }),
  matches: Type.Boolean({ description: "Whether it is what the environment says." }),
  problems: Type.Array(Type.String(), { description: "Why it does not match; at most 20." }),
  seen_at: Timestamp,
});
export type DeploymentWorker = Static<typeof DeploymentWorker>;

export const Deployment = entity("Deployment", "A dedicated deployment and how it stands.", {
  id: Uuid,
  ...written,
  environment: DeploymentEnvironment,
  state: wordOf(["provisioning", "ready", "stopped"], {
    description: "provisioning: no matching worker is there, submissions are 429 deployment_not_ready.",
  }),
  reason: nullable(Type.String(), "Why it is not ready, in words; null when it is."),
  workers_wanted: count(1_000, "How many workers it needs now, between workers_min and workers_max; 0 when stopped."),
  workers: Type.Array(DeploymentWorker, { description: "Who reported within the last minute." }),
  unfinished_jobs: Type.Integer({ description: "Jobs that wait or run; counted no further than workers_max needs." }),
  urls: Type.Object(
    {
      mount: Type.String({ format: "uri-reference", description: "What stands before /api/v2 on this host." }),
      host: nullable(Type.String({ format: "uri" }), "Its own address; null where none is set up."),
    },
    { description: "How it is addressed." },
  ),
  created_at: Timestamp,
  updated_at: Timestamp,
});
export type Deployment = Static<typeof Deployment>;

export const DeploymentPage = pageOf(Deployment, "DeploymentPage", "One page of all deployments.");
export type DeploymentPage = Static<typeof DeploymentPage>;
