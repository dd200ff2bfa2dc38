// Resumable uploads: announced with their length, appended to in any number of requests, and then an asset, once. What is
// announced is set aside from the quota until it is an asset or expires. Completing goes the way of every upload (hash,
// commit); it happens once however often it is asked for, and is caught up on by the next look if a process died before it.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Limits } from "../limits/index.ts";
import { appendToUpload, busy, tooMuch } from "./append-upload.ts";
import type { AssetInput } from "./asset.ts";
import { commitUpload, dropUpload, noSuchUpload } from "./commit-upload.ts";
import { addWithinQuota, type StoreAssetDeps } from "./store-asset.ts";
import { findUpload, insertUpload, listExpiredUploads, type Upload, type UploadId } from "./upload-store.ts";

export interface ResumableUploadsDeps extends StoreAssetDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly limits: Pick<Limits, "requireQuota" | "limitOf">;
}

export interface UploadInput extends AssetInput {
  readonly workspaceId: WorkspaceId;
  readonly length: number;
  readonly expectedHash: string | null;
  readonly metadata: string;
}

export interface UploadLocator {
  readonly workspaceId: WorkspaceId;
  readonly uploadId: UploadId;
}

export interface IncomingBytes {
  readonly offset: number;
  // As many as the client says it sends; 0 when it does not say.
  readonly announcedBytes: number;
  readonly source: AsyncIterable<Uint8Array>;
}

export interface ResumableUploads {
  // Throws payload_too_large, quota_exceeded, storage_full.
  create(input: UploadInput): Promise<Upload>;
  // A writer of this process that is still at it is stopped first: who asks has lost that connection. Throws not_found.
  get(locator: UploadLocator): Promise<Upload>;
  // Returns the upload as it is afterwards; with all bytes it is an asset.
  append(locator: UploadLocator, bytes: IncomingBytes): Promise<Upload>;
  end(locator: UploadLocator): Promise<void>;
  // One batch of those whose time is over; true when there may be more.
  removeExpired(batchMax: number): Promise<boolean>;
}

const uploadLifeMs = 24 * 3600 * 1000;

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
    if (upload.received < upload.length || upload.assetId !== null) return upload;
    const running = committing.get(upload.id) ?? commitUpload(deps, upload);
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
    async get(locator) {
      // Without a look at the owner first, any caller could stop any writing.
      if ((await findUpload(database, { ...locator, now: clock.now() })) === null) throw noSuchUpload();
      return complete(await settled(locator));
    },
    async append(locator, { offset, announcedBytes, source }) {
      if ((await findUpload(database, { ...locator, now: clock.now() })) === null) throw noSuchUpload();
      const upload = await settled(locator);
      if (offset !== upload.received) throw busy();
      if (offset + announcedBytes > upload.length) throw tooMuch();
      if (upload.received === upload.length) return complete(upload);
      const stopping = new AbortController();
      const done = appendToUpload(deps, { upload, source, signal: stopping.signal });
      const writer = { stop: () => stopping.abort(), done };
      writers.set(upload.id, writer);
      try {
        const received = await done;
        return await complete({ ...upload, received });
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

async function createUpload(deps: ResumableUploadsDeps, input: UploadInput): Promise<Upload> {
  const { workspaceId, length } = input;
  const bytesMax = await deps.limits.limitOf(workspaceId, "asset_bytes");
  if (length > bytesMax) throw new Fault("payload_too_large", `At most ${bytesMax} bytes are accepted here.`);
  await deps.blobs.requireRoom(length);
  const now = deps.clock.now();
  const upload: Upload = {
    ...input,
    id: newId<"upload">(now.getTime()),
    received: 0,
    createdAt: now,
    expiresAt: new Date(now.getTime() + uploadLifeMs),
    assetId: null,
  };
  await deps.database.transaction(async (tx) => {
    await insertUpload(tx, upload);
    await addWithinQuota(deps, tx, workspaceId, { reservedBytes: length, reservedAssets: 1 });
  });
  return upload;
}
