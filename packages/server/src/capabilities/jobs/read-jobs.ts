// Reads of single jobs: those that are asked for at the same time travel in one statement, and ended jobs, which never
// change, are kept for a few seconds. Places in the queue are counted for what waits.
import type { Clock } from "../../foundation/clock.ts";
import { type GroupCommit, groupCommit } from "../../foundation/database/index.ts";
import { type Job, type JobId, terminalStates } from "./job.ts";
import type { FoundJob, JobPlace } from "./job-store.ts";
import type { LaneFronts } from "./lane-fronts.ts";

export interface ReadJobsDeps {
  readonly clock: Clock;
  readonly fronts: LaneFronts;
  find(places: readonly JobPlace[]): Promise<Map<JobId, FoundJob>>;
}

export interface ReadJobs {
  // Null: unknown, another's, or past its retention.
  get(place: JobPlace): Promise<Job | null>;
  withPlace(job: Job): Promise<Job>;
  close(): Promise<void>;
}

const batchMax = 256;
const endedKept = 5_000;
const endedFreshMs = 5_000;

export function createReadJobs(deps: ReadJobsDeps): ReadJobs {
  const { clock } = deps;
  const ended = new Map<JobId, { readonly job: Job; readonly untilMs: number }>();
  const reading: GroupCommit<JobPlace, Job | null> = groupCommit({
    maxBatch: batchMax,
    inFlight: 2,
    run: async (places) => {
      const found = await deps.find(places);
      return places.map((place) => {
        const job = found.get(place.jobId)?.job;
        return job?.workspaceId === place.workspaceId && job.poolId === place.poolId ? job : null;
      });
    },
  });

  function keep(job: Job): void {
    if (ended.size >= endedKept) for (const id of [...ended.keys()].slice(0, endedKept / 4)) ended.delete(id);
    ended.set(job.id, { job, untilMs: clock.monotonicMs() + endedFreshMs });
  }

  function kept(place: JobPlace): Job | null {
    const known = ended.get(place.jobId);
    if (!known || known.untilMs < clock.monotonicMs()) return null;
    const { job } = known;
    const isPlace = job.workspaceId === place.workspaceId && job.poolId === place.poolId;
    return isPlace && job.expiresAt > clock.now() ? job : null;
  }

  async function withPlace(job: Job): Promise<Job> {
    if (job.state !== "queued") return job;
    const queuePosition = await deps.fronts.position(job, { jobId: job.id, rank: -job.priority });
    return { ...job, queuePosition };
  }

  return {
    async get(place) {
      const known = kept(place);
      if (known) return known;
      const job = await reading(place);
      if (job === null) return null;
      if (terminalStates.has(job.state)) keep(job);
      return withPlace(job);
    },
    withPlace,
    close: () => reading.close(),
  };
}
