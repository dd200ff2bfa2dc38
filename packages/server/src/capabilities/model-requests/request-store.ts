// Reads requests: one, a page, what is ahead of one, and how many there are.
import { fromRow, type Queryable, type RowOf, type Statement, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { OwnerId } from "../calls/index.ts";
import {
  type ModelRequestId,
  type ModelRequestRecord,
  type ModelRequestState,
  type RequestLocator,
  resultKeptHours,
  type SeenRequest,
} from "./model-request.ts";

export const requestColumns: Statement = sql`
  r.id, r.workspace_id, r.model, r.state, r.created_at, r.started_at, r.completed_at, r.webhook_url, r.error_type, r.detail,
  r.credits_used`;

const position: Statement = sql`
  case when r.state = 'queued' then (
    select count(*) from model_requests ahead
    where ahead.workspace_id = r.workspace_id and ahead.state = 'queued' and ahead.id < r.id) end as queue_position`;

// A result is kept this long and then no longer found, whether or not its row has been deleted yet.
const isKept: Statement = sql`
  (r.completed_at is null or r.completed_at > now() - ${resultKeptHours} * interval '1 hour')`;

export async function findRequest(db: Queryable, locator: RequestLocator): Promise<SeenRequest | null> {
  const [row] = await db.query<SeenRow>(sql`
    select ${requestColumns}, ${position} from model_requests r
    where r.workspace_id = ${locator.workspaceId} and r.id = ${locator.id} and r.model = ${locator.model} and ${isKept}`);
  return row ? toSeen(row) : null;
}

// Which of these exist. Settles a submission whose answer got lost.
export async function findSubmitted(
  db: Queryable,
  requests: readonly { readonly id: ModelRequestId; readonly workspaceId: WorkspaceId }[],
): Promise<Set<ModelRequestId>> {
  const rows = await db.query<{ id: ModelRequestId }>(sql`
    select id from model_requests where (workspace_id, id) in (
      select * from unnest(${requests.map(({ workspaceId }) => workspaceId)}::uuid[], ${requests.map(({ id }) => id)}::uuid[]))`);
  return new Set(rows.map(({ id }) => id));
}

export interface ListedRequests {
  readonly workspaceId: WorkspaceId;
  readonly state: ModelRequestState | null;
  readonly model: string | null;
  // Newest first: only requests older than this one.
  readonly before: ModelRequestId | null;
  readonly count: number;
}

export async function listRequests(db: Queryable, wanted: ListedRequests): Promise<SeenRequest[]> {
  const rows = await db.query<SeenRow>(sql`
    select ${requestColumns}, ${position} from model_requests r
    where r.workspace_id = ${wanted.workspaceId} and ${isKept}
      and (${wanted.before}::uuid is null or r.id < ${wanted.before}::uuid)
      and (${wanted.state}::text is null or r.state = ${wanted.state}::text)
      and (${wanted.model}::text is null or r.model = ${wanted.model}::text)
    order by r.workspace_id desc, r.id desc limit ${wanted.count}`);
  return rows.map(toSeen);
}

export interface RequestRun {
  readonly state: ModelRequestState;
  readonly runnerId: OwnerId | null;
  readonly attempts: number;
}

// The state of its run. Null if there is no such request.
export async function findRun(
  db: Queryable,
  request: { readonly id: ModelRequestId; readonly workspaceId: WorkspaceId },
): Promise<RequestRun | null> {
  const [row] = await db.query<RowOf<RequestRun>>(sql`
    select state, runner_id, attempts from model_requests where workspace_id = ${request.workspaceId} and id = ${request.id}`);
  return row ? fromRow<RequestRun>(row) : null;
}

// Requests this process has begun, according to their rows.
export async function listRunOf(
  db: Queryable,
  mine: { readonly runnerId: OwnerId; readonly olderThanSeconds: number },
): Promise<ModelRequestId[]> {
  const rows = await db.query<{ id: ModelRequestId }>(sql`
    select id from model_requests
    where state = 'running' and runner_id = ${mine.runnerId}
      and started_at < now() - ${mine.olderThanSeconds} * interval '1 second'`);
  return rows.map(({ id }) => id);
}

export interface RequestFigures {
  readonly queued: number;
  readonly running: number;
  readonly oldestSeconds: number;
}

export async function findRequestFigures(db: Queryable): Promise<RequestFigures> {
  const [row] = await db.query<{ queued: string; running: string; oldest_seconds: number | null }>(sql`
    select (select count(*) from model_requests where state = 'queued') as queued,
           (select count(*) from model_requests where state = 'running') as running,
           (select extract(epoch from now() - min(created_at))::float8 from model_requests where state = 'queued') as oldest_seconds`);
  return {
    queued: Number(row?.queued ?? 0),
    running: Number(row?.running ?? 0),
    oldestSeconds: row?.oldest_seconds ?? 0,
  };
}

export interface RequestRow extends RowOf<Omit<ModelRequestRecord, "creditsUsed">> {
  readonly credits_used: string | null;
}

type SeenRow = RequestRow & { readonly queue_position: string | null };

function toSeen({ queue_position, ...row }: SeenRow): SeenRequest {
  return { ...toRequest(row), queuePosition: queue_position === null ? null : Number(queue_position) };
}

export function toRequest({ credits_used, ...row }: RequestRow): ModelRequestRecord {
  const read = fromRow<Omit<ModelRequestRecord, "creditsUsed">>(row);
  return { ...read, creditsUsed: credits_used === null ? null : BigInt(credits_used) };
}
