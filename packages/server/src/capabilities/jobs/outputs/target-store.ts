// Deliveries of outputs to their jobs' targets: claimed by lease, settled by the claim that made the attempt. Rows with
// credentials are deleted as soon as nothing needs them.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId } from "../../assets/index.ts";
import type { JobId } from "../job.ts";

export interface ClaimedOutput {
  readonly id: string;
  readonly jobId: JobId;
  readonly workspaceId: WorkspaceId;
  readonly assetId: AssetId;
  readonly name: string;
  // Including this one.
  readonly attempts: number;
  readonly envelope: string | null;
}

export interface OutputClaim {
  readonly count: number;
  readonly leaseSeconds: number;
  // Workspaces that already have enough deliveries running here.
  readonly leftOut: readonly WorkspaceId[];
}

export async function claimOutputs(
  db: Queryable,
  { count, leaseSeconds, leftOut }: OutputClaim,
): Promise<ClaimedOutput[]> {
  const rows = await db.query<RowOf<ClaimedOutput>>(sql`
    with due as (
      select id from output_deliveries
      where status = 'pending' and due_at <= clock_timestamp() and workspace_id <> all (${leftOut}::uuid[])
      order by due_at limit ${count} for update skip locked
    )
    update output_deliveries d set attempts = d.attempts + 1,
      due_at = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    from due where d.id = due.id
    returning d.id, d.job_id, d.workspace_id, d.asset_id, d.name, d.attempts,
      (select t.envelope from job_targets t where t.job_id = d.job_id) as envelope`);
  return rows.map((row) => fromRow<ClaimedOutput>(row));
}

export async function renewOutputs(db: Queryable, ids: readonly string[], leaseSeconds: number): Promise<void> {
  await db.execute(sql`
    update output_deliveries set due_at = clock_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
    where id = any (${ids}::uuid[]) and status = 'pending'`);
}

export interface OutputSettlement {
  readonly id: string;
  readonly attempts: number;
  readonly status: "pending" | "delivered" | "dead";
  // With `pending`: seconds until the next attempt.
  readonly afterSeconds: number;
  readonly error: string | null;
}

// False if another claim has taken it since.
export async function settleOutput(db: Queryable, settled: OutputSettlement): Promise<boolean> {
  const changed = await db.execute(sql`
    update output_deliveries set status = ${settled.status}, last_error = ${settled.error},
      due_at = clock_timestamp() + ${settled.afterSeconds}::float8 * interval '1 second',
      ended_at = case when ${settled.status}::text <> 'pending' then clock_timestamp() end
    where id = ${settled.id} and attempts = ${settled.attempts} and status = 'pending'`);
  return changed > 0;
}

// Deletes credentials that nothing needs any more: their job has ended, and none of its deliveries is pending.
export async function forgetTargets(db: Queryable, jobId: JobId | null): Promise<number> {
  return db.execute(sql`
    delete from job_targets t using jobs j
    where j.id = t.job_id and j.finished_at is not null and (${jobId}::uuid is null or t.job_id = ${jobId}::uuid)
      and not exists (select from output_deliveries d where d.job_id = t.job_id and d.status = 'pending')`);
}

export async function countPendingOutputs(db: Queryable): Promise<number> {
  const [row] = await db.query<{ waiting: number }>(sql`
    select count(*)::int as waiting from output_deliveries where status = 'pending'`);
  return row?.waiting ?? 0;
}
