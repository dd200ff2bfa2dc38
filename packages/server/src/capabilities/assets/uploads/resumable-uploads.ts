// Resumable uploads: announced, appended to in any number of requests, and then an asset, once; partial ones are joined into a
// final one, which is the asset. What is announced is set aside from the quota until it is an asset or expires; of an upload
// whose length comes later, what has come. Completing goes the way of every upload (hash, commit); it happens once however
// often it is asked for, and is caught up on by the next look if a process died before it.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Limits } from "../../limits/index.ts";
import type { StoreAssetDeps } from "../store-asset.ts";
import { findUsages } from "../usage-store.ts";
import { appendToUpload, busy, otherLength, tooMuch } from "./append-upload.ts";
import { commitUpload, dropUpload, noSuchUpload } from "./commit-upload.ts";
import { createUpload, tooLarge, type UploadInput } from "./create-upload.ts";
import { type JoinUploads, joinUploads } from "./join-uploads.ts";
import type { Checksum } from "./upload-checksum.ts";
import { findUpload, listExpiredUploads, type Upload, type UploadId } from "./upload-store.ts";

export interface ResumableUploadsDeps extends StoreAssetDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "requireQuota" | "limitOf">;
}

export interface UploadLocator {
  readonly workspaceId: WorkspaceId;
  readonly uploadId: UploadId;
}

export interface IncomingBytes {
  readonly offset: number;
  // As many as the client says it sends; 0 when it does not say.
  readonly announcedBytes: number;
  // The upload's length, where this request says it.
  readonly length: number | null;
  readonly checksum: Checksum | null;
  readonly source: AsyncIterable<Uint8Array>;
}

export interface ResumableUploads {
  // Throws payload_too_large, quota_exceeded, storage_full.
  create(input: UploadInput): Promise<Upload>;
  // A repeated request gets the same upload. Throws not_found where one of the partial uploads is not this workspace's, conflict
  // where one is incomplete or joined already, payload_too_large.
  join(request: JoinUploads): Promise<Upload>;
  // A writer of this process that is still at it is stopped first: who asks has lost that connection. Throws not_found.
  get(locator: UploadLocator): Promise<Upload>;
  // Returns the upload as it is afterwards; with all bytes it is an asset, unless it is partial. Throws forbidden for a final one.
  append(locator: UploadLocator, bytes: IncomingBytes): Promise<Upload>;
  end(locator: UploadLocator): Promise<void>;
  // One batch of those whose time is over; true when there may be more.
  removeExpired(batchMax: number): Promise<boolean>;
}

interface RunningWriter {
  stop(): void;
  readonly done: Promise<unknown>;
}

export function createResumableUploads(deps: ResumableUploadsDeps): ResumableUploads {
  const { database, clock } = deps;
  const writers = new Map<UploadId, RunningWriter>();
  const committing = new Map<UploadId, Promise<Upload>>();

  // Does nothing while bytes are missing. A caller that comes while it is under way waits for the same answer.
  async function complete(upload: Upload): Promise<Upload> {
    const { length } = upload;
    if (length === null || upload.received < length || upload.assetId !== null) return upload;
    if (upload.concat === "partial") return upload;
    const running = committing.get(upload.id) ?? commitUpload(deps, { ...upload, length });
    committing.set(upload.id, running);
    return running.finally(() => committing.delete(upload.id));
  }

  async function settled(locator: UploadLocator): Promise<Upload> {
    const running = writers.get(locator.uploadId);
    running?.stop();
    await running?.done.catch(() => undefined);
    const upload = await findUpload(database, { ...locator, now: clock.now() });
    if (upload === null) throw noSuchUpload();
    return upload;
  }

  return {
    create: async (input) => complete(await createUpload(deps, input)),
    join: async (request) => complete(await joinUploads(deps, request)),
    async get(locator) {
      // Without a look at the owner first, any caller could stop any writing.
      if ((await findUpload(database, { ...locator, now: clock.now() })) === null) throw noSuchUpload();
      return complete(await settled(locator));
    },
    async append(locator, bytes) {
      if ((await findUpload(database, { ...locator, now: clock.now() })) === null) throw noSuchUpload();
      const upload = await settled(locator);
      const { newLength, bytesMax } = await requireFitting(deps, upload, bytes);
      if (upload.received === upload.length) return complete(upload);
      const stopping = new AbortController();
      const { source, checksum } = bytes;
      const append = { upload, newLength, bytesMax, checksum, source, signal: stopping.signal };
      const done = appendToUpload(deps, append);
      const writer = { stop: () => stopping.abort(), done };
      writers.set(upload.id, writer);
      try {
        return await complete(await done);
      } finally {
        if (writers.get(upload.id) === writer) writers.delete(upload.id);
      }
    },
    async end(locator) {
      if ((await findUpload(database, { ...locator, now: clock.now() })) === null) throw noSuchUpload();
      const upload = await settled(locator);
      await dropUpload(deps, upload.id);
    },
    async removeExpired(batchMax) {
      const expired = await listExpiredUploads(database, { now: clock.now(), count: batchMax });
      for (const uploadId of expired) await dropUpload(deps, uploadId);
      return expired.length === batchMax;
    },
  };
}

// Whether a request fits the upload, before its bytes are read; what comes in spite of it is found when it is there.
async function requireFitting(
  deps: ResumableUploadsDeps,
  upload: Upload,
  { offset, announcedBytes, length }: IncomingBytes,
): Promise<{ readonly newLength: number | null; readonly bytesMax: number }> {
  const { workspaceId, received } = upload;
  if (upload.concat?.startsWith("final;")) throw new Fault("forbidden", "A final upload takes no bytes.");
  if (offset !== received) throw busy();
  if (length !== null && (length !== (upload.length ?? length) || length < received)) throw otherLength();
  const known = upload.length ?? length;
  if (known !== null && offset + announcedBytes > known) throw tooMuch();
  if (upload.length !== null) return { newLength: null, bytesMax: upload.length };
  const bytesMax = await deps.limits.limitOf(workspaceId, "asset_bytes");
  const reached = known ?? offset + announcedBytes;
  if (reached > bytesMax) throw tooLarge(bytesMax);
  const [used] = await findUsages(deps.database, [workspaceId]);
  await deps.limits.requireQuota(workspaceId, "bytes", used?.bytes ?? 0, reached - received);
  await deps.blobs.requireRoom(reached - received);
  return { newLength: known, bytesMax };
}
