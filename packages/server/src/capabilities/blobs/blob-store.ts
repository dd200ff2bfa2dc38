// Rows of blobs, pins and references as uploads and readers see them. A statement that adds a pin or a reference locks
// the blob's row against the collector's `for update`, so the two can never miss each other.
import { type Queryable, sql } from "../../foundation/database/index.ts";

export interface Pin {
  // This pin made the row.
  readonly isNew: boolean;
  readonly isSuspect: boolean;
  readonly size: number;
}

export interface WantedPin {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
}

// Makes the blobs' rows or touches those that are there, and pins them; one answer for each pin, null while a collector
// deletes its blob. The rows are locked in the order of their hashes, so that two of these never wait for each other.
// The commit does not wait for the disk: a pin that a crash of the database forgets is missed by keepPinned, which is
// when it counts, and the upload begins again.
export async function pinBlobs(
  db: Queryable,
  wanted: readonly WantedPin[],
  pinSeconds: number,
): Promise<(Pin | null)[]> {
  const rows = await db.query<PinRow>(sql`
    with quick as materialized (select set_config('synchronous_commit', 'off', true) as value),
    wanted as materialized (
      select id, hash, size from unnest(${wanted.map(({ id }) => id)}::uuid[],
        ${wanted.map(({ hash }) => bytesOf(hash))}::bytea[], ${wanted.map(({ size }) => size)}::bigint[])
        as wanted (id, hash, size)
    ), pinned as (
      insert into blobs (hash, size) select distinct on (hash) hash, size from wanted order by hash
      on conflict (hash) do update set touched_at = now(), writes = blobs.writes + 1 where blobs.state = 'live'
      returning hash, size, suspect_at is not null as is_suspect, xmax = 0 as is_new
    ), pin as (
      insert into blob_pins (id, hash, expires_at)
      select wanted.id, hash, now() + ${pinSeconds} * interval '1 second' from wanted join pinned using (hash), quick
    )
    select wanted.id, pinned.size, is_suspect, is_new from wanted join pinned using (hash)`);
  const pins = new Map(rows.map((row) => [row.id, toPin(row)]));
  return wanted.map(({ id }) => pins.get(id) ?? null);
}

// Turns pins into kept blobs and says which; those that ran out are not among them, and of them nothing is changed. From
// here to the end of the transaction the blobs can be referred to; a pin and the first reference change places in one
// commit. The time of the last look is left alone where it can be: it is indexed, and a row that changes without its
// indexes is written once instead of three times.
export async function keepPinned(
  tx: Queryable,
  pins: readonly { readonly pinId: string; readonly isSuspect: boolean }[],
): Promise<ReadonlySet<string>> {
  // PostgreSQL plans a statement while the tables are small and stays with it: unless told otherwise it reads all blobs
  // for every commit.
  const planned = tx.query(sql`
    select set_config('enable_hashjoin', 'off', true), set_config('enable_mergejoin', 'off', true),
      set_config('enable_seqscan', 'off', true)`);
  const kept = tx.query<{ id: string }>(sql`
    with gone as (
      delete from blob_pins using unnest(${pins.map(({ pinId }) => pinId)}::uuid[],
        ${pins.map(({ isSuspect }) => isSuspect)}::boolean[]) as ready (id, is_suspect)
      where blob_pins.id = ready.id and expires_at > now() returning blob_pins.id, hash, is_suspect
    ), written as (
      select hash, bool_or(is_suspect) as is_suspect from gone group by hash
    ), kept as (
      update blobs set kept_at = coalesce(blobs.kept_at, now()), suspect_at = null,
        checked_at = case when written.is_suspect then now() else blobs.checked_at end
      from written
      where blobs.hash = written.hash and (blobs.kept_at is null or written.is_suspect)
    )
    select id from gone`);
  // Sent together, answered in order.
  const [rows] = await Promise.all([kept, planned]);
  return new Set(rows.map(({ id }) => id));
}

export async function removePin(db: Queryable, id: string): Promise<void> {
  await db.execute(sql`delete from blob_pins where id = ${id}`);
}

// The size of a blob that may be referred to; it stays so until the transaction ends. Bytes that were seen to be damaged
// are not offered: the caller sends them again, which mends them.
export async function lockKept(tx: Queryable, hash: string): Promise<number | null> {
  const [row] = await tx.query<{ size: string }>(sql`
    select size from blobs
    where hash = ${bytesOf(hash)} and state = 'live' and kept_at is not null and suspect_at is null
    for key share`);
  return row ? Number(row.size) : null;
}

export interface Holder {
  readonly kind: string;
  readonly id: string;
}

// False when the blob is not there to be held. The same holder twice is one reference.
export async function insertReference(tx: Queryable, hash: string, holder: Holder): Promise<boolean> {
  const rows = await tx.query(sql`
    with held as (
      select hash from blobs where hash = ${bytesOf(hash)} and state = 'live' and kept_at is not null for key share
    ), reference as (
      insert into blob_references (hash, holder_kind, holder_id) select hash, ${holder.kind}, ${holder.id} from held
      on conflict do nothing
    )
    select 1 from held`);
  return rows.length > 0;
}

// The grace of the collector begins anew: a backup or a reader may still need the bytes.
export async function deleteReference(tx: Queryable, hash: string, holder: Holder): Promise<void> {
  await tx.execute(sql`
    with gone as (
      delete from blob_references
      where hash = ${bytesOf(hash)} and holder_kind = ${holder.kind} and holder_id = ${holder.id}
      returning hash
    )
    update blobs set touched_at = now() from gone where blobs.hash = gone.hash`);
}

export interface BlobRow {
  readonly hash: string;
  readonly size: number;
  readonly writes: number;
  readonly isSuspect: boolean;
}

export async function readKept(db: Queryable, hash: string): Promise<BlobRow | null> {
  const [row] = await db.query<KeptRow>(sql`
    select encode(hash, 'hex') as hash, size, writes, suspect_at is not null as is_suspect from blobs
    where hash = ${bytesOf(hash)} and state = 'live' and kept_at is not null`);
  return row ? toBlobRow(row) : null;
}

// What a backup needs, in the order of the hashes.
export async function listKeptBlobs(
  db: Queryable,
  page: { after: string; count: number },
): Promise<{ hash: string; size: number }[]> {
  const rows = await db.query<{ hash: string; size: string }>(sql`
    select encode(hash, 'hex') as hash, size from blobs
    where kept_at is not null and state = 'live' and hash > ${bytesOf(page.after)} order by hash limit ${page.count}`);
  return rows.map((row) => ({ hash: row.hash, size: Number(row.size) }));
}

// Only about the writing that was read: if the bytes were written anew meanwhile, they are another matter.
export async function markSuspect(db: Queryable, seen: { hash: string; writes: number }): Promise<boolean> {
  const changed = await db.execute(sql`
    update blobs set suspect_at = coalesce(suspect_at, now()), checked_at = now()
    where hash = ${bytesOf(seen.hash)} and writes = ${seen.writes} and state = 'live'`);
  return changed > 0;
}

export async function markVerified(db: Queryable, seen: readonly { hash: string; writes: number }[]): Promise<void> {
  if (seen.length === 0) return;
  await db.execute(sql`
    update blobs set checked_at = now(), suspect_at = null
    from unnest(${seen.map(({ hash }) => bytesOf(hash))}::bytea[], ${seen.map(({ writes }) => writes)}::integer[])
      as seen (hash, writes)
    where blobs.hash = seen.hash and blobs.writes = seen.writes and blobs.state = 'live'`);
}

// Those whose last look lies longest back, a bounded page of them. What has no reference is the collector's business.
export async function listDueForScrub(
  db: Queryable,
  page: { everySeconds: number; startedAt: string; rows: number },
): Promise<BlobRow[]> {
  const rows = await db.query<KeptRow>(sql`
    select encode(hash, 'hex') as hash, size, writes, suspect_at is not null as is_suspect from blobs
    where state = 'live' and kept_at is not null and checked_at < ${page.startedAt}::timestamptz
      and checked_at <= now() - ${page.everySeconds} * interval '1 second'
    order by checked_at limit ${page.rows}`);
  return rows.map(toBlobRow);
}

// As text, because a Date would lose the microseconds.
export async function databaseTime(db: Queryable): Promise<string> {
  const [row] = await db.query<{ at: string }>(sql`select now()::text as at`);
  return row?.at ?? "-infinity";
}

export function bytesOf(hash: string): Buffer {
  return Buffer.from(hash, "hex");
}

interface PinRow {
  readonly id: string;
  readonly size: string;
  readonly is_suspect: boolean;
  readonly is_new: boolean;
}

interface KeptRow {
  readonly hash: string;
  readonly size: string;
  readonly writes: number;
  readonly is_suspect: boolean;
}

function toPin(row: PinRow): Pin {
  return { isNew: row.is_new, isSuspect: row.is_suspect, size: Number(row.size) };
}

function toBlobRow(row: KeptRow): BlobRow {
  return { hash: row.hash, size: Number(row.size), writes: row.writes, isSuspect: row.is_suspect };
}
