// The tasks. A row changes a few times in its life; a look that finds nothing new never writes to it.
import type { Queryable } from "../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../foundation/database/rows.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Tags } from "../../foundation/json/labels.ts";
import { parking, tagsOfCall } from "../calls/shared-sql.ts";
import { endpointTypes } from "../webhooks/shared-sql.ts";
import { shardOf, type Task, type TaskId } from "./task.ts";

export interface NewTask extends Omit<Task, "sequence" | "endedAt" | "state" | "body"> {
  readonly retryKey: string;
}

// Writes the tasks of calls that are still open and parks these calls, in one statement. Existing tasks are left as they
// are, since a callback may have been faster than the answer. Returns the calls that are open.
export async function acceptTasks(db: Queryable, tasks: readonly NewTask[]): Promise<Set<TaskId>> {
  const rows = await db.query<{ id: TaskId }>(sql`
    with parked as (${parking(tasks.map(({ id }) => id))}), added as (
    insert into partner_tasks (id, workspace_id, partner, operation, partner_task_id, state, webhook_url, echo, body,
                               first_body, retry_key, shard, longest_run_seconds, created_at)
    select id, workspace_id, partner, operation, partner_task_id, 'created', webhook_url, echo, first_body,
           first_body, decode(retry_key, 'hex'), shard, longest_run_seconds, created_at
    from unnest(
      ${tasks.map(({ id }) => id)}::uuid[],
      ${tasks.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${tasks.map(({ partner }) => partner)}::text[],
      ${tasks.map(({ operation }) => operation)}::text[],
      ${tasks.map(({ partnerTaskId }) => partnerTaskId)}::text[],
      ${tasks.map(({ webhookUrl }) => webhookUrl)}::text[],
      ${tasks.map(({ echo }) => JSON.stringify(echo))}::jsonb[],
      ${tasks.map(({ firstBody }) => firstBody)}::text[],
      ${tasks.map(({ retryKey }) => retryKey)}::text[],
      ${tasks.map(({ id }) => shardOf(id))}::smallint[],
      ${tasks.map(({ longestRunSeconds }) => longestRunSeconds)}::int[],
      ${tasks.map(({ createdAt }) => createdAt)}::timestamptz[]
    ) as given (id, workspace_id, partner, operation, partner_task_id, webhook_url, echo, first_body, retry_key, shard,
                longest_run_seconds, created_at)
    where id in (select parked.id from parked)
    on conflict (id) do nothing)
    select id from parked`);
  return new Set(rows.map(({ id }) => id));
}

const columns = sql`
  id, workspace_id, partner, operation, partner_task_id, state, sequence, webhook_url, echo, body, first_body, created_at,
  ended_at, longest_run_seconds`;

export async function findTask(
  db: Queryable,
  locator: { readonly workspaceId: WorkspaceId; readonly taskId: TaskId },
): Promise<Task | null> {
  const [row] = await db.query<TaskRow>(sql`
    select ${columns} from partner_tasks where id = ${locator.taskId} and workspace_id = ${locator.workspaceId}`);
  return row ? toTask(row) : null;
}

// For callbacks and the follower, which know the id from a signature or a call and know no workspace.
export async function findAnyTask(db: Queryable, taskId: TaskId): Promise<Task | null> {
  const [row] = await db.query<TaskRow>(sql`select ${columns} from partner_tasks where id = ${taskId}`);
  return row ? toTask(row) : null;
}

// Locks in id order, so that two changes cannot deadlock.
export async function lockTasks(tx: Queryable, ids: readonly TaskId[]): Promise<Map<TaskId, LockedTask>> {
  const types = endpointTypes(sql`partner_tasks.workspace_id`);
  const rows = await tx.query<RowOf<LockedTask>>(sql`
    select ${columns}, ${types} as endpoint_types,
      case when ${types} is not null then ${tagsOfCall(sql`partner_tasks.id`)} end as tags
    from partner_tasks where id = any (${[...new Set(ids)]}::uuid[]) order by id for update`);
  return new Map(rows.map((row) => [row.id, fromRow<LockedTask>(row)]));
}

export interface LockedTask extends Task {
  // The types of events that endpoints of its workspace ask for; null if it has none.
  readonly endpointTypes: readonly string[] | null;
  readonly tags: Tags | null;
}

export type ChangedTask = Pick<Task, "id" | "state" | "sequence" | "body" | "endedAt">;

export async function writeTasks(tx: Queryable, tasks: readonly ChangedTask[]): Promise<void> {
  await tx.execute(sql`
    update partner_tasks t
    set state = given.state, sequence = given.sequence, body = given.body, ended_at = given.ended_at
    from unnest(
      ${tasks.map(({ id }) => id)}::uuid[],
      ${tasks.map(({ state }) => state)}::text[],
      ${tasks.map(({ sequence }) => sequence)}::int[],
      ${tasks.map(({ body }) => body)}::text[],
      ${tasks.map(({ endedAt }) => endedAt)}::timestamptz[]
    ) as given (id, state, sequence, body, ended_at)
    where t.id = given.id`);
}

export interface KnownRetry {
  readonly task: Task;
  readonly isAnswered: boolean;
  readonly ageSeconds: number;
}

// The newest task of an equal request. Its age is measured by the clock that wrote the row.
export async function findRetry(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly retryKey: string; readonly now: Date },
): Promise<KnownRetry | null> {
  const [row] = await db.query<TaskRow & { is_answered: boolean; age_seconds: number }>(sql`
    select ${columns}, answered_at is not null as is_answered,
           extract(epoch from ${wanted.now}::timestamptz - created_at)::float8 as age_seconds
    from partner_tasks
    where workspace_id = ${wanted.workspaceId} and retry_key = decode(${wanted.retryKey}, 'hex')
    order by created_at desc limit 1`);
  if (!row) return null;
  const { is_answered: isAnswered, age_seconds: ageSeconds, ...task } = row;
  return { task: toTask(task), isAnswered, ageSeconds };
}

// Does not wait for the disk. If a crash loses the mark, a later request may be taken for a retry.
export async function markAnswered(db: Queryable, ids: readonly TaskId[]): Promise<void> {
  await db.execute(sql`
    with lazily as materialized (select set_config('synchronous_commit', 'off', true))
    update partner_tasks set answered_at = now() from lazily where id = any (${ids}::uuid[])`);
}

// What the poller needs to know about a task.
export type OpenTask = Pick<
  Task,
  "id" | "workspaceId" | "partner" | "operation" | "partnerTaskId" | "state" | "createdAt" | "longestRunSeconds"
>;

export async function listOpenTasks(
  db: Queryable,
  wanted: { readonly shards: readonly number[]; readonly createdAfter: Date | null },
): Promise<OpenTask[]> {
  const rows = await db.query<RowOf<OpenTask>>(sql`
    select id, workspace_id, partner, operation, partner_task_id, state, created_at, longest_run_seconds
    from partner_tasks
    where shard = any (${wanted.shards}::smallint[]) and ended_at is null
      and created_at > coalesce(${wanted.createdAfter}::timestamptz, '-infinity')`);
  return rows.map(fromRow<OpenTask>);
}

export async function forgetTasks(db: Queryable, keep: { keepDays: number; batchRows: number }): Promise<number> {
  return db.execute(sql`
    delete from partner_tasks where id in (
      select id from partner_tasks where ended_at < now() - ${keep.keepDays} * interval '1 day'
      limit ${keep.batchRows} for update skip locked)`);
}

type TaskRow = RowOf<Task>;

const toTask = fromRow<Task>;
