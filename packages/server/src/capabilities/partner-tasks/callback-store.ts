// Callbacks that took effect. An event counts once; events older than any window are forgotten.
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";

export interface CallbackEvent {
  readonly partner: string;
  readonly eventId: string;
}

// Returns the events that are new.
export async function takeCallbacks(tx: Queryable, events: readonly CallbackEvent[]): Promise<Set<string>> {
  const rows = await tx.query<{ partner: string; event_id: string }>(sql`
    insert into partner_callbacks (partner, event_id)
    select distinct partner, event_id from unnest(
      ${events.map(({ partner }) => partner)}::text[],
      ${events.map(({ eventId }) => eventId)}::text[]
    ) as given (partner, event_id) order by 1, 2
    on conflict do nothing returning partner, event_id`);
  return new Set(rows.map((row) => eventKey({ partner: row.partner, eventId: row.event_id })));
}

export function eventKey({ partner, eventId }: CallbackEvent): string {
  return `${partner} ${eventId}`;
}

export async function forgetCallbacks(db: Queryable, keepSeconds: number): Promise<number> {
  return db.execute(sql`
    delete from partner_callbacks where taken_at < now() - ${keepSeconds} * interval '1 second'`);
}
