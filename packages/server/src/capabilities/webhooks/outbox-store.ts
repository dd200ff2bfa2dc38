// The outbox: notices become deliveries in the transaction of the change they report, in one statement: one for the address given
// with the subject, and one for each endpoint that asks for the type. If the receiver has answered 410, the delivery is recorded as
// gone right away; if the receiver is disabled or the endpoint paused, as dead. All can be redelivered by hand.
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { DeliveryId, EndpointId } from "./delivery.ts";
import { pausedText } from "./endpoints/endpoint.ts";
import type { Addressed, Notice } from "./notice.ts";

export interface OutboxRow extends Omit<Notice, "type"> {
  readonly id: DeliveryId;
  readonly type: string;
  // Null if only endpoints get it.
  readonly receiver: string | null;
  // Set if it is a test for one endpoint.
  readonly endpointId: EndpointId | null;
  // One attempt without a schedule, even if the receiver is disabled.
  readonly isManual: boolean;
}

export const disabledText =
  "The receiver is disabled after five days without a successful delivery. Redeliver to try again.";
const goneText = "The receiver answered 410 to an earlier delivery about this.";

// Returns where something is to be sent now. The id of an endpoint's delivery follows from the event and the endpoint: its time and
// half of its random part are those of the event.
export async function insertNotices(tx: Queryable, rows: readonly OutboxRow[], at: Date): Promise<Addressed[]> {
  return tx.query<Addressed>(sql`
    with given as (
      select * from unnest(
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.workspaceId)}::uuid[],
        ${rows.map((row) => row.subjectId)}::text[],
        ${rows.map((row) => row.sequence)}::int[],
        ${rows.map((row) => row.type)}::text[],
        ${rows.map((row) => row.url)}::text[],
        ${rows.map((row) => row.receiver)}::text[],
        ${rows.map((row) => row.endpointId)}::uuid[],
        ${rows.map((row) => row.body)}::bytea[],
        ${rows.map((row) => row.isManual)}::boolean[],
        ${rows.map(({ facts }) => (facts?.tags ? JSON.stringify(facts.tags) : null))}::jsonb[],
        ${rows.map(({ facts }) => facts?.model ?? null)}::text[],
        ${rows.map(({ facts }) => facts?.deploymentId ?? null)}::uuid[]
      ) as g (id, workspace_id, subject_id, sequence, type, url, receiver, endpoint_id, body, is_manual, tags, model,
              deployment_id)
    ), addressed as (
      select id, workspace_id, subject_id, sequence, type, url, receiver, endpoint_id, body, is_manual, false as is_paused
      from given where url is not null
      union all
      select (left(given.id::text, 20) || left(own.hash, 3) || '-' || substr(own.hash, 4, 12))::uuid, given.workspace_id,
             given.subject_id, given.sequence, given.type, e.url, e.receiver, e.id, given.body, false,
             e.paused_at is not null
      from given join webhook_endpoints e on e.workspace_id = given.workspace_id and given.type = any (e.types)
        and (e.filter_tag is null or given.tags @> e.filter_tag)
        and (e.filter_model is null or given.model = e.filter_model
             or starts_with(given.model, e.filter_model || '/'))
        and (e.filter_deployment is null or given.deployment_id = e.filter_deployment)
        cross join lateral (select md5(given.id::text || e.id::text) as hash) as own
    ), judged as (
      select a.*, case
        when a.is_manual or a.is_paused then 'dead'
        when exists (
          select from webhook_deliveries d
          where d.workspace_id = a.workspace_id and d.subject_id = a.subject_id and d.url = a.url
            and d.endpoint_id is not distinct from a.endpoint_id and d.status = 'gone') then 'gone'
        when r.disabled_at is not null then 'dead'
        else 'pending' end as status
      from addressed a left join webhook_receivers r on r.workspace_id = a.workspace_id and r.receiver = a.receiver
    ), queued as (
      insert into webhook_queue (delivery_id, workspace_id, receiver, due_at, is_manual, queued_at)
      select id, workspace_id, receiver, ${at}, is_manual, ${at} from judged where status = 'pending' or is_manual
    ), written as (
      insert into webhook_deliveries (id, workspace_id, subject_id, sequence, type, url, receiver, endpoint_id, body,
                                      status, next_attempt_at, last_error, created_at)
      select id, workspace_id, subject_id, sequence, type, url, receiver, endpoint_id, body, status,
             case when status = 'pending' then ${at}::timestamptz end,
             case when status = 'gone' then ${goneText} when is_paused then ${pausedText}
                  when status = 'dead' and not is_manual then ${disabledText} end, ${at}
      from judged
    )
    select distinct workspace_id as "workspaceId", url from judged where status = 'pending' or is_manual`);
}
