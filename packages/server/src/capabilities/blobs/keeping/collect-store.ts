// The collector's statements. A blob is removed in two commits: one collector marks it 'deleting' while it has no
// reference, and the same one deletes the row once the bytes are gone. In between, an upload of the same bytes waits.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { bytesOf } from "../blob-store.ts";

// Pins of uploads that died between pin and commit. A late upload misses its pin and starts over.
export async function deleteExpiredPins(db: Queryable, dryRun: boolean): Promise<number> {
  if (!dryRun) return db.execute(sql`delete from blob_pins where expires_at <= now()`);
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from blob_pins where expires_at <= now()`);
  return row?.count ?? 0;
}

export interface Candidates {
  readonly blobs: readonly MarkedBlob[];
  // Where the next page begins. Null at the end.
  readonly next: string | null;
}

export interface MarkedBlob {
  readonly hash: string;
  readonly size: number;
}

// One page of all blobs in hash order, and the ones among them that seem unwanted. Even an expired pin counts: either it
// is deleted first, or it is in use.
export async function listUnwanted(
  db: Queryable,
  page: { after: string | null; rows: number; graceSeconds: number },
): Promise<Candidates> {
  const rows = await db.query<{ hash: string; size: string; unwanted: boolean }>(sql`
    with page as (
      select hash, size, state, touched_at from blobs
      where hash > ${page.after === null ? Buffer.alloc(0) : bytesOf(page.after)} order by hash limit ${page.rows}
    )
    select encode(page.hash, 'hex') as hash, page.size,
      page.state = 'live' and page.touched_at <= now() - ${page.graceSeconds} * interval '1 second'
        and not exists (select from blob_references as reference where reference.hash = page.hash)
        and not exists (select from blob_pins as pin where pin.hash = page.hash) as unwanted
    from page order by page.hash`);
  return {
    blobs: rows.filter(({ unwanted }) => unwanted).map(toMarked),
    next: rows.length < page.rows ? null : (rows.at(-1)?.hash ?? null),
  };
}

// Marks those that are still unwanted. Two statements on purpose: the first takes the row locks that every pin and
// reference also needs; the second has its own snapshot and so sees what was committed before the locks.
export async function markDeleting(
  tx: Queryable,
  mark: { hashes: readonly string[]; collectorId: string; graceSeconds: number },
): Promise<MarkedBlob[]> {
  const locked = await tx.query<{ hash: Buffer }>(sql`
    select hash from blobs where hash = any(${mark.hashes.map(bytesOf)}::bytea[]) and state = 'live'
    order by hash for update skip locked`);
  if (locked.length === 0) return [];
  const rows = await tx.query<{ hash: string; size: string }>(sql`
    update blobs set state = 'deleting', collector_id = ${mark.collectorId}, deleting_since = now()
    where hash = any(${locked.map(({ hash }) => hash)}::bytea[]) and state = 'live'
      and touched_at <= now() - ${mark.graceSeconds} * interval '1 second'
      and not exists (select from blob_references as reference where reference.hash = blobs.hash)
      and not exists (select from blob_pins as pin where pin.hash = blobs.hash)
    returning encode(hash, 'hex') as hash, size`);
  return rows.map(toMarked);
}

// Takes over what a dead collector left unfinished.
export async function takeOverDeleting(
  db: Queryable,
  take: { collectorId: string; takeoverSeconds: number; rows: number },
): Promise<MarkedBlob[]> {
  const rows = await db.query<{ hash: string; size: string }>(sql`
    update blobs set collector_id = ${take.collectorId}, deleting_since = now()
    where hash in (
      select hash from blobs
      where state = 'deleting' and deleting_since <= now() - ${take.takeoverSeconds} * interval '1 second'
      order by deleting_since limit ${take.rows} for update skip locked
    )
    returning encode(hash, 'hex') as hash, size`);
  return rows.map(toMarked);
}

export async function countDead(db: Queryable, takeoverSeconds: number): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::integer as count from blobs
    where state = 'deleting' and deleting_since <= now() - ${takeoverSeconds} * interval '1 second'`);
  return row?.count ?? 0;
}

export async function isDeletingBy(db: Queryable, hash: string, collectorId: string): Promise<boolean> {
  const rows = await db.query(sql`
    select 1 from blobs where hash = ${bytesOf(hash)} and state = 'deleting' and collector_id = ${collectorId}`);
  return rows.length > 0;
}

export async function forgetDeleted(db: Queryable, hashes: readonly string[], collectorId: string): Promise<number> {
  if (hashes.length === 0) return 0;
  return db.execute(sql`
    delete from blobs where hash = any(${hashes.map(bytesOf)}::bytea[])
      and state = 'deleting' and collector_id = ${collectorId}`);
}

export async function listWithoutRow(db: Queryable, hashes: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ hash: string }>(sql`
    select encode(stored.hash, 'hex') as hash from unnest(${hashes.map(bytesOf)}::bytea[]) as stored (hash)
    where not exists (select from blobs where blobs.hash = stored.hash)`);
  return rows.map(({ hash }) => hash);
}

// Gives stored bytes without a row a row that is 'deleting' from the start, so that a new upload waits instead of finding
// a file that is about to vanish.
export async function adoptStrays(
  db: Queryable,
  strays: readonly MarkedBlob[],
  collectorId: string,
): Promise<MarkedBlob[]> {
  if (strays.length === 0) return [];
  const rows = await db.query<{ hash: string; size: string }>(sql`
    insert into blobs (hash, size, state, collector_id, deleting_since)
    select hash, size, 'deleting', ${collectorId}::uuid, now()
    from unnest(${strays.map(({ hash }) => bytesOf(hash))}::bytea[], ${strays.map(({ size }) => size)}::bigint[])
      as stray (hash, size)
    on conflict do nothing
    returning encode(hash, 'hex') as hash, size`);
  return rows.map(toMarked);
}

export async function isLive(db: Queryable, hash: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from blobs where hash = ${bytesOf(hash)} and state = 'live'`);
  return rows.length > 0;
}

function toMarked(row: { hash: string; size: string }): MarkedBlob {
  return { hash: row.hash, size: Number(row.size) };
}
