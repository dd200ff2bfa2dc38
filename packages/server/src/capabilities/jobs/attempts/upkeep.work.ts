// What time does to jobs: leases run out, jobs expire, and ended jobs are removed with their keys, graphs and holds. Every
// background process runs this. Each step locks its rows and skips rows that another process has locked. Works in batches,
// so no transaction is long.

import { type Background, everyStep } from "../../../foundation/background.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { AwayFault } from "../../../foundation/fault.ts";
import type { Assets } from "../../assets/index.ts";
import { type ChangeDeps, changeJobs, outputHolder } from "../changes/change-jobs.ts";
import { lockLostLeases } from "../changes/change-store.ts";
import type { JobId } from "../job.ts";
import { expireStep, loseStep } from "../job-steps.ts";
import { deleteOverJobs, deleteStrayLeases, findDueJobs, findLostLeases } from "../lease-store.ts";
import { forgetLive } from "../live/live-store.ts";

export interface UpkeepDeps extends ChangeDeps {
  readonly clock: Clock;
  readonly assets: Pick<Assets, "releaseMany">;
  readonly sweepSeconds: number;
  onSwept(jobs: number): void;
}

const batchMax = 100;
const liveEveryMs = 600_000;

// Finds jobs whose lease ran out; each is queued again or ends. A lease without a running job is deleted.
async function sweepLeases(deps: UpkeepDeps): Promise<number> {
  const jobIds = await findLostLeases(deps.database, batchMax);
  if (jobIds.length === 0) return 0;
  const changed = await loseJobs(deps, jobIds);
  return changed + (changed < jobIds.length ? await deleteStrayLeases(deps.database, jobIds) : 0);
}

async function loseJobs(deps: UpkeepDeps, jobIds: readonly JobId[]): Promise<number> {
  let lost: ReadonlySet<JobId> = new Set();
  const changed = await changeJobs(
    deps,
    jobIds.map((jobId) => ({ jobId, decide: (job) => (lost.has(job.id) ? loseStep(job, Math.random) : null) })),
    {
      skipLocked: true,
      // Checked again under the lock, because a heartbeat may have arrived at the last moment.
      check: async (tx, jobs) => {
        lost = await lockLostLeases(tx, [...jobs.keys()]);
      },
    },
  );
  deps.onSwept(changed.size);
  return changed.size;
}

// Jobs whose time has come: running and waiting ones expire, ended ones are removed.
async function sweepDue(deps: UpkeepDeps): Promise<number> {
  const due = await findDueJobs(deps.database, batchMax);
  const open = due.filter(({ hasEnded }) => !hasEnded);
  const expired = await changeJobs(
    deps,
    open.map(({ jobId }) => ({ jobId, decide: expireStep })),
    { skipLocked: true },
  );
  const gone = await removeOver(
    deps,
    due.filter(({ hasEnded }) => hasEnded).map(({ jobId }) => jobId),
  );
  return expired.size + gone;
}

// Never touches a job that has not ended or whose time is not over.
export async function removeOver(
  deps: Pick<UpkeepDeps, "database" | "assets">,
  jobIds: readonly JobId[],
): Promise<number> {
  if (jobIds.length === 0) return 0;
  return deps.database.transaction(async (tx) => {
    const gone = await deleteOverJobs(tx, jobIds);
    // Its outputs are assets whose time is over too, so they are no longer held.
    if (gone.length > 0) await deps.assets.releaseMany(tx, outputHolder, gone);
    return gone.length;
  });
}

export function sweepOnce(deps: UpkeepDeps, signal?: AbortSignal, trustsLeases = true): Promise<void> {
  const toTheEnd = (sweep: (deps: UpkeepDeps) => Promise<number>) => async () => {
    while (!signal?.aborted && (await sweep(deps)) >= batchMax);
  };
  const due = { "due jobs": toTheEnd(sweepDue) };
  return everyStep(trustsLeases ? { leases: toTheEnd(sweepLeases), ...due } : due);
}

const wasAway = (error: unknown) => error instanceof Error && error.cause instanceof AwayFault;

export async function runUpkeep(deps: UpkeepDeps, background: Background, signal: AbortSignal): Promise<void> {
  let trustLeasesAtMs = Number.NEGATIVE_INFINITY;
  const sweep = async (stopping: AbortSignal) => {
    try {
      await sweepOnce(deps, stopping, deps.clock.monotonicMs() >= trustLeasesAtMs);
    } catch (error) {
      // While the database was away no worker could renew its lease, so we first let live workers report. Any other failure
      // says nothing about workers: if it came back every round, lost leases would be kept for ever.
      if (wasAway(error)) trustLeasesAtMs = deps.clock.monotonicMs() + (deps.leaseSeconds * 1000) / 3;
      throw error;
    }
  };
  const forget = () => forgetLive(deps.database);
  await Promise.all([
    background.run(
      {
        name: "jobs: leases that ran out, jobs that expire",
        role: "background",
        everyMs: deps.sweepSeconds * 1000,
        round: sweep,
      },
      signal,
    ),
    background.run(
      {
        name: "jobs: remove old previews",
        role: "background",
        everyMs: liveEveryMs,
        begins: "after_pause",
        round: forget,
      },
      signal,
    ),
  ]);
}
