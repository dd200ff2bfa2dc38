// How many jobs of a workspace wait or run, for the quota, without a row that every submission would have to lock. The
// number is a bounded count over the lane's index, taken at most a few times a second, plus what this process has added
// since. It is exact for one process: it never admits one too many, and counts again before it refuses. Several processes
// together may exceed the quota by what the others add between two counts (a quarter of a second, while counting is cheap).
import type { Clock } from "../../foundation/clock.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { PoolId } from "./job.ts";

export interface QueueDepthDeps {
  readonly clock: Clock;
  limitOf(workspaceId: WorkspaceId): number | Promise<number>;
  // Counts no further than the bound.
  count(lane: LaneName, bound: number): Promise<number>;
}

export interface LaneName {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
}

export interface QueueEntry {
  leave(isCreated: boolean): void;
}

export interface QueueDepth {
  enter(lane: LaneName): Promise<QueueEntry | "full">;
}

interface Depth {
  counted: number;
  // Committed since the last count began.
  added: number;
  // Admitted, but not decided yet.
  entering: number;
  countedAtMs: number;
  nextCountMs: number;
  counting: Promise<void> | undefined;
}

const freshMs = 250;
// How old a count may be when we refuse a submission because of it.
const refusalMs = 50;
// Counting never takes more than this share of the time.
const costFactor = 20;
const lanesKept = 10_000;

export function createQueueDepth(deps: QueueDepthDeps): QueueDepth {
  const depths = new Map<string, Depth>();

  function depthOf(lane: LaneName): Depth {
    const key = `${lane.poolId} ${lane.workspaceId}`;
    let depth = depths.get(key);
    if (!depth) {
      if (depths.size >= lanesKept) forgetIdle(depths);
      depth = {
        counted: 0,
        added: 0,
        entering: 0,
        countedAtMs: -Infinity,
        nextCountMs: -Infinity,
        counting: undefined,
      };
      depths.set(key, depth);
    }
    return depth;
  }

  function recount(depth: Depth, lane: LaneName, cap: number): Promise<void> {
    depth.counting ??= count(depth, lane, cap).finally(() => {
      depth.counting = undefined;
    });
    return depth.counting;
  }

  async function count(depth: Depth, lane: LaneName, cap: number): Promise<void> {
    const startedMs = deps.clock.monotonicMs();
    const before = depth.added;
    const counted = await deps.count(lane, cap + 1);
    const endedMs = deps.clock.monotonicMs();
    depth.counted = counted;
    // Jobs committed while we counted may or may not be in the count, so they stay in `added`.
    depth.added -= before;
    depth.countedAtMs = startedMs;
    depth.nextCountMs = endedMs + Math.max(freshMs, costFactor * (endedMs - startedMs));
  }

  const isFull = (depth: Depth, cap: number) => depth.counted + depth.added + depth.entering >= cap;

  return {
    async enter(lane) {
      const cap = await deps.limitOf(lane.workspaceId);
      const depth = depthOf(lane);
      if (deps.clock.monotonicMs() >= depth.nextCountMs) await recount(depth, lane, cap);
      if (isFull(depth, cap) && deps.clock.monotonicMs() - depth.countedAtMs > refusalMs)
        await recount(depth, lane, cap);
      if (isFull(depth, cap)) return "full";
      depth.entering += 1;
      return {
        leave(isCreated) {
          depth.entering -= 1;
          if (isCreated) depth.added += 1;
        },
      };
    },
  };
}

function forgetIdle(depths: Map<string, Depth>): void {
  for (const [key, depth] of depths) if (depth.entering === 0 && depth.counting === undefined) depths.delete(key);
}
