// The bytes of a resumable upload are parts in the blob store, each held by the upload, so nothing depends on the machine
// that received them. Parts are removed right away once the upload is an asset or can never become one.
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Blobs } from "../../blobs/index.ts";
import type { UploadId } from "./upload.ts";
import { deleteUploadParts, insertUploadPart, listUploadParts, type UploadPart } from "./upload-part-store.ts";
import { lockUpload } from "./upload-store.ts";

export interface UploadPartsDeps {
  readonly database: Database;
  readonly blobs: Blobs;
}

const holderOf = (uploadId: UploadId, { start }: UploadPart) => ({ kind: "upload_part", id: `${uploadId}/${start}` });

export async function addUploadPart(
  { blobs }: Pick<UploadPartsDeps, "blobs">,
  tx: Queryable,
  uploadId: UploadId,
  part: UploadPart,
): Promise<void> {
  await insertUploadPart(tx, uploadId, part);
  await blobs.hold(tx, part.hash, holderOf(uploadId, part));
}

export async function* readUploadParts(
  { blobs }: Pick<UploadPartsDeps, "blobs">,
  parts: readonly UploadPart[],
): AsyncGenerator<Uint8Array> {
  for (const { hash } of parts) {
    const opened = await blobs.open(hash);
    if (opened === null) throw new Fault("blob_not_found", "Part of the upload is lost. Start it again.");
    yield* opened.stream;
  }
}

// Moves the parts of one upload behind those of another, and returns how many bytes there were. The caller must hold both
// row locks.
export async function moveUploadParts(
  { blobs }: Pick<UploadPartsDeps, "blobs">,
  tx: Queryable,
  move: { readonly from: UploadId; readonly to: UploadId; readonly start: number },
): Promise<number> {
  const parts = await deleteUploadParts(tx, move.from);
  for (const part of parts) {
    await addUploadPart({ blobs }, tx, move.to, { ...part, start: move.start + part.start });
    await blobs.release(tx, part.hash, holderOf(move.from, part));
  }
  return parts.reduce((sum, { size }) => sum + size, 0);
}

// Safe to repeat.
export async function dropUploadParts(
  { database, blobs }: UploadPartsDeps,
  uploadId: UploadId,
  drop: (tx: Queryable) => Promise<void> = async () => undefined,
): Promise<void> {
  const parts = await database.transaction(async (tx) => {
    // Lock the upload before its parts, like everyone else who touches both.
    await lockUpload(tx, uploadId);
    const gone = await deleteUploadParts(tx, uploadId);
    for (const part of gone) await blobs.release(tx, part.hash, holderOf(uploadId, part));
    await drop(tx);
    return gone;
  });
  // Skips the collector's grace period, or a large upload would take up twice its size for a day.
  for (const { hash } of parts) await blobs.collectNow(hash);
}

export { listUploadParts };
