// Removes assets, on request or when they expire. The record goes first, then the hold on the blob; thumbnails go with
// the last record of their original, and the quota is given back last.
import type { Clock } from "../../foundation/clock.ts";
import { constraintOf, type Database, errorCode, type Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Blobs } from "../blobs/index.ts";
import type { Asset, AssetId } from "./asset.ts";
import { deleteAsset, deleteExpired, findAsset, isHashUsed } from "./asset-store.ts";
import { assetHolder } from "./store-asset.ts";
import { deleteThumbnails, thumbnailHolder } from "./thumbnails/thumbnail-store.ts";
import { changeUsage } from "./usage-store.ts";

export interface RemoveAssetsDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly clock: Clock;
}

export function noSuchAsset(): Fault {
  return new Fault("not_found", "There is no such asset.");
}

export async function removeAsset(
  deps: RemoveAssetsDeps,
  locator: { workspaceId: WorkspaceId; assetId: AssetId },
  first?: (tx: Queryable) => Promise<void>,
): Promise<void> {
  const remove = deps.database.transaction(async (tx) => {
    await first?.(tx);
    const asset = await findAsset(tx, { ...locator, now: deps.clock.now() });
    if (asset === null) throw noSuchAsset();
    if (!(await deleteAsset(tx, locator))) {
      // It is held, or already gone: the second of two concurrent deletes finds nothing.
      throw (await findAsset(tx, { ...locator, now: deps.clock.now() })) === null ? noSuchAsset() : inUse();
    }
    await letGo(deps, tx, [asset]);
  });
  await remove.catch((thrown: unknown) => {
    const isHeld = errorCode(thrown) === "23503" && constraintOf(thrown) === "asset_holds_asset_id_fkey";
    throw isHeld ? inUse() : thrown;
  });
}

// Removes one batch. True if there may be more.
export async function removeExpired(deps: RemoveAssetsDeps, batchMax: number): Promise<boolean> {
  const removed = await deps.database.transaction(async (tx) => {
    const assets = await deleteExpired(tx, { now: deps.clock.now(), count: batchMax });
    await letGo(deps, tx, assets);
    return assets.length;
  });
  return removed === batchMax;
}

// Locks by hash and then by workspace, so that two batches cannot deadlock.
async function letGo(deps: RemoveAssetsDeps, tx: Queryable, assets: readonly Asset[]): Promise<void> {
  const inOrder = [...assets].sort((a, b) => (a.hash < b.hash ? -1 : a.hash > b.hash ? 1 : a.id < b.id ? -1 : 1));
  const freed = new Map<WorkspaceId, { bytes: number; assets: number }>();
  for (const asset of inOrder) {
    await deps.blobs.release(tx, asset.hash, assetHolder(asset.id));
    if (!(await isHashUsed(tx, asset))) await letThumbnailsGo(deps, tx, asset);
    const sum = freed.get(asset.workspaceId) ?? { bytes: 0, assets: 0 };
    freed.set(asset.workspaceId, { bytes: sum.bytes - asset.size, assets: sum.assets - 1 });
  }
  for (const [workspaceId, change] of [...freed].sort(([a], [b]) => (a < b ? -1 : 1))) {
    await changeUsage(tx, workspaceId, change);
  }
}

async function letThumbnailsGo(deps: RemoveAssetsDeps, tx: Queryable, asset: Asset): Promise<void> {
  const locator = { workspaceId: asset.workspaceId, sourceHash: asset.hash };
  for (const { side, hash } of await deleteThumbnails(tx, locator)) {
    if (hash !== null)
      await deps.blobs.release(tx, hash, { kind: "thumbnail", id: thumbnailHolder({ ...locator, side }) });
  }
}

// Does not reveal who holds it.
function inUse(): Fault {
  return new Fault("asset_in_use", "The asset is still in use and cannot be deleted.");
}
