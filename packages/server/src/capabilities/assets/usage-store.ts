// How much a workspace uses and has reserved. A writer holds the row until its transaction ends, so the sum it gets back
// is exact under concurrency. The row must be the last thing a transaction touches.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";

export interface AssetUsage {
  // Stored and reserved together.
  readonly bytes: number;
  readonly assets: number;
}

export interface UsageChange {
  readonly bytes?: number;
  readonly assets?: number;
  readonly reservedBytes?: number;
  readonly reservedAssets?: number;
}

export async function changeUsage(db: Queryable, workspaceId: WorkspaceId, change: UsageChange): Promise<AssetUsage> {
  const changed = await addToUsage(db, workspaceId, change);
  if (changed !== null) return changed;
  await db.execute(sql`
    insert into asset_usage (workspace_id) values (${workspaceId}) on conflict (workspace_id) do nothing`);
  return (await addToUsage(db, workspaceId, change)) ?? { bytes: 0, assets: 0 };
}

async function addToUsage(db: Queryable, workspaceId: WorkspaceId, change: UsageChange): Promise<AssetUsage | null> {
  const { bytes = 0, assets = 0, reservedBytes = 0, reservedAssets = 0 } = change;
  const [row] = await db.query<UsageRow>(sql`
    update asset_usage set bytes = bytes + ${bytes}, assets = assets + ${assets},
      reserved_bytes = reserved_bytes + ${reservedBytes}, reserved_assets = reserved_assets + ${reservedAssets}
    where workspace_id = ${workspaceId}
    returning bytes + reserved_bytes as bytes, assets + reserved_assets as assets`);
  return row ? toUsage(row) : null;
}

// One result per workspace.
export async function findUsages(db: Queryable, workspaceIds: readonly WorkspaceId[]): Promise<AssetUsage[]> {
  const rows = await db.query<UsageRow & { workspace_id: string }>(sql`
    select workspace_id, bytes + reserved_bytes as bytes, assets + reserved_assets as assets
    from asset_usage where workspace_id = any (${[...new Set(workspaceIds)]}::uuid[])`);
  const found = new Map(rows.map((row) => [row.workspace_id, toUsage(row)]));
  return workspaceIds.map((id) => found.get(id) ?? toUsage(undefined));
}

// Of all workspaces.
export async function sumStored(db: Queryable): Promise<AssetUsage> {
  const [row] = await db.query<UsageRow>(sql`
    select coalesce(sum(bytes), 0) as bytes, coalesce(sum(assets), 0) as assets from asset_usage`);
  return toUsage(row);
}

interface UsageRow {
  readonly bytes: string;
  readonly assets: string;
}

function toUsage(row: UsageRow | undefined): AssetUsage {
  return { bytes: Number(row?.bytes ?? 0), assets: Number(row?.assets ?? 0) };
}
