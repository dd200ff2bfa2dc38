// Blobs: bytes that are stored once under the BLAKE3 hash of themselves, and stay as long as somebody refers to them.
// An answer of `keep` means: on the disk, flushed in the right order, and referred to by what the caller committed.
import type { Readable } from "node:stream";
import { type Clock, systemClock } from "../../foundation/clock.ts";
import type { Database, Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Log, silentLog } from "../../foundation/log.ts";
import { type Blake3Factory, blake3Stream } from "./blake3-stream.ts";
import { isBlobHash } from "./blob-hash.ts";
import type { BlobStorage, ByteRange } from "./blob-storage.ts";
import { deleteReference, type Holder, insertReference, lockKept } from "./blob-store.ts";
import { type CollectReport, collectBlobs } from "./collect-blobs.ts";
import { keepBlob } from "./keep-blob.ts";
import { openBlob } from "./open-blob.ts";
import { type ScrubReport, scrubBlobs } from "./scrub-blobs.ts";

export interface KeptBlob {
  // 64 lower-case hexadecimal digits of BLAKE3.
  readonly hash: string;
  readonly size: number;
}

export interface KeepOptions<T> {
  readonly bytesMax: number;
  readonly expectedHash?: string;
  readonly signal?: AbortSignal;
  // Runs in the transaction that makes the blob visible; it may run again, so it acts on the database only. It must
  // `hold` the blob, or the collector takes it.
  commit(tx: Queryable, blob: KeptBlob): Promise<T>;
}

export interface Blobs {
  // A chunk of the source may be reused by its maker as soon as the next one is asked for.
  keep<T>(source: AsyncIterable<Uint8Array>, options: KeepOptions<T>): Promise<T>;
  // A further reference to bytes that are here already; null when they are not, or are known to be damaged.
  reuse<T>(hash: string, commit: (tx: Queryable, blob: KeptBlob) => Promise<T>): Promise<T | null>;
  hold(tx: Queryable, hash: string, holder: Holder): Promise<void>;
  release(tx: Queryable, hash: string, holder: Holder): Promise<void>;
  open(hash: string, range?: ByteRange): Promise<{ readonly size: number; readonly stream: Readable } | null>;
  collect(options: { readonly dryRun: boolean; readonly signal: AbortSignal }): Promise<CollectReport>;
  scrub(options: { readonly bytesPerSecondMax: number; readonly signal: AbortSignal }): Promise<ScrubReport>;
  freeSpaceProblem(): Promise<string | null>;
}

export interface BlobsOptions {
  readonly database: Database;
  readonly storage: BlobStorage;
  readonly clock?: Clock;
  readonly log?: Log;
  // How long what nobody refers to is left alone.
  readonly graceSeconds?: number;
  // How long an upload may take between its last byte and its commit.
  readonly pinSeconds?: number;
  // After this long a collector that did not finish counts as dead.
  readonly takeoverSeconds?: number;
  // How often every blob is looked at.
  readonly scrubEverySeconds?: number;
  readonly blake3?: Blake3Factory;
}

export type BlobsParts = Required<BlobsOptions>;

export function createBlobs(options: BlobsOptions): Blobs {
  const parts: BlobsParts = {
    clock: systemClock,
    log: silentLog,
    graceSeconds: 24 * 3600,
    pinSeconds: 3600,
    takeoverSeconds: 600,
    scrubEverySeconds: 7 * 24 * 3600,
    blake3: blake3Stream(),
    ...options,
  };
  const { database, storage } = parts;
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
      if (!isHeld) throw new Fault("blob_not_found", "There are no bytes with this hash.");
    },
    async release(tx, hash, holder) {
      if (isBlobHash(hash)) await deleteReference(tx, hash, holder);
    },
    open: (hash, range) => openBlob(parts, hash, range),
    collect: (collect) => collectBlobs(parts, collect),
    scrub: (scrub) => scrubBlobs(parts, scrub),
    freeSpaceProblem: () => storage.spaceProblem(),
  };
}
