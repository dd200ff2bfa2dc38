// Lists of jobs, newest first. Every kind of list walks one index from where the page starts: all jobs, jobs of each wanted
// state, of one metadata string, of labels, or the job of a key.
import {
  type Database,
  fromRow,
  joinSql,
  type Queryable,
  type RowOf,
  type Statement,
  sql,
} from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { LabelPair } from "./changes/job-labels.ts";
import { carries, walkLabels } from "./changes/label-store.ts";
import { type JobId, type JobState, type NamedJob, type PoolId, terminalStates } from "./job.ts";
import { type FoundJob, isShown, type JobRow, jobColumns, toFound } from "./job-store.ts";

export interface JobFilter {
  readonly workspaceId: WorkspaceId;
  readonly poolId: PoolId;
  readonly states: readonly JobState[] | null;
  readonly metadata: string | null;
  // A job must have all of them.
  readonly labels: readonly LabelPair[];
  readonly idempotencyKey: string | null;
  // Excludes jobs cleared from the history.
  readonly isUncleared?: boolean;
  readonly before: JobId | null;
  readonly count: number;
}

export async function findNamedJob(
  db: Queryable,
  { workspaceId, jobId }: { readonly workspaceId: WorkspaceId; readonly jobId: JobId },
): Promise<NamedJob | null> {
  const [found] = await findNamedJobs(db, { workspaceId, jobIds: [jobId] });
  return found ?? null;
}

// By the Idempotency-Key it was submitted with, in any pool.
export async function findJobByKey(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly key: string },
): Promise<NamedJob | null> {
  const [row] = await db.query<RowOf<NamedJob>>(sql`
    select j.id, j.state, j.created_at, j.metadata from job_keys k join jobs j on j.id = k.job_id
    where k.workspace_id = ${wanted.workspaceId} and j.workspace_id = ${wanted.workspaceId}
      and k.idempotency_key = ${wanted.key} and ${isShown}
    order by j.id desc limit 1`);
  return row ? fromRow<NamedJob>(row) : null;
}

export async function findNamedJobs(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly jobIds: readonly JobId[] },
): Promise<readonly NamedJob[]> {
  const rows = await db.query<RowOf<NamedJob>>(sql`
    select j.id, j.state, j.created_at, j.metadata from jobs j
    where j.id = any(${wanted.jobIds}::uuid[]) and j.workspace_id = ${wanted.workspaceId} and ${isShown}`);
  return rows.map((row) => fromRow<NamedJob>(row));
}

export async function listJobsBy(database: Database, filter: JobFilter): Promise<FoundJob[]> {
  const rows = await database.query<JobRow>(sql`
    select ${jobColumns} from (${await idsOf(database, filter)}) as page join jobs j on j.id = page.id
      left join job_live l on l.job_id = j.id
    order by j.id desc`);
  return rows.map(toFound);
}

export async function isCleared(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly jobId: JobId },
): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from jobs j where j.id = ${wanted.jobId} and j.workspace_id = ${wanted.workspaceId} and j.is_cleared`);
  return rows.length > 0;
}

// `jobIds` null clears all ended jobs.
export async function clearFromHistory(
  db: Queryable,
  {
    workspaceId,
    poolId,
    jobIds,
  }: Pick<JobFilter, "workspaceId" | "poolId"> & { readonly jobIds: readonly JobId[] | null },
): Promise<void> {
  await db.execute(sql`
    update jobs j set is_cleared = true
    where j.workspace_id = ${workspaceId} and j.pool_id = ${poolId} and j.finished_at is not null and not j.is_cleared
      ${jobIds === null ? sql`` : sql`and j.id = any (${jobIds}::uuid[])`}`);
}

async function idsOf(database: Database, filter: JobFilter): Promise<Statement> {
  const { workspaceId, poolId, count, states, before, labels } = filter;
  const conditions: Statement[] = [
    sql`j.workspace_id = ${workspaceId} and j.pool_id = ${poolId}`,
    isShown,
    ...(filter.isUncleared === true ? [sql`not j.is_cleared`] : []),
    ...(filter.metadata === null ? [] : [sql`j.metadata = ${filter.metadata}`]),
    ...(filter.idempotencyKey === null
      ? []
      : [
          sql`j.id = (select k.job_id from job_keys k where k.workspace_id = ${workspaceId} and k.pool_id = ${poolId}
            and k.idempotency_key = ${filter.idempotencyKey})`,
        ]),
  ];
  const isOpen = states?.every((state) => !terminalStates.has(state)) ?? false;
  if (isOpen) conditions.push(...labels.map((pair) => carries(filter, pair)));
  else if (labels.length > 0) {
    const walk = { workspaceId, poolId, labels, states, before, conditions };
    const found = await database.transaction((tx) => walkLabels(tx, walk));
    return sql`select given.id from unnest(${found.slice(0, count)}::uuid[]) as given (id)`;
  }
  if (before !== null) conditions.push(sql`j.id < ${before}`);
  const isByState = states !== null && filter.metadata === null && filter.idempotencyKey === null;
  if (states !== null && !isByState) conditions.push(sql`j.state = any (${states}::text[])`);
  const where = joinSql(conditions, sql` and `);
  return isByState
    ? sql`select found.id from unnest(${states}::text[]) as wanted (state) cross join lateral (
        select j.id from jobs j where j.state = wanted.state and ${where} order by j.id desc limit ${count}) as found
        order by found.id desc limit ${count}`
    : sql`select j.id from jobs j where ${where} order by j.id desc limit ${count}`;
}
