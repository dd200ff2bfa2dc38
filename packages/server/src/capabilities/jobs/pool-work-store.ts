// What of a whole pool has not ended, over all workspaces: for operators and for scaling, never for callers.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { JobId, PoolId } from "./job.ts";

// Waiting and leased jobs, counted no further than the bound.
export async function countUnfinishedJobs(db: Queryable, poolId: PoolId, bound: number): Promise<number> {
  const [row] = await db.query<{ unfinished: string }>(sql`
    select count(*) as unfinished from (
      (select 1 from job_ready where pool_id = ${poolId} limit ${bound})
      union all
      (select 1 from job_leases where pool_id = ${poolId} limit ${bound})
      limit ${bound}
    ) as found`);
  return Number(row?.unfinished ?? 0);
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
