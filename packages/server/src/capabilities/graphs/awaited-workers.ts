// Which workers queued jobs wait for, from what the pools know or, with a single application, from whether it responds.
import type { Application } from "../applications/index.ts";
import type { Job, Jobs } from "../jobs/index.ts";
import { type AwaitedWorker, awaitedWorker, type Pools } from "../pools/index.ts";

// In the order of the jobs. Null for a job that waits for no worker.
export type FindAwaited = (jobs: readonly Job[]) => Promise<readonly (AwaitedWorker | null)[]>;

type KnownJobs = Pick<Jobs, "needsOf">;
type Find = (queued: readonly Job[]) => Promise<readonly (AwaitedWorker | null)[]>;

export function awaitedWorkers(jobs: KnownJobs, pools: Pick<Pools, "environments">): FindAwaited {
  return ofQueued(async (queued) => {
    const needs = await jobs.needsOf(queued);
    return Promise.all(
      queued.map(async ({ poolId }, at) => awaitedWorker(needs[at] ?? null, await pools.environments(poolId))),
    );
  });
}

// The application is the only worker. We do not remember when it was last here.
export function awaitedApplication(jobs: KnownJobs, application: Pick<Application, "state">): FindAwaited {
  return ofQueued(async (queued) => {
    if (application.state() !== "down") return [];
    return (await jobs.needsOf(queued)).map((needs) => awaitedWorker(needs, []));
  });
}

function ofQueued(find: Find): FindAwaited {
  return async (jobs) => {
    const queued = jobs.filter(({ state }) => state === "queued");
    if (queued.length === 0) return jobs.map(() => null);
    const found = await find(queued);
    const byId = new Map(queued.map(({ id }, at) => [id, found[at] ?? null]));
    return jobs.map(({ id }) => byId.get(id) ?? null);
  };
}
