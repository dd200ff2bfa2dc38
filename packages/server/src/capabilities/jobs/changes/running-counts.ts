// How many jobs of each workspace run in a pool. Counting reads every lease of the pool, and with an old snapshot around
// also every lease that has ended since. That is slow on a large pool, so we cache the count. How long depends on how long
// the query took; in between we adjust it for jobs this process starts and finishes. Changes by other processes go unseen
// for at most a quarter of a second.
import type { Clock } from "../../../foundation/clock.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { PoolId } from "../job.ts";

export interface RunningCounts {
  of(poolId: PoolId): Promise<ReadonlyMap<WorkspaceId, number>>;
  // A committed change started (1) or ended (-1) a run.
  changed(job: { readonly poolId: PoolId; readonly workspaceId: WorkspaceId }, by: 1 | -1): void;
}

// A count that takes no longer than this is not cached.
const cheapMs = 1;
const costFactor = 20;
const keptMsMax = 250;

interface Known {
  readonly counts: Map<WorkspaceId, number>;
  readonly untilMs: number;
}

// For the pools this process claims from.
export function runningCounts(deps: {
  readonly clock: Clock;
  count(poolId: PoolId): Promise<ReadonlyMap<WorkspaceId, number>>;
}): RunningCounts {
  const { clock } = deps;
  const pools = new Map<PoolId, Known>();
  return {
    async of(poolId) {
      const startedMs = clock.monotonicMs();
      const known = pools.get(poolId);
      if (known && startedMs < known.untilMs) return known.counts;
      const counts = new Map(await deps.count(poolId));
      const endedMs = clock.monotonicMs();
      const costMs = endedMs - startedMs;
      if (costMs > cheapMs) pools.set(poolId, { counts, untilMs: endedMs + Math.min(keptMsMax, costFactor * costMs) });
      else pools.delete(poolId);
      return counts;
    },
    changed({ poolId, workspaceId }, by) {
      const counts = pools.get(poolId)?.counts;
      counts?.set(workspaceId, Math.max(0, (counts.get(workspaceId) ?? 0) + by));
    },
  };
}
