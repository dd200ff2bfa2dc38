// The end of a resumable upload: its bytes go the way of every upload (hashed, kept, committed), and the row says which
// asset came of it, in the same transaction. A second request, in whichever process, gets that asset.
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { AssetId } from "./asset.ts";
import { decideMediaTypes } from "./media-type.ts";
import { HeadBytes, requireHash } from "./receive-asset.ts";
import type { StagingFolder } from "./staging-folder.ts";
import { type StoreAssetDeps, storeAsset } from "./store-asset.ts";
import { completeUpload, deleteUpload, lockUpload, type Upload, type UploadId } from "./upload-store.ts";
import { changeUsage } from "./usage-store.ts";

export interface CommitUploadDeps extends StoreAssetDeps {
  readonly database: Database;
  readonly staging: StagingFolder;
}

export async function commitUpload(deps: CommitUploadDeps, upload: Upload): Promise<Upload> {
  try {
    const assetId = await keepStaged(deps, upload);
    await deps.staging.remove(upload.id);
    return { ...upload, assetId };
  } catch (thrown) {
    // These bytes will never be right; the client is told and the room given back.
    if (thrown instanceof Fault && thrown.code === "hash_mismatch") await dropUpload(deps, upload.id);
    // Another process was faster and has tidied up.
    const isGone = thrown instanceof Error && "code" in thrown && thrown.code === "ENOENT";
    const committed = isGone ? await deps.database.transaction((tx) => lockUpload(tx, upload.id)) : null;
    if (committed?.assetId) return committed;
    throw thrown;
  }
}

function keepStaged(deps: CommitUploadDeps, upload: Upload): Promise<AssetId> {
  const head = new HeadBytes();
  const source = upload.length === 0 ? nothing() : deps.staging.read(upload.id);
  return deps.blobs.keep(head.watch(source), {
    bytesMax: upload.length,
    ...(upload.expectedHash === null ? {} : { expectedHash: upload.expectedHash }),
    commit: async (tx, blob) => {
      const locked = await lockUpload(tx, upload.id);
      if (locked === null) throw noSuchUpload();
      if (locked.assetId !== null) return locked.assetId;
      requireHash(upload.expectedHash, blob.hash);
      const types = decideMediaTypes(upload.contentType, upload.filePath, head.bytes());
      const reserved = { bytes: upload.length, assets: 1 };
      const { asset } = await storeAsset(deps, tx, blob, { ...upload, jobId: null, types, reserved });
      await completeUpload(tx, upload.id, asset.id);
      return asset.id;
    },
  });
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

// The file first: a row without a file is swept again, a file without a row never.
export async function dropUpload(deps: CommitUploadDeps, uploadId: UploadId): Promise<void> {
  await deps.staging.remove(uploadId);
  await deps.database.transaction(async (tx) => {
    const upload = await deleteUpload(tx, uploadId);
    if (upload === null || upload.assetId !== null) return;
    await changeUsage(tx, upload.workspaceId, { reservedBytes: -upload.length, reservedAssets: -1 });
  });
}

export function noSuchUpload(): Fault {
  return new Fault("not_found", "There is no such upload; it may have expired.");
}
