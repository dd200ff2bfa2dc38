// The two statements of every change of state: lock the jobs, then write what the rules decided. In between, no other
// transaction can change the rows the rules see. The second statement starts after the lock, so it also sees a lease or a
// queue position written while the first one waited.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { endpointTypes } from "../../webhooks/shared-sql.ts";
import type { JobId } from "../job.ts";
import { terminalStates } from "../job.ts";
import type { JobStep, LockedJob } from "../job-steps.ts";
import { isGoingOn } from "./pause-store.ts";

// Locks in id order, so two batches never deadlock. With `skipLocked`, jobs that another process works on are left to it. A
// claim excludes paused workspaces in the locking statement itself: that is where a pause and a claim meet.
export async function lockJobs(
  tx: Queryable,
  jobIds: readonly JobId[],
  options: { readonly skipLocked: boolean; readonly isClaim?: boolean },
): Promise<Map<JobId, LockedJob>> {
  const rows = await tx.query<RowOf<LockedJob>>(sql`
    select id, workspace_id, pool_id, state, version, sequence, attempt, given_back, attempts_max, lost, worker_id,
      priority, webhook_url, ${endpointTypes(sql`jobs.workspace_id`)} as endpoint_types, labels, api_key_id, holds_assets, holds_credits, needs_id, due_at <= clock_timestamp() as is_due,
      coalesce(greatest(0, extract(epoch from clock_timestamp() - claimed_at)), 0)::float8 as ran_seconds
    from jobs where id = any (${jobIds}::uuid[]) ${options.isClaim ? sql`and ${isGoingOn(sql`jobs.workspace_id`)}` : sql``}
    order by id for update of jobs ${options.skipLocked ? sql`skip locked` : sql``}`);
  return new Map(rows.map((row) => [row.id, fromRow<LockedJob>(row)]));
}

// The locked jobs whose worker has been silent for a whole lease. Locks their leases against a late heartbeat.
export async function lockLostLeases(tx: Queryable, jobIds: readonly JobId[]): Promise<Set<JobId>> {
  const rows = await tx.query<{ job_id: JobId }>(sql`
    select job_id from job_leases where job_id = any (${jobIds}::uuid[]) and lease_until < clock_timestamp()
    order by job_id for update`);
  return new Set(rows.map((row) => row.job_id));
}

// Run before jobs end: progress that is being written goes first, and none comes after.
export async function lockLeases(tx: Queryable, jobIds: readonly JobId[]): Promise<void> {
  await tx.query(sql`select from job_leases where job_id = any (${jobIds}::uuid[]) order by job_id for update`);
}

export interface JobWrite {
  readonly job: LockedJob;
  readonly step: JobStep;
}

// Times are the statement's own, because the transaction may have waited for locks. A job that ends keeps its last progress;
// one that succeeded has done all of its nodes.
export async function writeSteps(tx: Queryable, writes: readonly JobWrite[], leaseSeconds: number): Promise<void> {
  const isEnd = ({ step }: JobWrite) => terminalStates.has(step.state);
  await tx.execute(sql`
    with item as (
      select * from unnest(
        ${writes.map(({ job }) => job.id)}::uuid[],
        ${writes.map(({ job }) => job.state)}::text[],
        ${writes.map(({ step }) => step.state)}::text[],
        ${writes.map(isEnd)}::boolean[],
        ${writes.map(({ step }) => step.attempt)}::int[],
        ${writes.map(({ step }) => step.givenBack)}::int[],
        ${writes.map(({ step }) => step.lost)}::int[],
        ${writes.map(({ step }) => step.workerId)}::uuid[],
        ${writes.map(({ step }) => step.readyAfterSeconds)}::float8[],
        ${writes.map(({ step }) => (step.problem === null ? null : JSON.stringify(step.problem)))}::jsonb[],
        ${writes.map(({ step }) => step.outputsReused)}::boolean[],
        ${writes.map(({ step }) => step.nodes)}::text[]
      ) as given (id, before, state, is_end, attempt, given_back, lost, worker_id, ready_after, problem, outputs_reused, nodes)
    ), changed as (
      update jobs j set
        state = item.state, version = j.version + 1, sequence = j.sequence + 1, attempt = item.attempt,
        given_back = item.given_back, lost = item.lost, worker_id = item.worker_id,
        claimed_at = case when item.worker_id is null then null
                          when item.before = 'queued' then statement_timestamp() else j.claimed_at end,
        started_at = case when item.state = 'running' then coalesce(j.started_at, statement_timestamp()) else j.started_at end,
        finished_at = case when item.is_end then statement_timestamp() end,
        due_at = case when item.state = 'expired' then j.expires_at + interval '24 hours' else j.due_at end,
        problem = item.problem, outputs_reused = item.outputs_reused,
        progress = case when item.state = 'succeeded' then jsonb_build_object('value', 1, 'nodesDone', j.nodes_total,
                          'nodesTotal', j.nodes_total, 'currentNode', null, 'currentNodeClass', null, 'step', null,
                          'steps', null, 'message', null)
                        when item.is_end then (select l.progress from job_live l where l.job_id = item.id) end,
        nodes = case when item.is_end
          then coalesce(item.nodes, (select l.nodes from job_live l where l.job_id = item.id)) end
      from item where j.id = item.id
      returning j.id, j.pool_id, j.workspace_id, j.priority, j.needs_id, item.before, item.state, item.is_end, item.attempt,
        item.worker_id, item.ready_after
    ), leased as (
      insert into job_leases (job_id, attempt, worker_id, pool_id, workspace_id, lease_until)
      select id, attempt, worker_id, pool_id, workspace_id, statement_timestamp() + ${leaseSeconds}::float8 * interval '1 second'
      from changed where before = 'queued' and state = 'running'
    ), interrupted as (
      update job_leases l set is_canceling = true from changed where l.job_id = changed.id and changed.state = 'canceling'
    ), unleased as (
      delete from job_leases l using changed where l.job_id = changed.id and changed.worker_id is null
    ), unready as (
      delete from job_ready r using changed where r.job_id = changed.id and changed.before = 'queued'
    ), ready as (
      insert into job_ready (job_id, pool_id, workspace_id, rank, run_at, needs_id)
      select id, pool_id, workspace_id, -priority, statement_timestamp() + ready_after * interval '1 second', needs_id
      from changed where ready_after is not null
    )
    delete from job_secrets s using changed where s.job_id = changed.id and changed.is_end`);
  for (const { job, step } of writes) {
    if (step.executedWorkflow !== null) await keepExecuted(tx, job.id, step.executedWorkflow);
  }
}

async function keepExecuted(tx: Queryable, jobId: JobId, executed: Buffer): Promise<void> {
  await tx.execute(sql`update job_graphs set executed = ${executed} where job_id = ${jobId}`);
}

// The locks of the environments that will run some claimed jobs. Written only if one has any.
export async function recordLocks(
  tx: Queryable,
  claims: readonly { readonly jobId: JobId; readonly lockId: string | null }[],
): Promise<void> {
  if (claims.length === 0) return;
  await tx.execute(sql`
    update jobs j set lock_id = given.lock_id
    from unnest(${claims.map(({ jobId }) => jobId)}::uuid[], ${claims.map(({ lockId }) => lockId)}::text[])
      as given (id, lock_id)
    where j.id = given.id`);
}
