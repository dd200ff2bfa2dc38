// Who still needs an asset.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { AssetId } from "./asset.ts";

export interface AssetHolder {
  readonly kind: string;
  // A UUID.
  readonly id: string;
}

// How many of the assets are held now: those that are absent, expired or another workspace's are not among them.
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

export async function deleteHolds(db: Queryable, holder: AssetHolder): Promise<number> {
  return db.execute(sql`
    delete from asset_holds where holder_kind = ${holder.kind} and holder_id = ${holder.id}`);
}
