// Unended jobs of a whole pool, across workspaces. For operators and scaling, never for callers.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { JobId, PoolId } from "../job.ts";

export interface BoundedPool {
  readonly poolId: PoolId;
  readonly bound: number;
}

// Counts waiting and leased jobs up to each pool's bound, in one query however many pools there are.
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

// Unended jobs without a cancel request, at most `count`.
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

export interface WaitingJobs {
  readonly poolId: PoolId;
  readonly count: number;
  readonly needsId: string;
  // Any one of these jobs.
  readonly jobId: JobId;
}

// Of the jobs that could have started more than a minute ago, how many wait, grouped by what they need from a worker.
export async function findWaitingJobs(db: Queryable, bound: number): Promise<WaitingJobs[]> {
  const rows = await db.query<RowOf<WaitingJobs>>(sql`
    select w.pool_id, count(*)::int as count, w.needs_id, min(w.job_id::text)::uuid as job_id from (
      select r.pool_id, r.needs_id, r.job_id from job_ready r
      where r.run_at < clock_timestamp() - interval '1 minute' and r.needs_id is not null limit ${bound}) as w
    group by w.pool_id, w.needs_id order by count desc limit 100`);
  return rows.map(fromRow<WaitingJobs>);
}
