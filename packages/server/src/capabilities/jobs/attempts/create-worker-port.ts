// The workers' port on top of the queue. Claims go through the pool's dispatcher; everything else is fenced by the lease.
import type { Clock } from "../../../foundation/clock.ts";
import { CommitUnknown, type GroupCommit, groupCommit } from "../../../foundation/database/index.ts";
import { isAway } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import { patience, retry } from "../../../foundation/retry.ts";
import type { Assets } from "../../assets/index.ts";
import { type ItemResult, runBatch, unwrap } from "../../calls/index.ts";
import { endReservations } from "../../calls/shared-sql.ts";
import { changeJobs, inputHolder } from "../changes/change-jobs.ts";
import { lockJobs } from "../changes/change-store.ts";
import type { RunningCounts } from "../changes/running-counts.ts";
import { type ClaimDeps, claimJobs, resumeJobs } from "../dispatch/claim-jobs.ts";
import { findGraphs } from "../dispatch/claim-store.ts";
import { createDispatcher, type Dispatcher } from "../dispatch/dispatcher.ts";
import { listLanes, readWindows } from "../dispatch/ready-store.ts";
import type { PoolId } from "../job.ts";
import { finishStep, giveBackStep, isHeldBy } from "../job-steps.ts";
import { findWatchedJobs } from "../job-store.ts";
import { findLeased, renewLeases } from "../lease-store.ts";
import type { LiveState } from "../live/live-state.ts";
import { keepKnownOutput, keepOutput, type OutputDeps } from "../outputs/keep-output.ts";
import type { JobEnding, JobLease, QueuePort } from "../worker-port.ts";

export interface WorkerPortDeps extends ClaimDeps {
  readonly assets: ClaimDeps["assets"] & OutputDeps["assets"] & Pick<Assets, "isHeld">;
  readonly clock: Clock;
  readonly log: Log;
  readonly live: LiveState;
  readonly workspaceShare: number;
  readonly running: RunningCounts;
  // The state of the nodes when an attempt has ended.
  onNodes(nodes: string): void;
}

interface Finish {
  readonly lease: JobLease;
  readonly ending: JobEnding;
  readonly nodes: string | null;
}

const batchMax = 64;
// How long a lease may be trusted without a heartbeat; after that the sweep decides.
const insistMs = 30_000;

export function createWorkerPort(deps: WorkerPortDeps): QueuePort & { close(): Promise<void> } {
  const dispatchers = new Map<PoolId, Dispatcher>();
  const leave = deps.hints.onReady((hint) => dispatchers.get(hint.poolId)?.hint(hint));
  const finishing: GroupCommit<Finish, ItemResult<boolean>> = groupCommit({
    maxBatch: batchMax,
    inFlight: 2,
    run: (finishes) => runBatch(finishes, (some) => finishOnce(deps, some)),
  });
  const insist = <T>(run: () => Promise<T>) =>
    retry(run, { ...patience, totalMsMax: insistMs, isRetryable: isAway, clock: deps.clock });

  async function giveBack(lease: JobLease): Promise<void> {
    deps.live.forget(lease.jobId);
    await insist(() => changeJobs(deps, [{ jobId: lease.jobId, decide: (job) => giveBackStep(job, lease) }]));
  }

  function dispatcherOf(poolId: PoolId): Dispatcher {
    let dispatcher = dispatchers.get(poolId);
    if (!dispatcher) {
      dispatcher = createDispatcher({
        poolId,
        clock: deps.clock,
        log: deps.log,
        claim: (requests) => claimJobs(deps, poolId, requests, insist),
        giveBack,
        // In transactions, so that each gets its own connection: a look may be slow, and others read alongside it.
        listLanes: (asked) => deps.database.transaction((tx) => listLanes(tx, asked)),
        readWindows: (asked) => deps.database.transaction((tx) => readWindows(tx, asked)),
        findGraphs: (jobIds) => findGraphs(deps.database, jobIds),
        countRunning: (pool) => deps.running.of(pool),
        workspaceShare: deps.workspaceShare,
      });
      dispatchers.set(poolId, dispatcher);
    }
    return dispatcher;
  }

  return {
    claim: ({ poolId, ...asked }) => dispatcherOf(poolId).claim(asked),
    resume: (asked) => resumeJobs(deps, asked),
    heartbeat: async (leases) => (leases.length === 0 ? [] : renewLeases(deps.database, leases, deps.leaseSeconds)),
    progress: (lease, progress, nodes) => deps.live.progress(lease, progress, nodes),
    preview: (lease, preview) => deps.live.preview(lease, preview),
    output: (lease, output) => keepOutput(deps, lease, output),
    knownOutput: (lease, output) => keepKnownOutput(deps, lease, output),
    holderOf: (lease) => findLeased(deps.database, lease),
    async isInput(lease, assetId) {
      if ((await findLeased(deps.database, lease)) === null) return false;
      return deps.assets.isHeld(assetId, { kind: inputHolder, id: lease.jobId });
    },
    async finish(lease, ending, nodes = null) {
      await deps.live.settle(lease);
      const isEnded = await insist(async () => unwrap(await finishing({ lease, ending, nodes })));
      if (isEnded && nodes !== null) deps.onNodes(nodes);
      return isEnded;
    },
    giveBack,
    releasePart: (lease, part) => insist(() => releasePart(deps, lease, part)),
    async close() {
      leave();
      for (const dispatcher of dispatchers.values()) dispatcher.close();
      await finishing.close();
    },
  };
}

// A lost COMMIT answer is settled by looking: if the job is no longer ours, we or another process ended it.
async function finishOnce(deps: WorkerPortDeps, finishes: readonly Finish[]): Promise<boolean[]> {
  try {
    const changed = await changeJobs(
      deps,
      finishes.map(({ lease, ending, nodes }) => ({
        jobId: lease.jobId,
        decide: (job) => {
          const step = finishStep(job, lease, ending, Math.random);
          return step && { ...step, nodes };
        },
      })),
    );
    const used = new Set<string>();
    return finishes.map(({ lease }) => {
      const isFirst =
        changed.has(lease.jobId) && !used.has(lease.jobId) && isSameAttempt(changed.get(lease.jobId)?.job, lease);
      used.add(lease.jobId);
      return isFirst;
    });
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    const found = await findWatchedJobs(
      deps.database,
      finishes.map(({ lease }) => lease.jobId),
    );
    return finishes.map(({ lease, ending }) => {
      const job = found.get(lease.jobId)?.job;
      if (job?.attempt !== lease.attempt) return false;
      if (job.state === "running" || job.state === "canceling") throw error;
      return job.state === "queued" ? ending.kind === "failed" : job.state === ending.kind || job.state === "canceled";
    });
  }
}

const isSameAttempt = (job: { attempt: number; workerId: string | null } | undefined, lease: JobLease) =>
  job?.attempt === lease.attempt && job.workerId === lease.workerId;

// Takes the job's lock, so that ending the job and this call never both give the part back.
async function releasePart(deps: WorkerPortDeps, lease: JobLease, part: string): Promise<void> {
  await deps.database.transaction(async (tx) => {
    const job = (await lockJobs(tx, [lease.jobId], { skipLocked: false })).get(lease.jobId);
    if (!job?.holdsCredits || !isHeldBy(job, lease)) return;
    await endReservations(tx, [{ holderId: job.id, workspaceId: job.workspaceId, part, charge: 0n, usage: null }]);
  });
}
