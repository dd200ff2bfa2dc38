// Leases, by the database's clock.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { JobId, PoolId, WorkerId } from "./job.ts";
import type { HeldJob, JobLease, LeaseState } from "./worker-port.ts";

// Renews leases still held by exactly this attempt of this worker. One answer per lease, in the same order.
export async function renewLeases(
  db: Queryable,
  leases: readonly JobLease[],
  leaseSeconds: number,
): Promise<LeaseState[]> {
  const rows = await db.query<{ job_id: string; attempt: number; worker_id: string; is_canceling: boolean }>(sql`
    with held as (
      select l.job_id from job_leases l join unnest(
        ${leases.map(({ jobId }) => jobId)}::uuid[],
        ${leases.map(({ attempt }) => attempt)}::int[],
        ${leases.map(({ workerId }) => workerId)}::uuid[]
      ) as given (job_id, attempt, worker_id) using (job_id, attempt, worker_id)
      order by l.job_id for no key update of l
    )
    update job_leases l set lease_until = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    from held where l.job_id = held.job_id returning l.job_id, l.attempt, l.worker_id, l.is_canceling`);
  const held = new Map(rows.map((row) => [`${row.job_id} ${row.attempt} ${row.worker_id}`, row.is_canceling]));
  return leases.map(({ jobId, attempt, workerId }) => {
    const isCanceling = held.get(`${jobId} ${attempt} ${workerId}`);
    return isCanceling === undefined ? "lost" : isCanceling ? "canceling" : "running";
  });
}

// Whose job it is, while the lease is held by exactly this attempt of this worker.
export async function findLeased(
  db: Queryable,
  lease: JobLease,
): Promise<{ readonly workspaceId: WorkspaceId; readonly expiresAt: Date } | null> {
  const [row] = await db.query<{ workspace_id: string; expires_at: Date }>(sql`
    select l.workspace_id, j.expires_at from job_leases l join jobs j on j.id = l.job_id
    where l.job_id = ${lease.jobId} and l.attempt = ${lease.attempt} and l.worker_id = ${lease.workerId}`);
  return row === undefined ? null : { workspaceId: trustedId(row.workspace_id), expiresAt: row.expires_at };
}

// Reads one row per running job, once in a round that has more candidates than slots.
export async function countRunning(db: Queryable, poolId: PoolId): Promise<Map<WorkspaceId, number>> {
  const rows = await db.query<{ workspace_id: string; running: number }>(sql`
    select workspace_id, count(*)::int as running from job_leases where pool_id = ${poolId} group by workspace_id`);
  return new Map(rows.map((row) => [trustedId<"workspace">(row.workspace_id), row.running]));
}

// What the workers of a pool are running.
export async function listHeldJobs(db: Queryable, poolId: PoolId, count: number): Promise<HeldJob[]> {
  const rows = await db.query<RowOf<HeldJob>>(sql`
    select l.job_id, l.worker_id, l.workspace_id, j.claimed_at from job_leases l join jobs j on j.id = l.job_id
    where l.pool_id = ${poolId} and j.claimed_at is not null order by l.job_id limit ${count}`);
  return rows.map(fromRow<HeldJob>);
}

// A worker's leases. Needed only when it restarts, so it may scan all leases.
export async function findLeasesOf(
  db: Queryable,
  asked: { readonly workerId: WorkerId; readonly poolId: PoolId },
): Promise<HeldLease[]> {
  const rows = await db.query<{ job_id: string; attempt: number; workspace_id: string; api_key_id: string | null }>(sql`
    select l.job_id, l.attempt, l.workspace_id, j.api_key_id from job_leases l join jobs j on j.id = l.job_id
    where l.worker_id = ${asked.workerId} and l.pool_id = ${asked.poolId} and l.lease_until > clock_timestamp()
    order by l.job_id`);
  return rows.map((row) => ({
    lease: { jobId: trustedId(row.job_id), attempt: row.attempt, workerId: asked.workerId },
    workspaceId: trustedId(row.workspace_id),
    apiKeyId: row.api_key_id,
  }));
}

export interface HeldLease {
  readonly lease: JobLease;
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: string | null;
}

// Scans one narrow row per running job. There is no index, so that a heartbeat need not update one.
export async function findLostLeases(db: Queryable, count: number): Promise<JobId[]> {
  const rows = await db.query<{ job_id: JobId }>(sql`
    select job_id from job_leases where lease_until < clock_timestamp() order by lease_until limit ${count}`);
  return rows.map((row) => row.job_id);
}

// Deletes expired leases without a running job: the job is gone, has ended or waits. A waiting job could not be claimed with
// it. Returns how many were deleted.
export async function deleteStrayLeases(db: Queryable, jobIds: readonly JobId[]): Promise<number> {
  const rows = await db.query(sql`
    delete from job_leases l where l.job_id = any (${jobIds}::uuid[]) and l.lease_until < clock_timestamp()
      and not exists (select from jobs j where j.id = l.job_id and j.state in ('running', 'canceling'))
    returning l.job_id`);
  return rows.length;
}

// Jobs whose time has come. Ended ones are to be removed, the others expire.
export async function findDueJobs(db: Queryable, count: number): Promise<{ jobId: JobId; hasEnded: boolean }[]> {
  const rows = await db.query<{ id: JobId; has_ended: boolean }>(sql`
    select id, finished_at is not null as has_ended from jobs
    where due_at <= clock_timestamp() and state <> 'canceling' order by due_at limit ${count}`);
  return rows.map((row) => ({ jobId: row.id, hasEnded: row.has_ended }));
}

// Removes ended jobs whose time is over, with everything only they used. Returns the removed ones.
export async function deleteOverJobs(tx: Queryable, jobIds: readonly JobId[]): Promise<JobId[]> {
  const rows = await tx.query<{ id: JobId }>(sql`
    with over as (
      select id from jobs where id = any (${jobIds}::uuid[]) and finished_at is not null and due_at <= clock_timestamp()
      order by id for update skip locked
    ), gone as (
      delete from jobs j using over where j.id = over.id returning j.id
    ), keys as (
      delete from job_keys k using over where k.job_id = over.id
    ), graphs as (
      delete from job_graphs g using over where g.job_id = over.id
    ), outputs as (
      delete from job_outputs o using over where o.job_id = over.id
    ), targets as (
      delete from job_targets t using over where t.job_id = over.id
    ), deliveries as (
      delete from output_deliveries d using over where d.job_id = over.id
    ), labels as (
      delete from job_labels l using over where l.job_id = over.id
    ), live as (
      delete from job_live l using over where l.job_id = over.id
    )
    select id from gone`);
  return rows.map((row) => row.id);
}
