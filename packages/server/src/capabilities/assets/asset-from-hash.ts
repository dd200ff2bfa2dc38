// A further record over bytes that the workspace has. Throws blob_not_found, even if other workspaces have them.
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
  // It is the newest of its name from now on, also where the workspace had this very file before.
  readonly isRenewed?: boolean;
}

export async function assetFromHash(
  deps: StoreAssetDeps & { readonly database: Queryable; readonly blobs: Pick<Blobs, "reuse"> },
  request: KnownBytesRequest,
): Promise<StoredAsset> {
  const known = await findByHash(deps.database, { ...request, now: deps.clock.now() });
  // What it is was decided when the bytes came.
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
  if (!stored) throw new Fault("blob_not_found", "There are no bytes with this hash. Upload them.");
  return stored;
}
