// Deployments in their wire format, and parsing their environments.
import type * as wire from "@atelier/contract";
import type {
  Deployment,
  DeploymentEnvironment,
  DeploymentStatus,
  MatchedWorker,
} from "../../capabilities/deployments/index.ts";

export function toEnvironment(asked: wire.DeploymentEnvironmentWish): DeploymentEnvironment {
  return {
    engine: asked.engine,
    engineVersion: asked.engine_version ?? null,
    nodeClasses: asked.node_classes ?? null,
    settings: {
      jobSecondsMax: asked.settings?.job_seconds_max ?? null,
      jobMemoryMegabytesMax: asked.settings?.job_memory_megabytes_max ?? null,
    },
  };
}

function presentEnvironment({ engine, engineVersion, nodeClasses, settings }: DeploymentEnvironment) {
  const { jobSecondsMax, jobMemoryMegabytesMax } = settings;
  return {
    engine,
    engine_version: engineVersion,
    node_classes: nodeClasses,
    settings: {
      ...(jobSecondsMax === null ? {} : { job_seconds_max: jobSecondsMax }),
      ...(jobMemoryMegabytesMax === null ? {} : { job_memory_megabytes_max: jobMemoryMegabytesMax }),
    },
  };
}

function presentWorker(worker: MatchedWorker): wire.DeploymentWorker {
  return {
    id: worker.workerId,
    name: worker.name,
    slots: worker.slots,
    engine: worker.environment.engine,
    engine_version: worker.environment.version,
    matches: worker.problems.length === 0,
    problems: [...worker.problems],
    seen_at: worker.seenAt.toISOString(),
  };
}

export function presentDeployment(
  deployment: Deployment,
  status: DeploymentStatus,
  urls: { readonly mount: string; readonly host: string | null },
): wire.Deployment {
  return {
    id: deployment.id,
    name: deployment.name,
    environment: presentEnvironment(deployment.environment),
    workers_min: deployment.workersMin,
    workers_max: deployment.workersMax,
    jobs_per_worker: deployment.jobsPerWorker,
    workspace_id: deployment.workspaceId,
    scale_webhook_url: deployment.scaleWebhookUrl,
    state: status.state,
    reason: status.reason,
    workers_wanted: status.workersWanted,
    workers: status.workers.map(presentWorker),
    unfinished_jobs: status.unfinishedJobs,
    urls: { ...urls },
    created_at: deployment.createdAt.toISOString(),
    updated_at: deployment.updatedAt.toISOString(),
  };
}
