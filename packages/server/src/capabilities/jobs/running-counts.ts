// How many jobs of each workspace run in a pool. Counting reads every lease of the pool, and beside an old snapshot every one
// that has ended since: what costs something is not asked for anew at each claim, but counted on from what we claimed ourselves
// for a time that is in proportion to it. A share that is a moment old is still a share; no slot stays empty for it.
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

// Asked for at each claim as long as it takes no longer than this.
const cheapMs = 1;
const costFactor = 20;
const keptMsMax = 250;

// The map is one to count on in.
export function runningCounts(deps: {
  readonly clock: Clock;
  count(): Promise<ReadonlyMap<WorkspaceId, number>>;
}): () => Promise<Map<WorkspaceId, number>> {
  const { clock } = deps;
  let known = new Map<WorkspaceId, number>();
  let knownUntilMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const startedMs = clock.monotonicMs();
    if (startedMs < knownUntilMs) return known;
    known = new Map(await deps.count());
    const endedMs = clock.monotonicMs();
    const costMs = endedMs - startedMs;
    knownUntilMs = costMs <= cheapMs ? endedMs : endedMs + Math.min(keptMsMax, costFactor * costMs);
    return known;
  };
}
