// Figures about the queue for the metrics, and its invariants.
import type { Queryable } from "../../foundation/database/database.ts";
import { type Invariant, sql } from "../../foundation/database/index.ts";

export interface QueueFigures {
  readonly waiting: number;
  // Only deliveries whose receiver is not paused.
  readonly oldestDueSeconds: number;
  readonly disabled: number;
}

export async function findQueueFigures(db: Queryable, now: Date): Promise<QueueFigures> {
  const [row] = await db.query<{ waiting: string; oldest: number | null; disabled: string }>(sql`
    select count(*) as waiting,
           extract(epoch from ${now}::timestamptz
             - min(greatest(q.due_at, q.queued_at)) filter (where q.due_at <= ${now} and r.resting_until is null))::float8 as oldest,
           (select count(*) from webhook_receivers where disabled_at is not null) as disabled
    from webhook_queue q left join webhook_receivers r on r.workspace_id = q.workspace_id and r.receiver = q.receiver`);
  return {
    waiting: Number(row?.waiting ?? 0),
    oldestDueSeconds: Math.max(0, row?.oldest ?? 0),
    disabled: Number(row?.disabled ?? 0),
  };
}

// For the invariants of modules that send notices. Endpoints get only what they ask for.
export const deliveryFacts = sql`
  select workspace_id, subject_id, sequence from webhook_deliveries where endpoint_id is null`;

// Deliveries older than the shortest retention may be partly deleted, so only younger ones are checked.
export const webhookInvariants: readonly Invariant[] = [
  {
    name: "I18 the changes of a subject are told without a gap",
    statement: sql`
      select workspace_id, subject_id from webhook_deliveries
      where created_at > now() - interval '2 days' and endpoint_id is null
      group by workspace_id, subject_id having max(sequence) - min(sequence) + 1 <> count(*)`,
  },
  {
    name: "I19 what is pending stands in the queue, and what is queued has a delivery",
    statement: sql`
      select d.id from webhook_deliveries d left join webhook_queue q on q.delivery_id = d.id
      where d.status = 'pending' and q.delivery_id is null
      union all
      select q.delivery_id from webhook_queue q left join webhook_deliveries d
        on d.id = q.delivery_id and d.workspace_id = q.workspace_id and d.receiver = q.receiver
      where d.id is null`,
  },
  {
    name: "I19 a delivery that was taken has the attempt that shows it",
    statement: sql`
      select d.id from webhook_deliveries d
      where d.status = 'delivered' and d.created_at > now() - interval '10 minutes' and not exists (
        select from webhook_attempts a where a.delivery_id = d.id and a.status between 200 and 299)`,
  },
];
