// The kept bodies, sealed. Every statement about one workspace names it; only the sweep looks at all of them.
import type { Queryable } from "../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../foundation/database/index.ts";
import type { RequestId, WorkspaceId } from "../../foundation/ids.ts";

export interface SealedBodies {
  readonly workspaceId: WorkspaceId;
  readonly requestId: RequestId;
  readonly callId: string | null;
  readonly at: Date;
  // The key that sealed it.
  readonly keyId: string;
  readonly sealed: string;
}

export interface StoredBodies extends SealedBodies {
  readonly expiresAt: Date;
}

// Writes only for workspaces that keep bodies now. The lock on their row makes this and turning it off take turns: whatever is
// written before is deleted with the rest, and nothing is written after.
export function insertBodies(db: Queryable, all: readonly SealedBodies[], keepHoursMax: number): Promise<number> {
  const workspaces = [...new Set(all.map(({ workspaceId }) => workspaceId))];
  return db.execute(sql`
    with keeping as materialized (
      select workspace_id, keep_hours from request_body_keeping
      where workspace_id = any(${workspaces}::uuid[]) and is_on for share)
    insert into request_bodies (workspace_id, request_id, call_id, at, expires_at, key_id, sealed, bytes)
    select given.workspace_id, given.request_id, given.call_id, given.at,
      given.at + least(keeping.keep_hours, ${keepHoursMax}) * interval '1 hour', given.key_id, given.sealed,
      length(given.sealed)
    from unnest(
      ${all.map(({ workspaceId }) => workspaceId)}::uuid[],
      ${all.map(({ requestId }) => requestId)}::uuid[],
      ${all.map(({ callId }) => callId)}::uuid[],
      ${all.map(({ at }) => at)}::timestamptz[],
      ${all.map(({ keyId }) => keyId)}::text[],
      ${all.map(({ sealed }) => sealed)}::text[]
    ) as given (workspace_id, request_id, call_id, at, key_id, sealed)
    join keeping using (workspace_id)
    on conflict (workspace_id, request_id) do update
      set call_id = coalesce(excluded.call_id, request_bodies.call_id), at = excluded.at,
        expires_at = excluded.expires_at, key_id = excluded.key_id, sealed = excluded.sealed, bytes = excluded.bytes`);
}

// Those of the request itself, else the newest of its call: a repeated request has the same input.
export async function findBodies(
  db: Queryable,
  wanted: { readonly workspaceId: WorkspaceId; readonly requestId: string; readonly callId: string | null },
  now: Date,
): Promise<StoredBodies | null> {
  const { workspaceId, requestId, callId } = wanted;
  const [row] = await db.query<Row>(sql`
    select ${columns} from request_bodies
    where workspace_id = ${workspaceId} and expires_at > ${now}
      and (request_id = ${requestId} or call_id = ${callId} or call_id = ${requestId})
    order by request_id = ${requestId} desc, request_id desc limit 1`);
  return row ? toStored(row) : null;
}

export async function sumBodies(
  db: Queryable,
  workspaceId: WorkspaceId,
): Promise<{ readonly requests: number; readonly bytes: number }> {
  const [row] = await db.query<{ requests: number; bytes: number }>(sql`
    select count(*)::int as requests, coalesce(sum(bytes), 0)::float8 as bytes from request_bodies
    where workspace_id = ${workspaceId}`);
  return row ?? { requests: 0, bytes: 0 };
}

export function deleteBodies(tx: Queryable, workspaceId: WorkspaceId): Promise<number> {
  return tx.execute(sql`delete from request_bodies where workspace_id = ${workspaceId}`);
}

// A shorter time applies to what is already kept; a longer one does not.
export function shortenBodies(tx: Queryable, workspaceId: WorkspaceId, keepHours: number): Promise<number> {
  return tx.execute(sql`
    update request_bodies set expires_at = at + ${keepHours} * interval '1 hour'
    where workspace_id = ${workspaceId} and expires_at > at + ${keepHours} * interval '1 hour'`);
}

// For all workspaces: deletes one batch of those whose time is over, or would be under the operator's bound. Fewer than `count`
// means that none are left.
export function deleteEnded(
  db: Queryable,
  { now, keepHoursMax, count }: { readonly now: Date; readonly keepHoursMax: number; readonly count: number },
): Promise<number> {
  return db.execute(sql`
    delete from request_bodies where ctid = any(array(
      select ctid from request_bodies
      where expires_at <= ${now} or at <= ${now}::timestamptz - ${keepHoursMax} * interval '1 hour' limit ${count}))`);
}

// For each workspace that keeps more than `bytesMax`, deletes the oldest.
export function deleteSurplus(db: Queryable, bytesMax: number): Promise<number> {
  return db.execute(sql`
    delete from request_bodies b using (
      select workspace_id, request_id, sum(bytes) over (partition by workspace_id order by request_id desc) as bytes_so_far
      from request_bodies where workspace_id in (
        select workspace_id from request_bodies group by workspace_id having sum(bytes) > ${bytesMax})
    ) ranked
    where b.workspace_id = ranked.workspace_id and b.request_id = ranked.request_id and ranked.bytes_so_far > ${bytesMax}`);
}

// For all workspaces: what these keys sealed.
export async function listSealedBy(db: Queryable, keyIds: readonly string[], count: number): Promise<StoredBodies[]> {
  const rows = await db.query<Row>(sql`
    select ${columns} from request_bodies where key_id = any(${keyIds}::text[]) limit ${count}`);
  return rows.map(toStored);
}

export async function replaceSealed(
  db: Queryable,
  { workspaceId, requestId, keyId }: StoredBodies,
  by: Pick<SealedBodies, "keyId" | "sealed">,
): Promise<void> {
  await db.execute(sql`
    update request_bodies set sealed = ${by.sealed}, key_id = ${by.keyId}, bytes = length(${by.sealed}::text)
    where workspace_id = ${workspaceId} and request_id = ${requestId} and key_id = ${keyId}`);
}

const columns = sql`workspace_id, request_id, call_id, at, expires_at, key_id, sealed`;

type Row = RowOf<StoredBodies>;

const toStored = fromRow<StoredBodies>;
