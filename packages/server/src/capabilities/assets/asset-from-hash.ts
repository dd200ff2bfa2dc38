// Creates another record over bytes the workspace already has. Throws blob_not_found if it does not, even if other
// workspaces have them.
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Blobs } from "../blobs/index.ts";
import type { AssetInput, JobId, StoredAsset } from "./asset.ts";
import { findByHash } from "./asset-store.ts";
import { type StoreAssetDeps, storeAsset } from "./store-asset.ts";

export interface KnownBytesRequest extends Omit<AssetInput, "contentType"> {
  readonly workspaceId: WorkspaceId;
  readonly hash: string;
  readonly jobId?: JobId;
  // Makes it the newest file of its name, even if the workspace already had this exact file.
  readonly isRenewed?: boolean;
}

export async function assetFromHash(
  deps: StoreAssetDeps & { readonly database: Queryable; readonly blobs: Pick<Blobs, "reuse"> },
  request: KnownBytesRequest,
): Promise<StoredAsset> {
  const known = await findByHash(deps.database, { ...request, now: deps.clock.now() });
  // Its type was decided when the bytes arrived.
  const stored =
    known &&
    (await deps.blobs.reuse(request.hash, (tx, blob) =>
      storeAsset(deps, tx, blob, {
        ...request,
        contentType: known.contentType,
        jobId: request.jobId ?? null,
        types: known,
      }),
    ));
  if (!stored) throw new Fault("blob_not_found", "No file with this hash is stored. Upload it.");
  return stored;
}
