// Events as they arrived. The provider's id makes a repeated one the same event.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { EventName, EventPosition, StoredEvent } from "./payment-event.ts";
import type { ProviderName } from "./plan.ts";
import type { SeenEvent } from "./reading/object-facts.ts";

// True the first time.
export async function insertEvent(
  db: Queryable,
  event: EventName & Pick<SeenEvent, "type" | "madeAt"> & { readonly now: Date; readonly body: unknown },
): Promise<boolean> {
  const body = event.body === null ? null : JSON.stringify(event.body);
  const inserted = await db.execute(sql`
    insert into payment_events (provider, event_id, type, made_at, received_at, state, due_at, body)
    values (${event.provider}, ${event.eventId}, ${event.type}, ${event.madeAt}, ${event.now},
            ${body === null ? "ignored" : "stored"}, ${body === null ? null : event.now}, ${body}::jsonb)
    on conflict (provider, event_id) do nothing`);
  return inserted === 1;
}

// The body of an event that has not been applied, locked. Null once it was.
export async function lockStoredEvent(tx: Queryable, { provider, eventId }: EventName): Promise<unknown> {
  const [row] = await tx.query<{ body: unknown }>(sql`
    select body from payment_events
    where provider = ${provider} and event_id = ${eventId} and state = 'stored' for update`);
  return row?.body ?? null;
}

export async function endEvent(
  tx: Queryable,
  { provider, eventId }: EventName,
  end: { readonly state: "applied" | "ignored"; readonly note: string | null },
): Promise<void> {
  await tx.execute(sql`
    update payment_events set state = ${end.state}, note = ${end.note}, due_at = null
    where provider = ${provider} and event_id = ${eventId}`);
}

// What a payment's events were waiting for is there now.
export async function clearNotes(
  tx: Queryable,
  { provider, reference }: { readonly provider: ProviderName; readonly reference: string },
): Promise<void> {
  await tx.execute(sql`
    update payment_events set note = null
    where provider = ${provider} and state = 'applied' and note is not null
      and body->'data'->'object'->>'id' = ${reference}`);
}

// Again later: after a minute, then two, four and so on, and once an hour at last.
export async function postponeEvent(
  db: Queryable,
  { provider, eventId }: EventName,
  failure: { readonly note: string; readonly now: Date },
): Promise<void> {
  await db.execute(sql`
    update payment_events
    set note = ${failure.note}, attempts = attempts + 1,
        due_at = ${failure.now}::timestamptz + least(3600, 60 * power(2, least(attempts, 10))) * interval '1 second'
    where provider = ${provider} and event_id = ${eventId} and state = 'stored'`);
}

export async function findDueEvents(db: Queryable, now: Date, count: number): Promise<EventName[]> {
  const rows = await db.query<RowOf<EventName>>(sql`
    select provider, event_id from payment_events where state = 'stored' and due_at <= ${now}
    order by due_at limit ${count}`);
  return rows.map((row) => fromRow<EventName>(row));
}

// Bodies name customers, so they are kept only for as long as someone may want to look why.
export async function forgetBodies(db: Queryable, before: Date, count: number): Promise<number> {
  return db.execute(sql`
    update payment_events set body = null where ctid = any (array(
      select ctid from payment_events where body is not null and state <> 'stored' and received_at < ${before}
      limit ${count}))`);
}

export async function listEvents(
  db: Queryable,
  page: { readonly before: EventPosition | null; readonly count: number; readonly state: StoredEvent["state"] | null },
): Promise<StoredEvent[]> {
  const { before, count, state } = page;
  const rows = await db.query<RowOf<StoredEvent>>(sql`
    select provider, event_id, type, made_at, received_at, state, note, attempts from payment_events
    where (${state}::text is null or state = ${state})
      and (${before?.at ?? null}::timestamptz is null
        or (received_at, event_id) < (${before?.at ?? null}::timestamptz, ${before?.eventId ?? null}::text))
    order by received_at desc, event_id desc limit ${count}`);
  return rows.map((row) => fromRow<StoredEvent>(row));
}

export async function findEvent(db: Queryable, { provider, eventId }: EventName): Promise<StoredEvent | null> {
  const [row] = await db.query<RowOf<StoredEvent>>(sql`
    select provider, event_id, type, made_at, received_at, state, note, attempts from payment_events
    where provider = ${provider} and event_id = ${eventId}`);
  return row ? fromRow<StoredEvent>(row) : null;
}

export async function countUnapplied(
  db: Queryable,
  before: Date,
): Promise<{ readonly late: number; readonly lastAt: Date | null }> {
  const [row] = await db.query<{ late: number; last_at: Date | null }>(sql`
    select count(*) filter (where state = 'stored' and received_at < ${before})::int as late, max(received_at) as last_at
    from payment_events`);
  return { late: row?.late ?? 0, lastAt: row?.last_at ?? null };
}
