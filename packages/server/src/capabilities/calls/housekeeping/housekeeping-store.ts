// What housekeeping needs of the database beside the stores whose tables it keeps.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { CallId } from "../call/call-opening.ts";

// One process at a time; the others find it taken and go on. Ends with the transaction, also when the process dies.
export async function tryHousekeepingLock(tx: Queryable, task: string): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(
    sql`select pg_try_advisory_xact_lock(hashtextextended(${`atelier housekeeping ${task}`}, 0)) as taken`,
  );
  return row?.taken ?? false;
}

// By the database's clock, like everything that is kept for a time.
export async function databaseNow(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ now: Date }>(sql`select clock_timestamp() as now`);
  return row?.now ?? new Date(0);
}

// Removes a batch of answers that came while their hour had no table, and tells the blobs they held.
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

// The first month whose books are not closed (its first day), or null while nothing is old enough. Without any closing
// it is the month before the oldest line's, since a month of the books need not be a month of UTC; closing a month
// without lines changes nothing. The bound keeps the look at the oldest line cheap in an installation's first month.
export async function firstOpenMonth(db: Queryable, before: Date): Promise<string | null> {
  const [row] = await db.query<{ month: string | null }>(sql`
    select to_char(coalesce(
      (select max(month) + interval '1 month' from journal_closings),
      (select date_trunc('month', min(at) at time zone 'UTC') - interval '1 month' from journal where at < ${before})
    ), 'YYYY-MM-DD') as month`);
  return row?.month ?? null;
}
