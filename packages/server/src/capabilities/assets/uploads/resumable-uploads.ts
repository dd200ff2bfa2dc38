// Resumable uploads: announced, appended to in any number of requests, then turned into an asset once. Partial uploads
// are joined into a final one, which becomes the asset. The announced length is reserved from the quota until the upload
// becomes an asset or expires; if the length comes later, the bytes received so far are reserved. Completing works as for
// every upload (hash, commit). It happens once no matter how often it is requested, and if a process dies before it, the
// next look at the upload catches up.
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
import type { Upload, UploadId } from "./upload.ts";
import type { Checksum } from "./upload-checksum.ts";
import { findUpload, listExpiredUploads } from "./upload-store.ts";

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
  // How many bytes the client says it will send; 0 if it does not say.
  readonly announcedBytes: number;
  // The upload's length, if this request declares it.
  readonly length: number | null;
  readonly checksum: Checksum | null;
  readonly source: AsyncIterable<Uint8Array>;
}

export interface ResumableUploads {
  // Throws payload_too_large, quota_exceeded, storage_full.
  create(input: UploadInput): Promise<Upload>;
  // A repeated request gets the same upload. Throws not_found if a partial upload is not this workspace's, conflict if
  // one is incomplete or already joined, and payload_too_large.
  join(request: JoinUploads): Promise<Upload>;
  // Stops a writer of this process first: a client that asks has lost that connection. Throws not_found.
  get(locator: UploadLocator): Promise<Upload>;
  // Returns the upload afterwards. Once it has all bytes it is an asset, unless it is partial. Throws forbidden for a
  // final upload.
  append(locator: UploadLocator, bytes: IncomingBytes): Promise<Upload>;
  end(locator: UploadLocator): Promise<void>;
  // Removes one batch of expired uploads. True if there may be more.
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

  // Does nothing while bytes are missing. Concurrent callers wait for the same result.
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
      // Check the owner first, or any caller could stop any writer.
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

// Checks whether a request fits the upload before reading its bytes. If it sends more anyway, we notice then.
async function requireFitting(
  deps: ResumableUploadsDeps,
  upload: Upload,
  { offset, announcedBytes, length }: IncomingBytes,
): Promise<{ readonly newLength: number | null; readonly bytesMax: number }> {
  const { workspaceId, received } = upload;
  if (upload.concat?.startsWith("final;")) throw new Fault("forbidden", "A final upload does not accept bytes.");
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
