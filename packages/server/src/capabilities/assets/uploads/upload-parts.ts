// The bytes of a resumable upload lie in the blob store part by part, each held by the upload, so that nothing of it depends on
// the machine that took it in. Parts of what is an asset by now, or never will be, go at once.
import type { Database, Queryable } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Blobs } from "../../blobs/index.ts";
import { deleteUploadParts, insertUploadPart, listUploadParts, type UploadPart } from "./upload-part-store.ts";
import { lockUpload, type UploadId } from "./upload-store.ts";

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
    if (opened === null) throw new Fault("blob_not_found", "A part of the upload is gone. Begin it again.");
    yield* opened.stream;
  }
}

// The bytes of one upload go on as those of another, behind what that one has; how many there were. The caller holds the rows
// of both.
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

// May be repeated.
export async function dropUploadParts(
  { database, blobs }: UploadPartsDeps,
  uploadId: UploadId,
  drop: (tx: Queryable) => Promise<void> = async () => undefined,
): Promise<void> {
  const parts = await database.transaction(async (tx) => {
    // The upload before its parts, as all who touch both.
    await lockUpload(tx, uploadId);
    const gone = await deleteUploadParts(tx, uploadId);
    for (const part of gone) await blobs.release(tx, part.hash, holderOf(uploadId, part));
    await drop(tx);
    return gone;
  });
  // Without the collector's grace: a large upload would lie there twice for a day.
  for (const { hash } of parts) await blobs.collectNow(hash);
}

export { listUploadParts };
