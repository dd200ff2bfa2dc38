// What of a whole pool has not ended, over all workspaces: for operators and for scaling, never for callers.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { JobId, PoolId } from "./job.ts";

export interface BoundedPool {
  readonly poolId: PoolId;
  readonly bound: number;
}

// Waiting and leased jobs, counted no further than each pool's bound; one question, however many pools there are.
export async function countUnfinishedJobs(
  db: Queryable,
  pools: readonly BoundedPool[],
): Promise<ReadonlyMap<PoolId, number>> {
  const rows = await db.query<{ pool_id: PoolId; unfinished: number }>(sql`
    select pool.id as pool_id, (
        select count(*)::int from (
          (select 1 from job_ready where pool_id = pool.id limit pool.bound)
          union all
          (select 1 from job_leases where pool_id = pool.id limit pool.bound)
          limit pool.bound
        ) as found
      ) as unfinished
    from unnest(${pools.map(({ poolId }) => poolId)}::uuid[], ${pools.map(({ bound }) => bound)}::int[]) as pool (id, bound)`);
  return new Map(rows.map((row) => [row.pool_id, row.unfinished]));
}

export interface UnfinishedJob {
  readonly workspaceId: WorkspaceId;
  readonly jobId: JobId;
}

// Those that were not asked to end yet; at most `count`.
export async function findUnfinishedJobs(db: Queryable, poolId: PoolId, count: number): Promise<UnfinishedJob[]> {
  const rows = await db.query<{ workspace_id: string; job_id: string }>(sql`
    (select workspace_id, job_id from job_ready where pool_id = ${poolId} limit ${count})
    union all
    (select workspace_id, job_id from job_leases where pool_id = ${poolId} and not is_canceling limit ${count})
    limit ${count}`);
  return rows.map((row) => ({
    workspaceId: trustedId<"workspace">(row.workspace_id),
    jobId: trustedId<"job">(row.job_id),
  }));
}
