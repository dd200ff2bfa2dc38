// Claims candidates by primary key: the process that locks a job while it is still queued gets it. Jobs that another process
// is working on, or has taken since we looked, are simply missing from the result.
import { CommitUnknown } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Sealer } from "../../secrets/index.ts";
import { type ChangeDeps, changeJobs } from "../changes/change-jobs.ts";
import { type JobWrite, recordLocks } from "../changes/change-store.ts";
import { openExtraData, sealContext } from "../extra-data.ts";
import type { JobId, PoolId, WorkerId } from "../job.ts";
import { claimStep } from "../job-steps.ts";
import { findLeasesOf } from "../lease-store.ts";
import type { ClaimedJob } from "../worker-port.ts";
import { findWork, type JobWork } from "./claim-store.ts";

export interface ClaimDeps extends ChangeDeps {
  readonly sealer: Sealer;
  onClaimed(waitedMs: number): void;
}

export interface ClaimRequest {
  readonly jobId: JobId;
  readonly workerId: WorkerId;
  readonly lockId?: string | null;
}

// A lost answer is settled by looking: if a worker asked for a queued job and has it now, this claim gave it the job.
export async function claimJobs(
  deps: ClaimDeps,
  poolId: PoolId,
  requests: readonly ClaimRequest[],
  insist: <T>(work: () => Promise<T>) => Promise<T>,
): Promise<ClaimedJob[]> {
  try {
    return await claimOnce(deps, requests);
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    const requested = new Map(requests.map(({ jobId, workerId }) => [jobId, workerId]));
    const workers = [...new Set(requested.values())];
    const held = await insist(() => Promise.all(workers.map((workerId) => resumeJobs(deps, { workerId, poolId }))));
    return held.flat().filter(({ lease }) => requested.get(lease.jobId) === lease.workerId);
  }
}

async function claimOnce(deps: ClaimDeps, requests: readonly ClaimRequest[]): Promise<ClaimedJob[]> {
  let work: ReadonlyMap<JobId, JobWork> = new Map();
  const changed = await changeJobs(
    deps,
    requests.map(({ jobId, workerId }) => ({ jobId, decide: (job) => claimStep(job, workerId) })),
    {
      skipLocked: true,
      isClaim: true,
      also: async (tx, writes) => {
        await recordLocks(tx, locksOf(requests, writes));
        work = await findWork(
          tx,
          writes.map(({ job }) => job.id),
        );
      },
    },
  );
  return requests.flatMap(({ jobId, workerId }) => {
    const found = work.get(jobId);
    const change = changed.get(jobId);
    if (!found || !change) return [];
    deps.onClaimed(found.waitedMs);
    const { workspaceId, apiKeyId } = change.job;
    return [
      {
        lease: { jobId, attempt: change.step.attempt, workerId },
        isNew: change.step.attempt === 1,
        workspaceId,
        apiKeyId,
        ...workOf(deps, workspaceId, jobId, found),
      },
    ];
  });
}

// A later attempt also clears what an earlier one recorded.
function locksOf(requests: readonly ClaimRequest[], writes: readonly JobWrite[]) {
  const attempts = new Map(writes.map(({ job, step }) => [job.id, step.attempt]));
  return requests.flatMap(({ jobId, lockId = null }) => {
    const attempt = attempts.get(jobId);
    return attempt === undefined || (attempt === 1 && lockId === null) ? [] : [{ jobId, lockId }];
  });
}

// The jobs a worker still has, as they were when claimed.
export async function resumeJobs(
  deps: Pick<ClaimDeps, "database" | "sealer">,
  asked: { readonly workerId: WorkerId; readonly poolId: PoolId },
): Promise<ClaimedJob[]> {
  const held = await findLeasesOf(deps.database, asked);
  if (held.length === 0) return [];
  const work = await findWork(
    deps.database,
    held.map(({ lease }) => lease.jobId),
  );
  return held.flatMap(({ lease, workspaceId, apiKeyId }) => {
    const found = work.get(lease.jobId);
    return found
      ? [{ lease, isNew: false, workspaceId, apiKeyId, ...workOf(deps, workspaceId, lease.jobId, found) }]
      : [];
  });
}

function workOf(deps: Pick<ClaimDeps, "sealer">, workspaceId: WorkspaceId, jobId: JobId, found: JobWork) {
  const { workflow, pngInfo, nodesTotal, expiresAt, traceparent, labels } = found;
  return {
    workflow,
    pngInfo,
    nodesTotal,
    expiresAt,
    traceparent,
    labels,
    extraData: openExtraData(deps.sealer, sealContext(workspaceId, jobId), found.envelope),
  };
}
