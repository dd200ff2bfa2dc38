// Rows of blobs, pins and references, as uploads and readers use them. Every statement that adds a pin or a reference
// locks the blob's row against the collector's `for update`, so the two cannot miss each other.
import { type Queryable, sql } from "../../foundation/database/index.ts";

export interface Pin {
  // True if this pin created the row.
  readonly isNew: boolean;
  readonly isSuspect: boolean;
  readonly size: number;
}

export interface WantedPin {
  readonly id: string;
  readonly hash: string;
  readonly size: number;
}

// Creates or touches the blobs' rows and pins them. One result per pin, null while a collector is deleting its blob. Rows
// are locked in hash order, so that two of these cannot deadlock. The commit does not wait for the disk: if a database
// crash loses a pin, keepPinned misses it, which is when it matters, and the upload starts over.
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

// Turns pins into kept blobs and returns which; expired pins are left out and nothing about them changes. From here to
// the end of the transaction the blobs can be referenced: a pin is replaced by the first reference in one commit. We
// avoid updating the time of the last check where possible: it is indexed, and a row whose indexed columns stay the same
// is written once instead of three times.
export async function keepPinned(
  tx: Queryable,
  pins: readonly { readonly pinId: string; readonly isSuspect: boolean }[],
): Promise<ReadonlySet<string>> {
  // PostgreSQL plans the statement while the tables are small and keeps that plan. Without these settings it would read
  // all blobs for every commit.
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

// The size of a blob that can be referenced; it stays so until the transaction ends. Bytes found damaged are not offered:
// the caller sends them again, which repairs them.
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

// False if the blob is not there. The same holder twice is one reference.
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

// Restarts the collector's grace period, because a backup or a reader may still need the bytes.
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

// What a backup needs, in hash order.
export async function listKeptBlobs(
  db: Queryable,
  page: { after: string; count: number },
): Promise<{ hash: string; size: number }[]> {
  const rows = await db.query<{ hash: string; size: string }>(sql`
    select encode(hash, 'hex') as hash, size from blobs
    where kept_at is not null and state = 'live' and hash > ${bytesOf(page.after)} order by hash limit ${page.count}`);
  return rows.map((row) => ({ hash: row.hash, size: Number(row.size) }));
}

// Marks only the version that was read: if the bytes have been rewritten since, it does not apply.
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

// A page of the blobs checked longest ago. Blobs without a reference are left to the collector.
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
