// How bytes are read. A whole read is hashed while it is sent, and its last bytes leave only if the hash is right, so
// damaged bytes never look like a complete answer. Only files hashed recently and unchanged since are exempt
// (sound-files.ts). Suspect bytes are read through before the first one is sent.
import { invariant } from "../../../foundation/assert.ts";
import type { ByteSource } from "../../../foundation/byte-source.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Blake3 } from "../blake3-stream.ts";
import { isBlobHash } from "../blob-hash.ts";
import type { ByteRange } from "../blob-storage.ts";
import { type BlobRow, markSuspect, markVerified, readKept } from "../blob-store.ts";
import type { BlobsParts } from "../blobs-parts.ts";
import { type OpenedBytes, openedBytes } from "../opened-bytes.ts";
import { examineBlob } from "./examine-blob.ts";
import type { HotBlob } from "./hot-blobs.ts";

// A collector that slept past its time may take a file away and put it back; that takes only a moment.
const looks = 5;
const lookAgainMs = 40;

export async function openBlob(parts: BlobsParts, hash: string, range?: ByteRange): Promise<OpenedBytes | null> {
  if (!isBlobHash(hash)) return null;
  const fresh = bytesInMemory(parts, hash, range);
  if (fresh) return fromMemory(fresh);
  const blake3 = await parts.blake3();
  for (let look = 1; ; look++) {
    const row = await readKept(parts.database, hash);
    if (!row) return null;
    const hot = parts.hot.renew(row);
    if (hot) return fromMemory(partOf(hot, range));
    if (range) requireWithin(range, row.size);
    if (row.isSuspect) await requireSound(parts, row);
    const found = await parts.storage.open(hash, range);
    if (found?.size === row.size) return range ? found : soundOrChecked(parts, row, found, blake3);
    await found?.source.close();
    if (found || look === looks) throw await damaged(parts, row, found ? "size" : "missing");
    await parts.clock.sleep(lookAgainMs);
  }
}

export interface MemoryBytes {
  // The size of the whole, even if only a range was requested.
  readonly size: number;
  readonly bytes: Uint8Array;
}

export function bytesInMemory(parts: Pick<BlobsParts, "hot">, hash: string, range?: ByteRange): MemoryBytes | null {
  const fresh = parts.hot.fresh(hash);
  return fresh && partOf(fresh, range);
}

function partOf({ row: { size }, bytes }: HotBlob, range: ByteRange | undefined): MemoryBytes {
  if (!range) return { size, bytes };
  requireWithin(range, size);
  return { size, bytes: bytes.subarray(range.start, range.end + 1) };
}

function fromMemory({ size, bytes }: MemoryBytes): OpenedBytes {
  let rest: Uint8Array | null = bytes;
  const next = async () => {
    const block = rest;
    rest = null;
    return block;
  };
  return openedBytes(size, { next, close: async () => undefined }, { bytes });
}

function requireWithin(range: ByteRange, size: number): void {
  invariant(range.start >= 0 && range.start <= range.end && range.end < size, "a range lies within its blob");
}

function soundOrChecked(parts: BlobsParts, row: BlobRow, found: OpenedBytes, blake3: Blake3): OpenedBytes {
  const isHot = parts.hot.isWanted(row);
  if (!isHot && parts.sound.has(row.hash, found.mark)) return found;
  const copy = isHot ? Buffer.allocUnsafeSlow(row.size) : null;
  return openedBytes(row.size, checked(parts, row, found, { blake3, copy }));
}

// The verdict comes with the last block, before that block is handed out.
function checked(
  parts: BlobsParts,
  row: BlobRow,
  { source, mark }: OpenedBytes,
  { blake3, copy }: { readonly blake3: Blake3; readonly copy: Buffer | null },
): ByteSource {
  let seen = 0;
  const requireHash = async () => {
    if (blake3.digest() !== row.hash) throw await damaged(parts, row, "bytes");
    if (copy) parts.hot.offer(row, copy);
    parts.sound.add(row.hash, mark);
  };
  return {
    async next() {
      const block = await source.next();
      if (block === null) {
        if (row.size === 0) await requireHash();
        return null;
      }
      blake3.update(block);
      copy?.set(block, seen);
      seen += block.length;
      if (seen === row.size) await requireHash();
      return block;
    },
    close: () => source.close(),
  };
}

async function requireSound(parts: BlobsParts, row: BlobRow): Promise<void> {
  const problem = await examineBlob(parts, row);
  if (problem !== null) throw await damaged(parts, row, problem);
  await markVerified(parts.database, [row]);
}

async function damaged(parts: BlobsParts, row: BlobRow, problem: string): Promise<Fault> {
  const fault = new Fault("internal_error", "The stored bytes are damaged.", { cause: `${row.hash}: ${problem}` });
  parts.hot.drop(row.hash);
  parts.sound.drop(row.hash);
  try {
    await markSuspect(parts.database, row);
    parts.log.error({ hash: row.hash, problem }, "a stored blob is damaged");
  } catch (err) {
    parts.log.error({ err, hash: row.hash, problem }, "a stored blob is damaged and could not be marked");
  }
  return fault;
}
