// Deployments as operators write and read them, and the message that agents speak.
import { type Example, laterTime, time, uuid } from "./example.ts";
import { scaler } from "./workers.ts";

const settings = { job_seconds_max: 600, job_memory_megabytes_max: 2_048 };
const environment = {
  engine: "application",
  engine_version: "0.3.60",
  node_classes: { EmptyImage: "*", SaveImage: "1.2.0" },
  lock_id: "0f".repeat(32),
  settings,
};
const written = {
  name: "Portraits",
  environment,
  workers_min: 0,
  workers_max: 4,
  jobs_per_worker: 2,
  workspace_id: uuid,
  scale_webhook_url: "https://scale.example/hook",
};
const worker = {
  id: uuid,
  name: "rack-1",
  slots: 2,
  engine: "application",
  engine_version: "0.3.59",
  lock_id: null,
  matches: false,
  problems: ["engine_version is 0.3.59, not 0.3.60"],
  seen_at: time,
};
const deployment = {
  id: uuid,
  ...written,
  state: "provisioning",
  reason: "No worker matches.",
  workers_wanted: 1,
  workers: [worker],
  scalers: [scaler],
  unfinished_jobs: 3,
  urls: { mount: `/deployments/${uuid}`, host: null },
  created_at: time,
  updated_at: laterTime,
};

export const deploymentExamples: Record<string, Example> = {
  DeploymentSettings: { good: settings, broken: { job_seconds_max: 0, job_memory_megabytes_max: "2G" } },
  DeploymentEnvironment: {
    good: environment,
    broken: {
      engine: "steam",
      engine_version: "",
      lock_id: "0f",
      "node_classes.EmptyImage": null,
      settings: undefined,
    },
  },
  DeploymentEnvironmentWish: {
    good: { engine: "embedded" },
    broken: { engine: undefined, engine_version: "", settings: null },
  },
  CreateDeployment: {
    good: written,
    broken: { name: "", environment: undefined, workers_max: 0, jobs_per_worker: 65, workspace_id: "mine" },
  },
  UpdateDeployment: { good: { workers_min: 1 }, broken: { workers_min: -1, "": { state: "ready" } } },
  DeploymentWorker: { good: worker, broken: { matches: "no", lock_id: undefined, problems: undefined, seen_at: null } },
  Deployment: {
    good: deployment,
    broken: { state: "running", reason: undefined, workers_wanted: 1_001, "urls.host": "", created_at: "yesterday" },
  },
  DeploymentPage: {
    good: { data: [deployment], has_more: false, limit: 20 },
    broken: { "data.0.id": "1", has_more: undefined },
  },
  JsonRpcMessage: {
    good: { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} },
    broken: { jsonrpc: "1.0", "": [] },
  },
};
