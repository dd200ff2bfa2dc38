// A final upload takes over the bytes of partial ones in the order named (tus 1.0.0, concatenation). One transaction
// moves the parts and their reserved quota, so nothing counts twice and a crash leaves all of it or nothing. The partial
// uploads stay until they expire, so that a repeated request gets the same final upload.
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { Limits } from "../../limits/index.ts";
import { addWithinQuota, type StoreAssetDeps } from "../store-asset.ts";
import { noSuchUpload } from "./commit-upload.ts";
import { tooLarge, uploadLifeMs } from "./create-upload.ts";
import type { Upload, UploadId } from "./upload.ts";
import { moveUploadParts } from "./upload-parts.ts";
import { findUpload, insertUpload, lockPartialUploads, markJoined, reservedFor } from "./upload-store.ts";

export interface JoinUploadsDeps extends StoreAssetDeps {
  readonly database: Database;
  readonly limits: Pick<Limits, "requireQuota" | "limitOf">;
}

export interface JoinUploads extends Pick<Upload, "workspaceId" | "expectedHash" | "metadata">, NewFile {
  readonly partialIds: readonly UploadId[];
  // The Upload-Concat header as sent.
  readonly concat: string;
}

type NewFile = Pick<Upload, "contentType" | "filePath" | "tags" | "keepSeconds">;

// Throws not_found, conflict, payload_too_large, quota_exceeded.
export async function joinUploads(deps: JoinUploadsDeps, request: JoinUploads): Promise<Upload> {
  const { partialIds, ...input } = request;
  const { workspaceId } = request;
  const now = deps.clock.now();
  const bytesMax = await deps.limits.limitOf(workspaceId, "asset_bytes");
  const made = await deps.database.transaction(async (tx) => {
    const found = await lockPartialUploads(tx, { workspaceId, uploadIds: partialIds, now });
    const byId = new Map(found.map((partial) => [partial.id, partial]));
    const partials = partialIds.map((id) => byId.get(id));
    if (!partials.every((partial) => partial !== undefined)) throw noSuchUpload();
    const earlier = joinedBefore(partials);
    if (earlier !== null) return earlier;
    if (partials.some(({ length, received }) => length !== received)) throw unfinished();
    const length = partials.reduce((sum, { received }) => sum + received, 0);
    if (length > bytesMax) throw tooLarge(bytesMax);
    const upload: Upload = {
      ...input,
      id: newId<"upload">(now.getTime()),
      length,
      received: length,
      createdAt: now,
      expiresAt: new Date(now.getTime() + uploadLifeMs),
      assetId: null,
      finalId: null,
    };
    await insertUpload(tx, upload);
    let start = 0;
    for (const { id } of partials) start += await moveUploadParts(deps, tx, { from: id, to: upload.id, start });
    await markJoined(tx, { workspaceId, uploadIds: partialIds, finalId: upload.id });
    const given = partials.map(reservedFor).reduce((sum, one) => sum + one.assets, 0);
    await addWithinQuota(deps, tx, workspaceId, { reservedAssets: 1 - given });
    return upload;
  });
  return typeof made === "string" ? repeated(deps, request, made) : made;
}

// Null if none of them has been joined yet.
function joinedBefore(partials: readonly Upload[]): UploadId | null {
  const [first, ...others] = new Set(partials.map(({ finalId }) => finalId));
  if (others.length > 0 || first === undefined) throw joinedElsewhere();
  return first;
}

// The answer to the first request may have been lost, so we repeat it.
async function repeated(deps: JoinUploadsDeps, request: JoinUploads, uploadId: UploadId): Promise<Upload> {
  const { workspaceId, concat, metadata } = request;
  const upload = await findUpload(deps.database, { workspaceId, uploadId, now: deps.clock.now() });
  if (upload?.concat !== concat || upload.metadata !== metadata) throw joinedElsewhere();
  return upload;
}

function unfinished(): Fault {
  return new Fault("conflict", "A partial upload is not complete yet. Send the rest of it first.");
}

function joinedElsewhere(): Fault {
  return new Fault("conflict", "A partial upload is already part of another final upload.");
}
