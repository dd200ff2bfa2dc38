// What the books say about every call of a tortured partner, and about its task.
import type { Queryable } from "../../src/foundation/database/index.ts";
import { sql } from "../../src/foundation/database/index.ts";

export interface TorturedTask {
  readonly id: string;
  readonly idempotencyKey: string | null;
  readonly callState: string;
  readonly hold: bigint;
  readonly settled: bigint | null;
  readonly taskState: string | null;
  readonly sequence: number | null;
  readonly delivered: number;
}

export async function listTortured(db: Queryable): Promise<TorturedTask[]> {
  const rows = await db.query<Row>(sql`
    select c.id, c.idempotency_key, c.state, c.hold, c.settled, t.state as task_state, t.sequence,
      (select count(*) from webhook_deliveries d where d.subject_id = c.id::text and d.status = 'delivered') as delivered
    from calls c left join partner_tasks t on t.id = c.id where c.subject like 'partner:%'`);
  return rows.map((row) => ({
    id: row.id,
    idempotencyKey: row.idempotency_key,
    callState: row.state,
    hold: BigInt(row.hold),
    settled: row.settled === null ? null : BigInt(row.settled),
    taskState: row.task_state,
    sequence: row.sequence,
    delivered: Number(row.delivered),
  }));
}

// A killed sender's claims come due when its lease ends. No process that claimed one is alive, so ending the leases now
// is the same as waiting for a minute.
export async function endDeliveryLeases(db: Queryable): Promise<void> {
  await db.execute(sql`update webhook_queue set due_at = now() where claim_id is not null and due_at > now()`);
}

interface Row {
  readonly id: string;
  readonly idempotency_key: string | null;
  readonly state: string;
  readonly hold: string;
  readonly settled: string | null;
  readonly task_state: string | null;
  readonly sequence: number | null;
  readonly delivered: string;
}
