// Which archives of the upstream registry are wanted, kept, evicted or refused. Copying begins with a claim: the process
// that advances `try_after` owns the copy, and until that moment no other attempt is made.

import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { Id } from "../../../foundation/ids.ts";
import type { StoredArchive } from "../versions/stored-version.ts";

export type UpstreamVersionId = Id<"upstream-version">;

export interface StoredCopy {
  readonly id: UpstreamVersionId;
  readonly folded: string;
  readonly version: string;
  readonly state: "wanted" | "kept" | "let_go" | "refused";
  // Hash and size of the bytes when we first copied them.
  readonly archive: StoredArchive | null;
  readonly attempts: number;
  readonly mayTry: boolean;
  readonly problem: string | null;
}

const columns = sql`version_id as id, node_id_folded as folded, version, state, case when hash is not null then
  json_build_object('hash', encode(hash, 'hex'), 'size', size) end as archive, attempts,
  try_after <= now() as may_try, problem`;

export async function findCopy(db: Queryable, id: UpstreamVersionId): Promise<StoredCopy | null> {
  const [row] = await db.query<CopyRow>(sql`
    select ${columns} from registry_upstream_archives where version_id = ${id}`);
  return row === undefined ? null : toCopy(row);
}

// Marks it as wanted unless we have it. Refused bytes are asked for again once their pause is over.
export async function askForCopy(
  db: Queryable,
  copy: Pick<StoredCopy, "id" | "folded" | "version">,
): Promise<StoredCopy | null> {
  const [row] = await db.query<CopyRow>(sql`
    insert into registry_upstream_archives as copy (version_id, node_id_folded, version, state)
    values (${copy.id}, ${copy.folded}, ${copy.version}, 'wanted')
    on conflict (version_id) do update set asked_at = now(),
      state = case when copy.state = 'kept' or (copy.state = 'refused' and copy.try_after > now())
        then copy.state else 'wanted' end
    returning ${columns}`);
  return row === undefined ? null : toCopy(row);
}

// Wants the latest version of every node that upstream offers, unless it was asked for already. These rank as asked for
// long ago.
export async function wantLatest(db: Queryable): Promise<number> {
  return db.execute(sql`
    insert into registry_upstream_archives (version_id, node_id_folded, version, state, asked_at)
    select distinct on (latest.id) latest.id, node_id_folded, latest.version, 'wanted', timestamptz 'epoch'
    from nodes cross join lateral (
      select (upstream -> 'latest_version' ->> 'id')::uuid as id, upstream -> 'latest_version' ->> 'version' as version,
        upstream -> 'latest_version' ->> 'downloadUrl' as url) as latest
    where nodes.upstream is not null and nodes.status = 'NodeStatusActive' and latest.id is not null
      and latest.url is not null and char_length(latest.version) between 1 and 100
    on conflict (version_id) do nothing`);
}

// True if the caller may copy it now. The pause grows with every attempt, up to an hour.
export async function claimCopy(db: Queryable, id: UpstreamVersionId): Promise<boolean> {
  const rows = await db.execute(sql`
    update registry_upstream_archives set attempts = attempts + 1,
      try_after = now() + least(3600, 30 * (attempts + 1) * (attempts + 1)) * interval '1 second'
    where version_id = ${id} and state = 'wanted'`);
  return rows === 1;
}

export async function claimWanted(db: Queryable): Promise<StoredCopy | null> {
  const [row] = await db.query<CopyRow>(sql`
    update registry_upstream_archives set attempts = attempts + 1,
      try_after = now() + least(3600, 30 * (attempts + 1) * (attempts + 1)) * interval '1 second'
    where version_id = (select version_id from registry_upstream_archives
      where state = 'wanted' and try_after <= now() order by asked_at desc, version_id limit 1 for update skip locked)
    returning ${columns}`);
  return row === undefined ? null : toCopy(row);
}

export async function putKept(tx: Queryable, copy: StoredArchive & { readonly id: UpstreamVersionId }): Promise<void> {
  await tx.execute(sql`
    update registry_upstream_archives set state = 'kept', hash = decode(${copy.hash}, 'hex'), size = ${copy.size},
      attempts = 0, problem = null
    where version_id = ${copy.id}`);
}

export async function noteProblem(
  db: Queryable,
  copy: { readonly id: UpstreamVersionId; readonly problem: string; readonly isRefused: boolean },
): Promise<void> {
  await db.execute(sql`
    update registry_upstream_archives set problem = ${copy.problem},
      state = case when ${copy.isRefused} then 'refused' else state end,
      try_after = case when ${copy.isRefused} then now() + interval '1 hour' else try_after end
    where version_id = ${copy.id} and state <> 'kept'`);
}

export async function forgetWanted(db: Queryable, id: UpstreamVersionId): Promise<void> {
  await db.execute(sql`delete from registry_upstream_archives where version_id = ${id} and state = 'wanted'`);
}

export async function keptBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ total: string }>(sql`
    select coalesce(sum(size), 0)::text as total from registry_upstream_archives where state = 'kept'`);
  return Number(row?.total ?? 0);
}

export interface LetGo {
  readonly id: UpstreamVersionId;
  readonly hash: string;
}

// Evicts copies above the byte limit, the one asked for longest ago first. A lock lets one process evict at a time.
export async function letGoAbove(tx: Queryable, bytesMax: number): Promise<LetGo[]> {
  await tx.query(sql`select pg_advisory_xact_lock(hashtext('atelier registry_upstream_archives'))`);
  return tx.query<LetGo>(sql`
    update registry_upstream_archives as copy set state = 'let_go' from (
      select version_id, sum(size) over (order by asked_at desc, version_id) as through
      from registry_upstream_archives where state = 'kept') as ordered
    where copy.version_id = ordered.version_id and ordered.through > ${bytesMax}
    returning copy.version_id as id, encode(copy.hash, 'hex') as hash`);
}

export async function letGoOfDeleted(tx: Queryable, before: Date): Promise<LetGo[]> {
  return tx.query<LetGo>(sql`
    update registry_upstream_archives as copy set state = 'let_go' from nodes
    where copy.state = 'kept' and nodes.node_id_folded = copy.node_id_folded
      and nodes.status = 'NodeStatusDeleted' and nodes.deleted_at < ${before}
    returning copy.version_id as id, encode(copy.hash, 'hex') as hash`);
}

type CopyRow = RowOf<StoredCopy>;

const toCopy = fromRow<StoredCopy>;
