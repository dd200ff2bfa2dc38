// Which holders still need an asset.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { ExportTable } from "../../foundation/workspace-holdings.ts";
import type { AssetId } from "./asset.ts";

export interface AssetHolder {
  readonly kind: string;
  // A UUID.
  readonly id: string;
}

// For the invariants of modules that hold assets.
export const assetFacts = sql`select id, workspace_id from assets`;
export const assetHoldFacts = sql`select asset_id, holder_kind, holder_id from asset_holds`;

// Returns how many of the assets are held now. Missing, expired and other workspaces' assets are not counted.
export async function insertHolds(
  db: Queryable,
  hold: { workspaceId: WorkspaceId; assetIds: readonly AssetId[]; holder: AssetHolder; now: Date },
): Promise<AssetId[]> {
  const rows = await db.query<{ id: AssetId }>(sql`
    with held as (
      select id from assets where id = any (${hold.assetIds}::uuid[]) and workspace_id = ${hold.workspaceId}
        and (expires_at is null or expires_at > ${hold.now})
      order by id for key share
    ), added as (
      insert into asset_holds (asset_id, holder_kind, holder_id)
      select id, ${hold.holder.kind}, ${hold.holder.id} from held on conflict do nothing
    )
    select id from held`);
  return rows.map(({ id }) => id);
}

// Like insertHolds, and the assets no longer expire while they are held this way.
export async function keepHolds(
  db: Queryable,
  hold: { workspaceId: WorkspaceId; assetIds: readonly AssetId[]; holder: AssetHolder; now: Date },
): Promise<AssetId[]> {
  const rows = await db.query<{ id: AssetId }>(sql`
    with held as (
      select id, expires_at from assets where id = any (${hold.assetIds}::uuid[]) and workspace_id = ${hold.workspaceId}
        and (expires_at is null or expires_at > ${hold.now})
      order by id for no key update
    ), added as (
      insert into asset_holds (asset_id, holder_kind, holder_id, is_kept, expired_at)
      select id, ${hold.holder.kind}, ${hold.holder.id}, true, expires_at from held on conflict do nothing
    ), kept as (
      update assets set expires_at = null
      where id in (select id from held where expires_at is not null) and workspace_id = ${hold.workspaceId}
    )
    select id from held`);
  return rows.map(({ id }) => id);
}

// Ends all of them. The assets expire when they would have, unless another holder keeps them too.
export async function endKeptHolds(
  db: Queryable,
  { workspaceId, holder, now }: { workspaceId: WorkspaceId; holder: AssetHolder; now: Date },
): Promise<void> {
  await db.execute(sql`
    with freed as (
      delete from asset_holds where holder_kind = ${holder.kind} and holder_id = ${holder.id} returning asset_id, expired_at
    )
    update assets set expires_at = greatest(freed.expired_at, ${now})
    from freed where assets.id = freed.asset_id and assets.workspace_id = ${workspaceId} and freed.expired_at is not null
      and assets.expires_at is null and not exists (
        select from asset_holds o where o.asset_id = assets.id and o.is_kept
          and (o.holder_kind, o.holder_id) <> (${holder.kind}, ${holder.id}::uuid))`);
}

export async function hasHold(db: Queryable, assetId: AssetId, holder: AssetHolder): Promise<boolean> {
  const rows = await db.query(sql`
    select from asset_holds
    where asset_id = ${assetId} and holder_kind = ${holder.kind} and holder_id = ${holder.id}`);
  return rows.length > 0;
}

export async function deleteHold(db: Queryable, assetId: AssetId, holder: AssetHolder): Promise<void> {
  await db.execute(sql`
    delete from asset_holds
    where asset_id = ${assetId} and holder_kind = ${holder.kind} and holder_id = ${holder.id}`);
}

export async function deleteHolds(db: Queryable, holder: AssetHolder): Promise<number> {
  return db.execute(sql`
    delete from asset_holds where holder_kind = ${holder.kind} and holder_id = ${holder.id}`);
}

export interface AssetHoldRequest {
  readonly workspaceId: WorkspaceId;
  readonly assetIds: readonly AssetId[];
  readonly holder: AssetHolder;
}

// Like insertHolds, for many holders in one statement. Returns the assets that are held now, by holder id.
export async function insertManyHolds(
  db: Queryable,
  holds: readonly AssetHoldRequest[],
  now: Date,
): Promise<Map<string, Set<AssetId>>> {
  const items = holds.flatMap(({ workspaceId, assetIds, holder }) =>
    [...new Set(assetIds)].map((assetId) => ({ workspaceId, assetId, holder })),
  );
  const rows = await db.query<{ asset_id: AssetId; holder_id: string }>(sql`
    with item as (
      select * from unnest(
        ${items.map(({ assetId }) => assetId)}::uuid[],
        ${items.map(({ workspaceId }) => workspaceId)}::uuid[],
        ${items.map(({ holder }) => holder.kind)}::text[],
        ${items.map(({ holder }) => holder.id)}::uuid[]
      ) as given (asset_id, workspace_id, holder_kind, holder_id)
    ), held as materialized (
      select id, workspace_id from assets
      where id = any (${[...new Set(items.map(({ assetId }) => assetId))]}::uuid[])
        and (expires_at is null or expires_at > ${now})
      order by id for key share
    ), added as (
      insert into asset_holds (asset_id, holder_kind, holder_id)
      select item.asset_id, item.holder_kind, item.holder_id
      from item join held on held.id = item.asset_id and held.workspace_id = item.workspace_id
      on conflict do nothing
    )
    select item.asset_id, item.holder_id
    from item join held on held.id = item.asset_id and held.workspace_id = item.workspace_id`);
  const found = new Map(holds.map(({ holder }) => [holder.id, new Set<AssetId>()]));
  for (const row of rows) found.get(row.holder_id)?.add(row.asset_id);
  return found;
}

export async function deleteManyHolds(db: Queryable, kind: string, holderIds: readonly string[]): Promise<number> {
  return db.execute(sql`
    delete from asset_holds where holder_kind = ${kind} and holder_id = any (${holderIds}::uuid[])`);
}

// Of all holders of this kind.
export async function deleteHeld(db: Queryable, kind: string, assetIds: readonly AssetId[]): Promise<number> {
  return db.execute(sql`
    delete from asset_holds where holder_kind = ${kind} and asset_id = any (${assetIds}::uuid[])`);
}

// The files that jobs or works keep, for the module that has the holders: its list comes after theirs, and after the files.
export function heldFiles(name: string, kind: string): ExportTable {
  return {
    name,
    rowsPerRead: 20_000,
    rows: (id, after, count) => sql`
      select h.asset_id || ' ' || h.holder_id as position, h.asset_id, h.holder_id, h.is_kept, h.expired_at
      from asset_holds h join assets a on a.id = h.asset_id
      where a.workspace_id = ${id} and h.holder_kind = ${kind} and h.asset_id || ' ' || h.holder_id > ${after}
      order by 1 limit ${count}`,
    restore: {
      read: (tx, { workspaceId, json }) =>
        tx.execute(sql`
          insert into asset_holds (asset_id, holder_kind, holder_id, is_kept, expired_at)
          select a.id, ${kind}, r.holder_id, r.is_kept, r.expired_at
          from jsonb_to_recordset(${json}::jsonb) as r (asset_id uuid, holder_id uuid, is_kept boolean, expired_at timestamptz)
          join assets a on a.id = r.asset_id and a.workspace_id = ${workspaceId}`),
    },
  };
}
