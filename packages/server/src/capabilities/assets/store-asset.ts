// The one step that turns bytes into an asset, inside the transaction that commits them. Single-request uploads,
// resumable uploads, references by hash and job outputs all end here. Locks are taken in the same order wherever assets
// come or go: record, blob, thumbnails, usage last.
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Blobs, KeptBlob } from "../blobs/index.ts";
import type { Limits } from "../limits/index.ts";
import type { AssetInput, JobId, StoredAsset } from "./asset.ts";
import { putAsset } from "./asset-store.ts";
import type { MediaTypes } from "./media-type.ts";
import { type AssetUsage, changeUsage, type UsageChange } from "./usage-store.ts";

export interface StoreAssetDeps {
  readonly blobs: Blobs;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "requireQuota">;
  // How long assets are kept by default. Null to keep them forever.
  readonly retentionSeconds: number | null;
}

export interface NewAsset extends AssetInput {
  readonly workspaceId: WorkspaceId;
  readonly jobId: JobId | null;
  readonly types: MediaTypes;
  // Makes this the newest record of its name, even if an equal one existed.
  readonly isRenewed?: boolean;
  // The quota reserved for these bytes before they arrived.
  readonly reserved?: { readonly bytes: number; readonly assets: number };
}

export const assetHolder = (id: string) => ({ kind: "asset", id });

export async function storeAsset(
  deps: StoreAssetDeps,
  tx: Queryable,
  blob: KeptBlob,
  input: NewAsset,
): Promise<StoredAsset> {
  const now = deps.clock.now();
  const keepSeconds = input.keepSeconds ?? deps.retentionSeconds;
  const asset = {
    id: newId<"asset">(now.getTime()),
    workspaceId: input.workspaceId,
    hash: blob.hash,
    size: blob.size,
    contentType: input.contentType,
    servedType: input.types.servedType,
    kind: input.types.kind,
    filePath: input.filePath,
    tags: [...new Set(input.tags)].sort(),
    jobId: input.jobId,
    createdAt: now,
    expiresAt: keepSeconds === null ? null : new Date(now.getTime() + keepSeconds * 1000),
  };
  const stored = await putAsset(tx, asset, input.isRenewed);
  if (stored.isNewRecord) await deps.blobs.hold(tx, blob.hash, assetHolder(stored.asset.id));
  const { bytes, assets } = input.reserved ?? { bytes: 0, assets: 0 };
  const released = { reservedBytes: -bytes, reservedAssets: -assets };
  if (stored.isNewRecord)
    await addWithinQuota(deps, tx, input.workspaceId, { bytes: blob.size, assets: 1, ...released });
  else if (input.reserved) await changeUsage(tx, input.workspaceId, released);
  return stored;
}

// Exact under concurrency, because the sums come from the row this transaction holds. Throws quota_exceeded.
export async function addWithinQuota(
  deps: Pick<StoreAssetDeps, "limits">,
  tx: Queryable,
  workspaceId: WorkspaceId,
  change: UsageChange,
): Promise<void> {
  const after = await changeUsage(tx, workspaceId, change);
  const { bytes = 0, assets = 0, reservedBytes = 0, reservedAssets = 0 } = change;
  const added: AssetUsage = { bytes: bytes + reservedBytes, assets: assets + reservedAssets };
  if (added.bytes > 0) await deps.limits.requireQuota(workspaceId, "bytes", after.bytes - added.bytes, added.bytes);
  if (added.assets > 0)
    await deps.limits.requireQuota(workspaceId, "assets", after.assets - added.assets, added.assets);
}
