// Deployments in their wire format, and parsing their environments.
import type * as wire from "@atelier/contract";
import type {
  Deployment,
  DeploymentEnvironment,
  DeploymentStatus,
  MatchedWorker,
  PoolScaler,
} from "../../capabilities/deployments/index.ts";

export function toEnvironment(asked: wire.DeploymentEnvironmentWish): DeploymentEnvironment {
  return {
    engine: asked.engine,
    engineVersion: asked.engine_version ?? null,
    nodeClasses: asked.node_classes ?? null,
    lockId: asked.lock_id ?? null,
    settings: {
      jobSecondsMax: asked.settings?.job_seconds_max ?? null,
      jobMemoryMegabytesMax: asked.settings?.job_memory_megabytes_max ?? null,
    },
  };
}

function presentEnvironment({ engine, engineVersion, nodeClasses, lockId = null, settings }: DeploymentEnvironment) {
  const { jobSecondsMax, jobMemoryMegabytesMax } = settings;
  return {
    engine,
    engine_version: engineVersion,
    node_classes: nodeClasses,
    lock_id: lockId,
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
    lock_id: worker.lock?.lockId ?? null,
    matches: worker.problems.length === 0,
    problems: [...worker.problems],
    seen_at: worker.seenAt.toISOString(),
  };
}

export function presentScaler(scaler: PoolScaler): wire.PoolScaler {
  const { failure } = scaler;
  return {
    id: scaler.id,
    name: scaler.name,
    workers_min: scaler.workersMin,
    workers_max: scaler.workersMax,
    workers_wanted: scaler.workersWanted,
    running: scaler.running,
    starting: scaler.starting,
    draining: scaler.draining,
    failure: failure && {
      at: failure.at,
      message: failure.message,
      lines: [...failure.lines],
      retry_at: failure.retryAt,
    },
    seen_at: scaler.seenAt.toISOString(),
  };
}

export function presentDeployment(
  deployment: Deployment,
  status: DeploymentStatus,
  more: {
    readonly urls: { readonly mount: string; readonly host: string | null };
    readonly scalers: readonly PoolScaler[];
  },
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
    scalers: more.scalers.map(presentScaler),
    unfinished_jobs: status.unfinishedJobs,
    urls: { ...more.urls },
    created_at: deployment.createdAt.toISOString(),
    updated_at: deployment.updatedAt.toISOString(),
  };
}
