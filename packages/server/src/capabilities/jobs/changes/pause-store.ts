// Paused queues. Changing a pause briefly locks the table against every reader, and that makes it exact: a claim either read
// the table before and is over, or reads it afterwards and sees the row.
import { type Queryable, type Statement, sql } from "../../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { ReadyJob } from "./job-hints.ts";
import type { QueueState } from "./queue-state.ts";

// The argument is a column with a workspace id.
export const isGoingOn = (workspaceId: Statement) =>
  sql`(select true from job_pauses p where p.workspace_id = ${workspaceId}) is null`;

// Waits at most two seconds for claims already under way.
export async function pauseWorkspace(tx: Queryable, workspaceId: WorkspaceId): Promise<{ wasPaused: boolean }> {
  await tx.query(sql`select set_config('lock_timeout', '2s', true)`);
  await tx.execute(sql`lock table job_pauses in access exclusive mode`);
  const added = await tx.execute(sql`
    insert into job_pauses (workspace_id) values (${workspaceId}) on conflict do nothing`);
  return { wasPaused: added === 0 };
}

export async function resumeWorkspace(tx: Queryable, workspaceId: WorkspaceId): Promise<{ wasPaused: boolean }> {
  const removed = await tx.execute(sql`delete from job_pauses where workspace_id = ${workspaceId}`);
  return { wasPaused: removed > 0 };
}

// Covers all pools. There are few pools, so we walk them one by one instead of walking other workspaces' lanes.
const pools = sql`
  with recursive pools as (
    (select pool_id from job_ready order by pool_id limit 1)
    union all
    select (select r.pool_id from job_ready r where r.pool_id > pools.pool_id order by r.pool_id limit 1)
    from pools where pools.pool_id is not null
  )`;

export async function readQueue(db: Queryable, workspaceId: WorkspaceId): Promise<QueueState> {
  const [row] = await db.query<{ paused_at: Date | null; queued: number; running: number }>(sql`${pools}
    select (select paused_at from job_pauses where workspace_id = ${workspaceId}) as paused_at,
      (select coalesce(sum((select count(*) from job_ready r
        where r.pool_id = pools.pool_id and r.workspace_id = ${workspaceId})), 0)::int from pools) as queued,
      (select count(*)::int from job_leases where workspace_id = ${workspaceId}) as running`);
  return { pausedAt: row?.paused_at ?? null, queued: row?.queued ?? 0, running: row?.running ?? 0 };
}

// The first job of each of the workspace's lanes, to send as hints.
export async function firstOfLanes(db: Queryable, workspaceId: WorkspaceId): Promise<ReadyJob[]> {
  const rows = await db.query<{ pool_id: string; job_id: string; rank: number; needs_id: string | null }>(sql`${pools}
    select pools.pool_id, front.job_id, front.rank, front.needs_id from pools cross join lateral (
      select r.job_id, r.rank, r.needs_id from job_ready r
      where r.pool_id = pools.pool_id and r.workspace_id = ${workspaceId} order by r.rank, r.job_id limit 1) as front`);
  return rows.map((row) => ({
    id: trustedId(row.job_id),
    poolId: trustedId(row.pool_id),
    workspaceId,
    priority: -row.rank,
    needsId: row.needs_id,
  }));
}
