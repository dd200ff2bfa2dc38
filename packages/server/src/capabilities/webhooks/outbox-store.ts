// The outbox: notices become deliveries in the transaction of the change they report. If the receiver has answered 410,
// the delivery is recorded as gone right away; if the receiver is disabled, as dead. Both can be redelivered by hand.
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { DeliveryId } from "./delivery.ts";
import type { Notice } from "./notice.ts";

export interface OutboxRow extends Notice {
  readonly id: DeliveryId;
  readonly receiver: string;
  // One attempt without a schedule, even if the receiver is disabled.
  readonly isManual: boolean;
}

export const disabledText =
  "The receiver is disabled after five days without a successful delivery. Redeliver to try again.";
const goneText = "The receiver answered 410 to an earlier delivery about this.";

export async function insertNotices(tx: Queryable, rows: readonly OutboxRow[], at: Date): Promise<void> {
  await tx.execute(sql`
    with given as (
      select * from unnest(
        ${rows.map((row) => row.id)}::uuid[],
        ${rows.map((row) => row.workspaceId)}::uuid[],
        ${rows.map((row) => row.subjectId)}::text[],
        ${rows.map((row) => row.sequence)}::int[],
        ${rows.map((row) => row.type)}::text[],
        ${rows.map((row) => row.url)}::text[],
        ${rows.map((row) => row.receiver)}::text[],
        ${rows.map((row) => row.body)}::bytea[],
        ${rows.map((row) => row.isManual)}::boolean[]
      ) as g (id, workspace_id, subject_id, sequence, type, url, receiver, body, is_manual)
    ), judged as (
      select given.*, case
        when given.is_manual then 'dead'
        when exists (
          select from webhook_deliveries e
          where e.workspace_id = given.workspace_id and e.subject_id = given.subject_id and e.url = given.url
            and e.status = 'gone') then 'gone'
        when r.disabled_at is not null then 'dead'
        else 'pending' end as status
      from given left join webhook_receivers r
        on r.workspace_id = given.workspace_id and r.receiver = given.receiver
    ), queued as (
      insert into webhook_queue (delivery_id, workspace_id, receiver, due_at, is_manual, queued_at)
      select id, workspace_id, receiver, ${at}, is_manual, ${at} from judged where status = 'pending' or is_manual
    )
    insert into webhook_deliveries (id, workspace_id, subject_id, sequence, type, url, receiver, body, status,
                                    next_attempt_at, last_error, created_at)
    select id, workspace_id, subject_id, sequence, type, url, receiver, body, status,
           case when status = 'pending' then ${at}::timestamptz end,
           case when status = 'gone' then ${goneText} when status = 'dead' and not is_manual then ${disabledText} end, ${at}
    from judged`);
}
