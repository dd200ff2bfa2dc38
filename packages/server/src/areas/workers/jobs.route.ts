// Jobs that a worker claims, keeps alive and ends. Every answer about a job that the worker does not hold is the same.
import {
  ClaimWork,
  FinishJob,
  HeartbeatLeases,
  type LeasedJobList,
  operations,
  type Progress,
  ReportProgress,
  WatchCancels,
} from "@atelier/contract";
import {
  type ClaimedJob,
  decodeNodes,
  type JobEnding,
  type JobId,
  type JobLease,
  type JobProgress,
  type Jobs,
  type PoolId,
  type QueuePort,
  type RunBounds,
  type WorkerId,
} from "../../capabilities/jobs/index.ts";
import type { Limits } from "../../capabilities/limits/index.ts";
import type { Pools, WorkerEnvironment, WorkerLock } from "../../capabilities/pools/index.ts";
import type { WorkerCaller } from "../../capabilities/tokens/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { type BytesAnswer, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { type KnownWorker, type KnownWorkers, noSuchLease } from "./known-workers.ts";

export interface JobRouteDeps {
  readonly jobs: { readonly workers: QueuePort; readonly watch: Jobs["watch"] };
  readonly clock: Clock;
  readonly knownWorkers: KnownWorkers;
  readonly pools: Pick<Pools, "classesNow">;
  readonly deployments: {
    // Why a worker cannot serve its pool: it does not match what the pool requires. Empty if it does.
    problemsOf(
      poolId: PoolId,
      worker: { readonly environment: WorkerEnvironment; readonly lock: WorkerLock | null },
    ): Promise<readonly string[]>;
    // The lock that the pool's workers must equal. Null if none is pinned.
    lockOf(poolId: PoolId): Promise<string | null>;
    // The limits of one run in the pool.
    boundsOf(poolId: PoolId): Promise<RunBounds>;
  };
  readonly limits: Pick<Limits, "limitOf">;
}

// An executed graph is as large as a submitted one, and is embedded as text.
const finishBytesMax = 32 * 1024 * 1024;

export function claimJobsRoute(deps: JobRouteDeps): Route<WorkerCaller> {
  return route(operations.claimJobs, async (incoming) => {
    const worker = await deps.knownWorkers.of(incoming);
    const request = requireValid(ClaimWork, await incoming.json());
    deps.knownWorkers.seen(worker, request.models_loaded);
    // Waits for a job, however long it takes.
    incoming.waitsForOthers();
    const { workerId, poolId, classes } = worker;
    if (worker.isDraining || !(await isWanted(deps, worker))) {
      await deps.clock.sleep(request.wait_ms, incoming.waitSignal);
      return leasedJobs(deps, [], unbounded);
    }
    const lockId = await lockOfRun(deps, worker);
    const lacking = deps.pools.classesNow(poolId).modelsLacking.get(worker.environmentId.toString("hex"));
    const jobs = await deps.jobs.workers.claim({
      workerId,
      poolId,
      slots: request.slots,
      waitMs: request.wait_ms,
      signal: incoming.waitSignal,
      lockId,
      offer: {
        classes,
        modelsLoaded: new Set(request.models_loaded),
        ...(lacking === undefined ? {} : { modelsLacking: lacking }),
      },
    });
    // It may have reported while it waited that its folder no longer equals the lock.
    if (jobs.length > 0 && !(await isWanted(deps, await deps.knownWorkers.of(incoming)))) {
      await Promise.all(jobs.map(({ lease }) => deps.jobs.workers.giveBack(lease)));
      return leasedJobs(deps, [], unbounded);
    }
    return leasedJobs(deps, jobs, await deps.deployments.boundsOf(poolId));
  });
}

async function isWanted({ deployments }: JobRouteDeps, worker: KnownWorker): Promise<boolean> {
  return (await deployments.problemsOf(worker.poolId, worker)).length === 0;
}

// The pinned lock, which a worker beside an application equals if it gets jobs; without a pin, its own.
async function lockOfRun({ deployments }: JobRouteDeps, worker: KnownWorker): Promise<string | null> {
  if (worker.environment.engine === "embedded") return null;
  return (await deployments.lockOf(worker.poolId)) ?? worker.lock?.lockId ?? null;
}

export function listLeasedJobsRoute(deps: JobRouteDeps): Route<WorkerCaller> {
  const { knownWorkers, jobs, deployments } = deps;
  return route(operations.listLeasedJobs, async (incoming) => {
    const { workerId, poolId } = await knownWorkers.of(incoming);
    return leasedJobs(deps, await jobs.workers.resume({ workerId, poolId }), await deployments.boundsOf(poolId));
  });
}

export function sendHeartbeatRoute({ knownWorkers, jobs: { workers } }: JobRouteDeps): Route<WorkerCaller> {
  return route(operations.sendHeartbeat, async (incoming) => {
    const worker = await knownWorkers.of(incoming);
    const { leases } = requireValid(HeartbeatLeases, await incoming.json());
    knownWorkers.seen(worker, null);
    const states = await workers.heartbeat(leases.map((lease) => leaseOf(lease, worker.workerId)));
    return fresh({ states });
  });
}

// Answers as soon as one of the jobs must stop, or the time is up.
export function watchCancelsRoute(deps: JobRouteDeps): Route<WorkerCaller> {
  return route(operations.watchCancels, async (incoming) => {
    const { workerId } = await deps.knownWorkers.of(incoming);
    const request = requireValid(WatchCancels, await incoming.json());
    incoming.waitsForOthers();
    const leases = request.leases.map((lease) => leaseOf(lease, workerId));
    // Start watching before the first check, so that nothing is missed in between.
    const seen = new AbortController();
    const canceled = new Set<JobId>();
    const leave = leases.map(({ jobId }) =>
      deps.jobs.watch(jobId, ({ job }) => {
        if (job.state !== "canceling") return;
        canceled.add(jobId);
        seen.abort();
      }),
    );
    try {
      const states = await deps.jobs.workers.heartbeat(leases);
      const held = new Set(leases.filter((_, at) => states[at] !== "lost").map(({ jobId }) => jobId));
      for (const [at, { jobId }] of leases.entries()) if (states[at] === "canceling") canceled.add(jobId);
      if (canceled.size === 0 && held.size > 0) {
        await deps.clock.sleep(request.wait_ms, AbortSignal.any([seen.signal, incoming.waitSignal]));
      }
      return fresh({ job_ids: [...canceled].filter((jobId) => held.has(jobId)) });
    } finally {
      for (const end of leave) end();
    }
  });
}

export function reportProgressRoute({ knownWorkers, jobs: { workers } }: JobRouteDeps): Route<WorkerCaller> {
  return route(operations.reportProgress, async (incoming) => {
    const { workerId } = await knownWorkers.of(incoming);
    const { entries } = requireValid(ReportProgress, await incoming.json());
    const leases = entries.map((entry) => leaseOf(entry, workerId));
    // All live news of a process go through one function, so news about jobs of other workers must not get there.
    const states = await workers.heartbeat(leases);
    for (const [at, lease] of leases.entries()) {
      const entry = entries[at];
      if (!entry || states[at] === "lost") continue;
      const nodes = nodesOf(entry.node_states, lease);
      workers.progress(lease, readProgress(entry.progress), () => nodes);
    }
    return { status: 204 };
  });
}

export function finishJobRoute({ knownWorkers, jobs: { workers } }: JobRouteDeps): Route<WorkerCaller> {
  return {
    operation: operations.finishJob,
    bodyBytesMax: finishBytesMax,
    async handle(incoming) {
      const { lease } = await knownWorkers.lease(incoming);
      const request = requireValid(FinishJob, await incoming.json());
      if (!(await workers.finish(lease, readEnding(request), nodesOf(request.node_states, lease)))) throw noSuchLease();
      return { status: 204 };
    },
  };
}

export function giveBackJobRoute({ knownWorkers, jobs: { workers } }: JobRouteDeps): Route<WorkerCaller> {
  return route(operations.giveBackJob, async (incoming) => {
    const { lease } = await knownWorkers.lease(incoming);
    await workers.giveBack(lease);
    return { status: 204 };
  });
}

// Null if nothing was reported, as by an older worker, or nothing that makes sense for this attempt.
function nodesOf(text: string | undefined, { attempt }: JobLease): string | null {
  if (text === undefined) return null;
  return decodeNodes(text)?.attempt === attempt ? text : null;
}

const fresh = (value: unknown) => jsonAnswer(200, value, { "cache-control": "no-store" });

function leaseOf(wire: { readonly job_id: string; readonly attempt: number }, workerId: WorkerId): JobLease {
  const jobId = parseId<"job">(wire.job_id);
  if (jobId === null) throw new Fault("invalid_request", "job_id must be a UUID in lower case.");
  return { jobId, attempt: wire.attempt, workerId };
}

const unbounded: RunBounds = { secondsMax: null, memoryMegabytesMax: null };

async function leasedJobs(
  { limits }: Pick<JobRouteDeps, "limits">,
  claimed: readonly ClaimedJob[],
  bounds: RunBounds,
): Promise<BytesAnswer> {
  const { secondsMax, memoryMegabytesMax } = bounds;
  const settings = {
    ...(secondsMax === null ? {} : { job_seconds_max: secondsMax }),
    ...(memoryMegabytesMax === null ? {} : { job_memory_megabytes_max: memoryMegabytesMax }),
  };
  const alone = await Promise.all(
    claimed.map(async (job) => (await limits.limitOf(job.workspaceId, "own_engine")) > 0),
  );
  const list: LeasedJobList = {
    jobs: claimed.map((job, index) => ({
      job_id: job.lease.jobId,
      attempt: job.lease.attempt,
      workspace_id: job.workspaceId,
      workflow: job.workflow.toString("utf8"),
      nodes_total: job.nodesTotal,
      extra_data: job.extraData === null ? null : { ...job.extraData },
      expires_at: job.expiresAt.toISOString(),
      ...(job.traceparent ? { traceparent: job.traceparent } : {}),
      ...(job.pngInfo ? { extra_pnginfo: job.pngInfo } : {}),
      settings: { ...settings, ...(alone[index] ? { own_process: true } : {}) },
    })),
  };
  return fresh(list);
}

function readProgress(wire: Progress): JobProgress {
  return {
    value: wire.value,
    nodesDone: wire.nodes_done,
    nodesTotal: wire.nodes_total,
    currentNode: wire.current_node ?? null,
    currentNodeClass: wire.current_node_class ?? null,
    step: wire.step ?? null,
    steps: wire.steps ?? null,
    message: wire.message ?? null,
  };
}

function readEnding(wire: FinishJob): JobEnding {
  switch (wire.kind) {
    case "succeeded": {
      const executed = wire.executed_workflow ?? null;
      return {
        kind: "succeeded",
        outputsReused: wire.outputs_reused ?? false,
        executedWorkflow: executed === null ? null : Buffer.from(executed),
      };
    }
    case "failed": {
      const { code, message, node_id: nodeId, class_type: classType } = wire.problem ?? unknownProblem;
      return { kind: "failed", problem: { code, message, nodeId, classType }, isRetryable: wire.is_retryable ?? false };
    }
    case "canceled":
      return { kind: "canceled" };
  }
}

const unknownProblem = {
  code: "node_execution_error",
  message: "The worker did not say why the job failed.",
  node_id: null,
  class_type: null,
};
