// Queries of housekeeping that belong to none of the stores it cleans.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { CallId } from "../call/call-opening.ts";

// Lets in one process at a time; the others move on. The lock ends with the transaction, even if the process dies.
export async function tryHousekeepingLock(tx: Queryable, task: string): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`atelier housekeeping ${task}`}, 0)) as taken`,
  );
  return row?.taken ?? false;
}

// Everything that is kept for a time goes by the database's clock.
export async function databaseNow(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  return row?.now ?? new Date(0);
}

// Deletes a batch of answers that arrived while their hour had no table, and returns the blobs they held.
export async function takeOldDefaultAnswers(
  tx: Queryable,
  old: { keepHours: number; batchRows: number },
): Promise<{ count: number; blobs: { callId: CallId; hash: string }[] }> {
  const rows = await tx.query<{ call_id: CallId; blob_hash: string | null }>(sql`
    delete from call_answers_default where ctid = any(array(
      select ctid from call_answers_default
      where answered_at < now() - ${old.keepHours} * interval '1 hour' limit ${old.batchRows}))
    returning call_id, blob_hash`);
  const blobs = rows.flatMap((row) => (row.blob_hash === null ? [] : [{ callId: row.call_id, hash: row.blob_hash }]));
  return { count: rows.length, blobs };
}

// The first day of the first month whose books are open, or null while nothing is old enough. If no month was ever closed,
// that is the month before the oldest line, because a month in the books need not match a UTC month; closing a month without
// lines changes nothing. The bound keeps the lookup of the oldest line cheap in an installation's first month.
export async function firstOpenMonth(db: Queryable, before: Date): Promise<string | null> {
  const [row] = await db.query<{ month: string | null }>(sql`
    select to_char(coalesce(
      (select max(month) + interval '1 month' from journal_closings),
      (select date_trunc('month', min(at) at time zone 'UTC') - interval '1 month' from journal where at < ${before})
    ), 'YYYY-MM-DD') as month`);
  return row?.month ?? null;
}
