// Completes a resumable upload: its bytes are hashed, stored and committed like those of any upload, and the row records
// the resulting asset in the same transaction. A second request, in any process, gets the same asset.
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { KeptBlob } from "../../blobs/index.ts";
import type { AssetId } from "../asset.ts";
import { decideMediaTypes } from "../media-type.ts";
import { HeadBytes, requireHash } from "../receive-asset.ts";
import { type StoreAssetDeps, storeAsset } from "../store-asset.ts";
import { changeUsage } from "../usage-store.ts";
import type { Upload, UploadId } from "./upload.ts";
import { dropUploadParts, listUploadParts, readUploadParts } from "./upload-parts.ts";
import { completeUpload, deleteUpload, lockUpload, reservedFor } from "./upload-store.ts";

export interface CommitUploadDeps extends StoreAssetDeps {
  readonly database: Database;
}

export interface WholeUpload extends Upload {
  readonly length: number;
}

export async function commitUpload(deps: CommitUploadDeps, upload: WholeUpload): Promise<Upload> {
  try {
    const assetId = await keepStaged(deps, upload);
    // If the process dies before this, they remain until the upload expires.
    await dropUploadParts(deps, upload.id);
    return { ...upload, assetId };
  } catch (thrown) {
    // These bytes will never match, so report it and give the room back.
    if (thrown instanceof Fault && thrown.code === "hash_mismatch") await dropUpload(deps, upload.id);
    // Another process was faster and has cleaned up.
    const isGone = thrown instanceof Fault && thrown.code === "blob_not_found";
    const committed = isGone ? await deps.database.transaction((tx) => lockUpload(tx, upload.id)) : null;
    if (committed?.assetId) return committed;
    throw thrown;
  }
}

// A single part is already the whole file; several parts are joined by writing them once more.
async function keepStaged(deps: CommitUploadDeps, upload: WholeUpload): Promise<AssetId> {
  const parts = await listUploadParts(deps.database, upload.id);
  const head = new HeadBytes();
  const commit = commitAs(deps, upload, head);
  const [only] = parts;
  if (parts.length === 1 && only?.size === upload.length) {
    await head.read(readUploadParts(deps, parts));
    const reused = await deps.blobs.reuse(only.hash, commit);
    if (reused !== null) return reused;
  }
  return deps.blobs.keep(head.watch(readUploadParts(deps, parts)), {
    bytesMax: upload.length,
    ...(upload.expectedHash === null ? {} : { expectedHash: upload.expectedHash }),
    commit,
  });
}

function commitAs(deps: CommitUploadDeps, upload: WholeUpload, head: HeadBytes) {
  return async (tx: Queryable, blob: KeptBlob): Promise<AssetId> => {
    const locked = await lockUpload(tx, upload.id);
    if (locked === null) throw noSuchUpload();
    if (locked.assetId !== null) return locked.assetId;
    requireHash(upload.expectedHash, blob.hash);
    // Too few bytes: another process has completed it and released the parts.
    if (blob.size !== upload.length) throw new Fault("blob_not_found", "Part of the upload is lost. Start it again.");
    const types = decideMediaTypes(upload.contentType, upload.filePath, head.bytes());
    const reserved = reservedFor(upload);
    const { asset } = await storeAsset(deps, tx, blob, { ...upload, jobId: null, types, reserved });
    await completeUpload(tx, upload.id, asset.id);
    return asset.id;
  };
}

export async function dropUpload(deps: CommitUploadDeps, uploadId: UploadId): Promise<void> {
  await dropUploadParts(deps, uploadId, async (tx) => {
    const upload = await deleteUpload(tx, uploadId);
    if (upload === null || upload.assetId !== null) return;
    const { bytes, assets } = reservedFor(upload);
    await changeUsage(tx, upload.workspaceId, { reservedBytes: -bytes, reservedAssets: -assets });
  });
}

export function noSuchUpload(): Fault {
  return new Fault("not_found", "There is no such upload; it may have expired.");
}
