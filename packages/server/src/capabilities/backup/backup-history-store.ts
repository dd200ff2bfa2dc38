// The history of scheduled backups, and the lock that its maker holds.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { BackupId, BackupRecord } from "./backup-record.ts";

type Row = RowOf<Omit<BackupRecord, "rowCount" | "bytes" | "blobCount">> & {
  readonly row_count: string | null;
  readonly bytes: string | null;
  readonly blob_count: string | null;
};

const columns = sql`id, name, location, state, started_at, ended_at, verified_at, removed_at, every_seconds, schema_version,
  row_count, bytes, blob_count, problem`;

// Held by the connection, so it ends with its process. One database has one maker at a time.
export async function tryLock(connection: Queryable): Promise<boolean> {
  const [row] = await connection.query<{ locked: boolean }>(sql`select pg_try_advisory_lock(4157318871) as locked`);
  return row?.locked ?? false;
}

export async function hasHistory(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ present: boolean }>(sql`select to_regclass('backups') is not null as present`);
  return row?.present ?? false;
}

export async function listBackups(db: Queryable, count: number): Promise<BackupRecord[]> {
  const rows = await db.query<Row>(
    sql`select ${columns} from backups order by started_at desc, id desc limit ${count}`,
  );
  return rows.map(toRecord);
}

export async function findNewest(db: Queryable, location: string): Promise<BackupRecord | null> {
  const [row] = await db.query<Row>(
    sql`select ${columns} from backups where location = ${location} order by started_at desc, id desc limit 1`,
  );
  return row === undefined ? null : toRecord(row);
}

// The newest that was verified and is still there.
export async function findLastGood(db: Queryable): Promise<BackupRecord | null> {
  const [row] = await db.query<Row>(sql`
    select ${columns} from backups where verified_at is not null and removed_at is null order by started_at desc limit 1`);
  return row === undefined ? null : toRecord(row);
}

export async function findFirstStart(db: Queryable): Promise<Date | null> {
  const [row] = await db.query<{ at: Date | null }>(sql`select min(started_at) as at from backups`);
  return row?.at ?? null;
}

export async function insertBackup(
  db: Queryable,
  begun: Pick<BackupRecord, "id" | "name" | "location" | "startedAt" | "everySeconds">,
): Promise<void> {
  await db.execute(sql`
    insert into backups (id, name, location, state, started_at, every_seconds)
    values (${begun.id}, ${begun.name}, ${begun.location}, 'running', ${begun.startedAt}, ${begun.everySeconds})`);
}

export interface BackupEnd {
  readonly state: "done" | "failed";
  readonly endedAt: Date;
  readonly verifiedAt: Date | null;
  readonly problem: string | null;
  readonly facts: {
    readonly schemaVersion: number;
    readonly rows: number;
    readonly bytes: number;
    readonly blobs: number;
  } | null;
}

export async function endBackup(db: Queryable, id: BackupId, end: BackupEnd): Promise<void> {
  const { facts } = end;
  await db.execute(sql`
    update backups set state = ${end.state}, ended_at = ${end.endedAt}, verified_at = ${end.verifiedAt}::timestamptz,
      problem = ${end.problem}, schema_version = ${facts?.schemaVersion ?? null}::int, row_count = ${facts?.rows ?? null}::bigint,
      bytes = ${facts?.bytes ?? null}::bigint, blob_count = ${facts?.blobs ?? null}::bigint
    where id = ${id} and state = 'running'`);
}

// Only for the holder of the lock: no other process makes one then.
export async function endAbandoned(db: Queryable, now: Date): Promise<number> {
  return db.execute(sql`
    update backups set state = 'failed', ended_at = ${now}, problem = 'The process that made it ended before it was done.'
    where state = 'running'`);
}

// Marks those that are no longer at their location, and forgets the oldest lines.
export async function noteKept(
  db: Queryable,
  kept: { readonly location: string; readonly names: readonly string[]; readonly now: Date; readonly linesMax: number },
): Promise<void> {
  await db.execute(sql`
    update backups set removed_at = ${kept.now}
    where state = 'done' and removed_at is null and location = ${kept.location} and not (name = any(${[...kept.names]}::text[]))`);
  await db.execute(sql`
    delete from backups where ended_at is not null and (removed_at is not null or state = 'failed')
      and id not in (select id from backups order by started_at desc limit ${kept.linesMax})`);
}

function toRecord({ row_count, bytes, blob_count, ...row }: Row): BackupRecord {
  const count = (text: string | null) => (text === null ? null : Number(text));
  return {
    ...(fromRow(row) as Omit<BackupRecord, "rowCount" | "bytes" | "blobCount">),
    rowCount: count(row_count),
    bytes: count(bytes),
    blobCount: count(blob_count),
  };
}
