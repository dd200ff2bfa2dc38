// Announces a resumable upload. Its length is reserved from the quota right away; if the length is not known yet, bytes
// are reserved as they arrive.
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Limits } from "../../limits/index.ts";
import type { AssetInput } from "../asset.ts";
import { addWithinQuota, type StoreAssetDeps } from "../store-asset.ts";
import type { Upload } from "./upload.ts";
import { insertUpload, reservedFor } from "./upload-store.ts";

export interface CreateUploadDeps extends StoreAssetDeps {
  readonly database: Database;
  readonly limits: Pick<Limits, "requireQuota" | "limitOf">;
}

export interface UploadInput extends AssetInput {
  readonly workspaceId: WorkspaceId;
  // Null if a later request will declare it.
  readonly length: number | null;
  readonly expectedHash: string | null;
  readonly metadata: string;
  // A partial upload does not become an asset on its own.
  readonly concat: "partial" | null;
}

export const uploadLifeMs = 24 * 3600 * 1000;

// Throws payload_too_large, quota_exceeded, storage_full.
export async function createUpload(deps: CreateUploadDeps, input: UploadInput): Promise<Upload> {
  const { workspaceId, length } = input;
  const bytesMax = await deps.limits.limitOf(workspaceId, "asset_bytes");
  if (length !== null && length > bytesMax) throw tooLarge(bytesMax);
  await deps.blobs.requireRoom(length ?? 0);
  const now = deps.clock.now();
  const upload: Upload = {
    ...input,
    id: newId<"upload">(now.getTime()),
    received: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + uploadLifeMs),
    assetId: null,
    finalId: null,
  };
  const { bytes, assets } = reservedFor(upload);
  await deps.database.transaction(async (tx) => {
    await insertUpload(tx, upload);
    await addWithinQuota(deps, tx, workspaceId, { reservedBytes: bytes, reservedAssets: assets });
  });
  return upload;
}

export function tooLarge(bytesMax: number): Fault {
  return new Fault("payload_too_large", `At most ${bytesMax} bytes are accepted here.`);
}
