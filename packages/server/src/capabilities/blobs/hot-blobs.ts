// Small blobs that are asked for again and again stay in memory for a while: opening, reading and hashing a file of 64 KiB
// costs several times what sending it does (measured). Only bytes whose hash was found right get in, and at the second
// asking within a minute, so that what is fetched once pushes nothing out. What a row says of a blob is believed for five
// seconds: who asks holds a reference, so all that could be missed is a suspicion, and these bytes are not under it.
import type { Clock } from "../../foundation/clock.ts";
import type { BlobRow } from "./blob-store.ts";

export interface HotBlob {
  readonly row: BlobRow;
  readonly bytes: Uint8Array;
}

export interface HotBlobs {
  // Null: not here, or the row must be read again first (see `renew`).
  fresh(hash: string): HotBlob | null;
  // The bytes that go with a row that was just read.
  renew(row: BlobRow): HotBlob | null;
  // Whether the bytes that are read now should be offered afterwards.
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
  // In the order of use, the oldest first.
  const kept = new Map<string, HotBlob & { readonly readMs: number }>();
  const asked = new Map<string, number>();
  let bytesKept = 0;

  function drop(hash: string): void {
    bytesKept -= kept.get(hash)?.bytes.length ?? 0;
    kept.delete(hash);
  }

  function keep(row: BlobRow, bytes: Uint8Array): HotBlob {
    drop(row.hash);
    const blob = { row, bytes, readMs: clock.monotonicMs() };
    kept.set(row.hash, blob);
    bytesKept += bytes.length;
    for (const hash of kept.keys()) {
      if (bytesKept <= bytesMax) break;
      drop(hash);
    }
    return blob;
  }

  return {
    drop,
    fresh(hash) {
      const found = kept.get(hash);
      return found && clock.monotonicMs() - found.readMs < believedMs ? found : null;
    },
    renew(row) {
      const found = kept.get(row.hash);
      if (!found) return null;
      if (!row.isSuspect && row.writes === found.row.writes) return keep(row, found.bytes);
      drop(row.hash);
      return null;
    },
    isWanted({ hash, size }) {
      if (size === 0 || size > blobBytesMax) return false;
      const now = clock.monotonicMs();
      const before = asked.get(hash);
      asked.delete(hash);
      asked.set(hash, now);
      const oldest = asked.size > askedMax ? asked.keys().next().value : undefined;
      if (oldest !== undefined) asked.delete(oldest);
      return before !== undefined && now - before < againMs;
    },
    offer(row, bytes) {
      if (bytes.length <= blobBytesMax) keep(row, bytes);
    },
  };
}
