// Reads of single jobs. Concurrent reads share one statement, and results are cached. For an unended job the next read only
// asks whether it has changed; if not, it returns the same object, so callers can reuse bytes they built from it. Ended jobs
// change only when an output is deleted, so for a few seconds they are not queried at all. Queue positions are counted for
// waiting jobs.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import { type GroupCommit, groupCommit } from "../../foundation/database/index.ts";
import type { LaneFronts } from "./dispatch/lane-fronts.ts";
import { type Job, type JobId, terminalStates } from "./job.ts";
import type { FoundJob, JobLocator, WatchedVersion } from "./job-store.ts";

export interface ReadJobsDeps {
  readonly clock: Clock;
  readonly fronts: LaneFronts;
  find(locators: readonly JobLocator[]): Promise<Map<JobId, FoundJob>>;
  // The jobs that are still visible and unchanged.
  findUnchanged(known: readonly WatchedVersion[]): Promise<ReadonlySet<JobId>>;
}

export interface ReadJobs {
  // Null if it is unknown, another workspace's, or past its retention.
  get(locator: JobLocator): Promise<Job | null>;
  withPosition(job: Job): Promise<Job>;
  // Makes the next read query the database. Other processes notice within seconds.
  forget(jobId: JobId): void;
  close(): Promise<void>;
}

interface Kept {
  // With the queue position that was last reported.
  job: Job;
  readonly liveVersion: number;
  // Until then it is answered without a query.
  readonly untilMs: number;
}

const batchMax = 256;
const keptMax = 5_000;
const endedFreshMs = 5_000;

export function createReadJobs(deps: ReadJobsDeps): ReadJobs {
  const { clock } = deps;
  const kept = new BoundedMap<JobId, Kept>(keptMax);
  const reading: GroupCommit<JobLocator, Kept | null> = groupCommit({ maxBatch: batchMax, inFlight: 2, run: read });

  async function read(locators: readonly JobLocator[]): Promise<(Kept | null)[]> {
    const known = new Map(locators.flatMap(({ jobId }) => pairOf(jobId)));
    const unchanged =
      known.size === 0 ? new Set<JobId>() : await deps.findUnchanged([...known.values()].map(versionOf));
    const isKnown = ({ jobId, workspaceId, poolId }: JobLocator) => {
      const job = unchanged.has(jobId) ? known.get(jobId)?.job : undefined;
      return job?.workspaceId === workspaceId && job.poolId === poolId;
    };
    const unknown = new Map(
      locators.flatMap((locator) => (isKnown(locator) ? [] : [[`${locator.jobId} ${locator.workspaceId}`, locator]])),
    );
    const found = unknown.size === 0 ? new Map<JobId, FoundJob>() : await deps.find([...unknown.values()]);
    for (const one of found.values()) known.set(one.job.id, keep(one));
    return locators.map((locator) => {
      const one = known.get(locator.jobId);
      const isThere = one !== undefined && (unchanged.has(locator.jobId) || found.has(locator.jobId));
      return isThere && one.job.workspaceId === locator.workspaceId && one.job.poolId === locator.poolId ? one : null;
    });
  }

  const pairOf = (jobId: JobId): [JobId, Kept][] => {
    const one = kept.get(jobId);
    return one ? [[jobId, one]] : [];
  };

  function keep({ job, liveVersion }: FoundJob): Kept {
    const before = kept.get(job.id);
    // A slow read may return an older state than a faster one.
    if (before && isNewer(before, { job, liveVersion })) return before;
    const isEnded = terminalStates.has(job.state);
    const one = { job, liveVersion, untilMs: isEnded ? clock.monotonicMs() + endedFreshMs : Number.NEGATIVE_INFINITY };
    kept.set(job.id, one);
    return one;
  }

  function keptEnd(locator: JobLocator): Job | null {
    const known = kept.get(locator.jobId);
    if (!known || known.untilMs < clock.monotonicMs()) return null;
    const { job } = known;
    const isFound = job.workspaceId === locator.workspaceId && job.poolId === locator.poolId;
    return isFound && job.expiresAt > clock.now() ? job : null;
  }

  async function withPosition(job: Job): Promise<Job> {
    if (job.state !== "queued") return job;
    const queuePosition = await deps.fronts.position(job, { jobId: job.id, rank: -job.priority });
    return queuePosition === job.queuePosition ? job : { ...job, queuePosition };
  }

  return {
    async get(locator) {
      const known = keptEnd(locator);
      if (known) return known;
      const one = await reading(locator);
      if (one === null) return null;
      if (one.job.state === "queued") one.job = await withPosition(one.job);
      return one.job;
    },
    withPosition,
    forget: (jobId) => void kept.delete(jobId),
    close: () => reading.close(),
  };
}

const isNewer = (one: Pick<Kept, "job" | "liveVersion">, other: Pick<Kept, "job" | "liveVersion">) =>
  one.job.version > other.job.version || (one.job.version === other.job.version && one.liveVersion > other.liveVersion);

const versionOf = ({ job, liveVersion }: Kept): WatchedVersion => ({
  jobId: job.id,
  version: job.version,
  liveVersion,
});
