// What one request left in the tables of calls: the call that paid for it, and the answer a repeat would get.
import type { Queryable } from "../../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../../foundation/database/rows.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { KeyedCall, TrailCall } from "./trail-call.ts";

// Finds a call by its id, or by the id of the request that began it if it has no answer yet. The second kind is searched
// among open calls; every other call has a usage row that names it.
export async function findTrailCall(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly id: string },
): Promise<TrailCall | null> {
  const [row] = await db.query<RowOf<TrailCall>>(sql`
    with found as (
      select c.id from calls c where c.id = ${wanted.id} and c.workspace_id = ${wanted.workspaceId}
      union all
      select c.id from calls c
      where c.state = 'open' and c.request_id = ${wanted.id} and c.workspace_id = ${wanted.workspaceId}
      limit 1
    )
    select c.id, c.subject, c.state, c.outcome, c.idempotency_key, c.hold, c.settled, c.begun_at, c.finished_at, c.api_key_id,
           c.request_id, c.definition_version, a.status as answer_status, a.headers ->> 'content-type' as answer_type,
           a.headers ->> 'x-service-kept-outputs' as kept_outputs,
           a.body_bytes as answer_bytes, a.answered_at,
           case when k.call_id is not null then c.finished_at end as key_answered_at,
           (select count(*) from usage u where u.call_id = c.id and u.is_replay and u.workspace_id = c.workspace_id) as replays
    from found join calls c using (id)
    left join call_answers a on a.call_id = c.id and a.answered_at = c.finished_at
    left join call_keys k on k.workspace_id = c.workspace_id and k.idempotency_key = c.idempotency_key and k.call_id = c.id`);
  return row ? fromRow<TrailCall>(row) : null;
}

// The call that an Idempotency-Key names, for as long as the key answers.
export async function findCallOfKey(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly key: string },
): Promise<KeyedCall | null> {
  const [row] = await db.query<RowOf<KeyedCall>>(sql`
    select c.id, c.subject, c.outcome, c.begun_at, c.request_id
    from call_keys k join calls c on c.id = k.call_id and c.workspace_id = k.workspace_id
    where k.workspace_id = ${wanted.workspaceId} and k.idempotency_key = ${wanted.key}`);
  return row ? fromRow<KeyedCall>(row) : null;
}
