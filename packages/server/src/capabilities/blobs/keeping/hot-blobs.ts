// Keeps small, often requested blobs in memory for a while: opening, reading and hashing a file of 64 KiB costs several
// times what sending it does (measured). Only bytes whose hash was verified get in, and only at the second request within
// a minute, so that blobs fetched once push nothing out. We trust a blob's row for five seconds. The reader holds a
// reference, so at worst we miss that the stored bytes became suspect, and these bytes in memory are fine.
import type { Clock } from "../../../foundation/clock.ts";
import { TtlCache } from "../../../foundation/memory/ttl-cache.ts";
import type { BlobRow } from "../blob-store.ts";

export interface HotBlob {
  readonly row: BlobRow;
  readonly bytes: Uint8Array;
}

export interface HotBlobs {
  // Null if it is not here, or the row must be read again first (see `renew`).
  fresh(hash: string): HotBlob | null;
  // The bytes that belong to a row just read.
  renew(row: BlobRow): HotBlob | null;
  // Whether the bytes being read now should be offered afterwards.
  isWanted(row: BlobRow): boolean;
  offer(row: BlobRow, bytes: Uint8Array): void;
  drop(hash: string): void;
}

export interface HotBlobsOptions {
  readonly clock: Clock;
  readonly bytesMax?: number;
  readonly blobBytesMax?: number;
}

const believedMs = 5_000;
const againMs = 60_000;
const askedMax = 4_096;

export function hotBlobs(options: HotBlobsOptions): HotBlobs {
  const { clock, bytesMax = 32 * 1024 * 1024, blobBytesMax = 1024 * 1024 } = options;
  const kept = new TtlCache<string, HotBlob>({
    clock,
    keepMs: believedMs,
    entriesMax: Number.POSITIVE_INFINITY,
    bytesMax,
    bytesOf: ({ bytes }) => bytes.length,
  });
  const asked = new TtlCache<string, true>({ clock, keepMs: againMs, entriesMax: askedMax });

  function keep(row: BlobRow, bytes: Uint8Array): HotBlob {
    const blob = { row, bytes };
    kept.set(row.hash, blob);
    return blob;
  }

  return {
    drop: (hash) => kept.delete(hash),
    fresh: (hash) => kept.get(hash) ?? null,
    renew(row) {
      const found = kept.getStale(row.hash);
      if (!found) return null;
      if (!row.isSuspect && row.writes === found.row.writes) return keep(row, found.bytes);
      kept.delete(row.hash);
      return null;
    },
    isWanted({ hash, size }) {
      if (size === 0 || size > blobBytesMax) return false;
      const isAgain = asked.get(hash) === true;
      asked.set(hash, true);
      return isAgain;
    },
    offer(row, bytes) {
      if (bytes.length <= blobBytesMax) keep(row, bytes);
    },
  };
}
