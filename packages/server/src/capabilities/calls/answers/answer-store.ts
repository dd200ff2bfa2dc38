// Recorded answers: what a retry under the same key gets. Partitioned by the hour of completion, so forgetting an hour drops
// a table and never deletes rows. The default partition catches answers that arrive while their hour has no table.
import type { Queryable } from "../../../foundation/database/database.ts";
import { identifier, sql, sqlText } from "../../../foundation/database/sql.ts";
import type { CallId, RecordedAnswer } from "../call/call-opening.ts";

export interface StoredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  // Exactly one of `body` and `blobHash` is set.
  readonly body: Buffer | null;
  readonly blobHash: string | null;
}

export async function findAnswer(db: Queryable, callId: CallId, answeredAt: Date): Promise<StoredAnswer | null> {
  // `answeredAt` was rounded to milliseconds on its way here; the column is exact.
  const [row] = await db.query<AnswerRow>(sql`
    select status, headers, body, blob_hash from call_answers
    where call_id = ${callId} and answered_at between ${answeredAt}::timestamptz - interval '1 second'
                                                  and ${answeredAt}::timestamptz + interval '1 second'`);
  return row ? { status: row.status, headers: row.headers, body: row.body, blobHash: row.blob_hash } : null;
}

// The hours that have their own table, oldest first.
export async function listAnswerHours(db: Queryable): Promise<{ name: string; hour: Date }[]> {
  const rows = await db.query<{ name: string }>(sql`
    select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'call_answers'::regclass and c.relname ~ '^call_answers_[0-9]{10}$' order by 1`);
  return rows.map(({ name }) => ({ name, hour: hourOf(name.slice(-10)) }));
}

export async function createAnswerHour(db: Queryable, hour: Date): Promise<void> {
  const end = new Date(hour.getTime() + 3_600_000);
  await db.execute(sql`
    create table if not exists ${identifier(answerTableOf(hour))} partition of call_answers
    for values from (${sqlText(`'${hour.toISOString()}'`)}) to (${sqlText(`'${end.toISOString()}'`)}) with (toast_tuple_target = 8160)`);
}

// The blobs that an hour's answers hold. They are released in the transaction that drops the hour.
export async function listAnswerBlobs(db: Queryable, name: string): Promise<{ callId: CallId; hash: string }[]> {
  const rows = await db.query<{ call_id: CallId; blob_hash: string }>(
    sql`select call_id, blob_hash from ${identifier(name)} where blob_hash is not null`,
  );
  return rows.map((row) => ({ callId: row.call_id, hash: row.blob_hash }));
}

export async function dropAnswerHour(db: Queryable, name: string): Promise<void> {
  await db.execute(sql`drop table if exists ${identifier(name)}`);
}

// Deletes keys whose 24 hours are over, oldest calls first, in batches. Lookups treat a key as absent long before its row is
// gone. Ids start with their time, so a call younger than the bound cannot have ended before it.
export async function forgetKeys(db: Queryable, keepHours: number): Promise<number> {
  return db.execute(sql`
    delete from call_keys where (workspace_id, idempotency_key) in (
      select k.workspace_id, k.idempotency_key
      -- The limit keeps this a look-up for each key: all that ever ended before must not be read to join them.
      from call_keys k cross join lateral (select finished_at from calls where calls.id = k.call_id limit 1) c
      where c.finished_at < now() - ${keepHours} * interval '1 hour'
        and k.call_id < rpad(lpad(to_hex(
          (extract(epoch from now() - ${keepHours} * interval '1 hour') * 1000)::bigint), 12, '0'), 32, '0')::uuid
      order by k.call_id limit 1000 for update of k skip locked)`);
}

function answerTableOf(hour: Date): string {
  return `call_answers_${hour.toISOString().replace(/[-T]/g, "").slice(0, 10)}`;
}

function hourOf(digits: string): Date {
  return new Date(`${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6, 8)}T${digits.slice(8)}:00:00.000Z`);
}

interface AnswerRow {
  readonly status: number;
  readonly headers: RecordedAnswer["headers"];
  readonly body: Buffer | null;
  readonly blob_hash: string | null;
}
