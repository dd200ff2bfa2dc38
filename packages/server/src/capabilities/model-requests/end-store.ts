// Ends requests, and deletes them once their day is over.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Tags } from "../../foundation/json/labels.ts";
import { tagsOfCall } from "../calls/shared-sql.ts";
import { endpointTypes } from "../webhooks/shared-sql.ts";
import { type ModelRequestId, type ModelRequestRecord, type ModelRequestState, noticeType } from "./model-request.ts";
import { type RequestRow, requestColumns, toRequest } from "./request-store.ts";

export interface EndedRequest {
  readonly id: ModelRequestId;
  readonly workspaceId: WorkspaceId;
  // The state it must be in now.
  readonly from: Exclude<ModelRequestState, "completed">;
  readonly errorType: string | null;
  readonly detail: unknown;
  readonly charge: bigint;
}

export interface Completed {
  readonly request: ModelRequestRecord;
  // The blob that holds its body.
  readonly bodyBlob: string | null;
  // Whether an endpoint of its workspace asks for such events; if so, with its tags.
  readonly isAskedFor: boolean;
  readonly tags: Tags | null;
}

// Returns the requests that were in the expected state, as they are now. Locks in id order, so two ends cannot deadlock.
export async function completeRequests(
  tx: Queryable,
  ended: readonly EndedRequest[],
): Promise<Map<ModelRequestId, Completed>> {
  const rows = await tx.query<RequestRow & { body_blob: string | null; is_asked_for: boolean; tags: Tags | null }>(sql`
    with item as (
      select * from unnest(
        ${ended.map(({ id }) => id)}::uuid[],
        ${ended.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${ended.map(({ from }) => from)}::text[],
        ${ended.map(({ errorType }) => errorType)}::text[],
        ${ended.map(({ detail }) => (detail === null || detail === undefined ? null : JSON.stringify(detail)))}::jsonb[],
        ${ended.map(({ charge }) => String(charge))}::bigint[]
      ) as given (id, workspace_id, state, error_type, detail, charge)
    ), locked as materialized (
      select m.id, m.workspace_id, m.body_blob,
        coalesce(${noticeType} = any (${endpointTypes(sql`m.workspace_id`)}::text[]), false) as is_asked_for, item.error_type, item.detail, item.charge
      from model_requests m join item on item.workspace_id = m.workspace_id and item.id = m.id
      where m.state = item.state
      order by m.id for update of m
    )
    update model_requests r
    set state = 'completed', completed_at = now(), error_type = locked.error_type, detail = locked.detail,
        credits_used = least(locked.charge, r.hold), body = null, body_blob = null, runner_id = null
    from locked where r.workspace_id = locked.workspace_id and r.id = locked.id
    returning ${requestColumns}, locked.body_blob, locked.is_asked_for,
      case when locked.is_asked_for then ${tagsOfCall(sql`r.id`)} end as tags`);
  return new Map(
    rows.map(({ body_blob, is_asked_for, tags, ...row }) => [
      row.id,
      { request: toRequest(row), bodyBlob: body_blob, isAskedFor: is_asked_for, tags },
    ]),
  );
}

export async function forgetRequests(
  db: Queryable,
  keep: { readonly keepHours: number; readonly batchRows: number },
): Promise<number> {
  return db.execute(sql`
    delete from model_requests where (workspace_id, id) in (
      select workspace_id, id from model_requests
      where completed_at < now() - ${keep.keepHours} * interval '1 hour'
      limit ${keep.batchRows} for update skip locked)`);
}
