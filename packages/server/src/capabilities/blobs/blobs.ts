// Blobs: bytes stored once under their own BLAKE3 hash, for as long as something references them. When `keep` resolves,
// the bytes are on disk, flushed in the right order, and referenced by what the caller committed.
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { isBlobHash } from "./blob-hash.ts";
import type { ByteRange } from "./blob-storage.ts";
import { deleteReference, type Holder, insertReference, lockKept, readKept } from "./blob-store.ts";
import { type BlobsOptions, blobsParts } from "./blobs-parts.ts";
import { type CollectReport, collectBlobs, collectOne } from "./keeping/collect-blobs.ts";
import { type KeepOptions, type KeptBlob, keepBlob, requireSpace } from "./keeping/keep-blob.ts";
import { bytesInMemory, type MemoryBytes, openBlob } from "./keeping/open-blob.ts";
import { type ScrubReport, scrubBlobs } from "./keeping/scrub-blobs.ts";
import type { OpenedBytes } from "./opened-bytes.ts";
import type { DirectRead } from "./s3/s3-presign.ts";
import { storageFault } from "./storage-fault.ts";

export interface Blobs {
  // The source may reuse a chunk's memory as soon as the next one is requested.
  keep<T>(source: AsyncIterable<Uint8Array>, options: KeepOptions<T>): Promise<T>;
  // Adds a reference to bytes we have. Null if we do not, or they are known to be damaged.
  reuse<T>(hash: string, commit: (tx: Queryable, blob: KeptBlob) => Promise<T>): Promise<T | null>;
  hold(tx: Queryable, hash: string, holder: Holder): Promise<void>;
  release(tx: Queryable, hash: string, holder: Holder): Promise<void>;
  open(hash: string, range?: ByteRange): Promise<OpenedBytes | null>;
  // What `open` would return, without reading anything. Null if it has to be opened. Read-only.
  inMemory(hash: string, range?: ByteRange): MemoryBytes | null;
  // Resolves to an address where these bytes can be read without us for some seconds. It resolves to null if they must be
  // read through us, because they are missing or suspect. The function itself is null if the storage has no such
  // addresses. Bytes read there are not hashed on their way.
  readonly directUrl: ((hash: string, read: DirectRead) => Promise<string | null>) | null;
  // Where these bytes are as a file of this machine, for a process that may read it and checks what it reads. Null if they
  // are missing or suspect, or not kept in files.
  fileOf(hash: string): Promise<string | null>;
  // Collects it right away, without grace, if nothing references it.
  collectNow(hash: string): Promise<void>;
  // Throws storage_full if this many bytes would eat into the reserve.
  requireRoom(bytes: number): Promise<void>;
  collect(options: { readonly dryRun: boolean; readonly signal: AbortSignal }): Promise<CollectReport>;
  scrub(options: { readonly bytesPerSecondMax: number; readonly signal: AbortSignal }): Promise<ScrubReport>;
  freeSpaceProblem(): Promise<string | null>;
  clockProblem(): string | null;
}

export function createBlobs(options: BlobsOptions): Blobs {
  const parts = blobsParts(options);
  const { database, storage } = parts;
  const { directUrl } = storage;
  return {
    keep: (source, keep) => keepBlob(parts, source, keep),
    async reuse(hash, commit) {
      if (!isBlobHash(hash)) return null;
      return database.transaction(async (tx) => {
        const size = await lockKept(tx, hash);
        return size === null ? null : commit(tx, { hash, size });
      });
    },
    async hold(tx, hash, holder) {
      const isHeld = isBlobHash(hash) && (await insertReference(tx, hash, holder));
      if (!isHeld) throw new Fault("blob_not_found", "No file with this hash is stored.");
    },
    async release(tx, hash, holder) {
      if (isBlobHash(hash)) await deleteReference(tx, hash, holder);
    },
    open: (hash, range) => openBlob(parts, hash, range),
    inMemory: (hash, range) => bytesInMemory(parts, hash, range),
    directUrl:
      directUrl &&
      (async (hash, read) => {
        const row = isBlobHash(hash) ? await readKept(database, hash) : null;
        return row === null || row.isSuspect ? null : directUrl(hash, read);
      }),
    async fileOf(hash) {
      if (storage.fileOf === null || !isBlobHash(hash)) return null;
      const row = await readKept(database, hash);
      return row === null || row.isSuspect ? null : storage.fileOf(hash);
    },
    collectNow: (hash) => collectOne(parts, hash),
    requireRoom: (bytes) => requireSpace(parts, bytes),
    collect: (collect) => collectBlobs(parts, collect),
    scrub: (scrub) => scrubBlobs(parts, scrub),
    freeSpaceProblem: async () => (await storage.reachProblem()) ?? storage.spaceProblem().catch(inWords),
    clockProblem: () => storage.clockProblem(),
  };
}

// Without paths, because /readyz may show it.
function inWords(thrown: unknown): string {
  const fault = storageFault(thrown);
  return fault instanceof Fault ? fault.message : "The blob store could not be checked for free space.";
}
