// How many jobs of each workspace run in a pool. Counting reads every lease of the pool, and beside an old snapshot every one
// that has ended since: what costs something is not read anew at each claim, but for a time that is in proportion to it
// counted on from what begins and ends here. What other processes do meanwhile is not seen for a quarter of a second at most.
import type { Clock } from "../../../foundation/clock.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { PoolId } from "../job.ts";

export interface RunningCounts {
  of(poolId: PoolId): Promise<ReadonlyMap<WorkspaceId, number>>;
  // One more runs, or one less, by a change that is committed.
  changed(job: { readonly poolId: PoolId; readonly workspaceId: WorkspaceId }, by: 1 | -1): void;
}

// Read at each claim as long as it takes no longer than this.
const cheapMs = 1;
const costFactor = 20;
const keptMsMax = 250;

interface Known {
  readonly counts: Map<WorkspaceId, number>;
  readonly untilMs: number;
}

// Of the pools that this process claims for.
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
