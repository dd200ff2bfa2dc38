// The way of bytes out. A whole read is hashed while it is sent, and its last bytes leave only when the hash is right:
// damaged bytes never look like a finished answer. Bytes under suspicion are read through before the first one is sent.
import { pipeline, type Readable, Transform } from "node:stream";
import { invariant } from "../../foundation/assert.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Blake3 } from "./blake3-stream.ts";
import { isBlobHash } from "./blob-hash.ts";
import type { ByteRange } from "./blob-storage.ts";
import { type BlobRow, markSuspect, markVerified, readKept } from "./blob-store.ts";
import type { BlobsParts } from "./blobs-parts.ts";
import { examineBlob } from "./examine-blob.ts";

export interface OpenedBlob {
  readonly size: number;
  readonly stream: Readable;
}

// A collector that slept through its time may take a file away and put it back; that is over in a moment.
const looks = 5;
const lookAgainMs = 40;

export async function openBlob(parts: BlobsParts, hash: string, range?: ByteRange): Promise<OpenedBlob | null> {
  if (!isBlobHash(hash)) return null;
  const blake3 = await parts.blake3();
  for (let look = 1; ; look++) {
    const row = await readKept(parts.database, hash);
    if (!row) return null;
    if (range) requireWithin(range, row.size);
    if (row.isSuspect) await requireSound(parts, row);
    const found = await parts.storage.open(hash, range);
    if (found?.size === row.size) {
      return { size: row.size, stream: range ? found.stream : checked(parts, row, found.stream, blake3) };
    }
    found?.stream.destroy();
    if (found || look === looks) throw await damaged(parts, row, found ? "size" : "missing");
    await parts.clock.sleep(lookAgainMs);
  }
}

function requireWithin(range: ByteRange, size: number): void {
  invariant(range.start >= 0 && range.start <= range.end && range.end < size, "a range lies within its blob");
}

function checked(parts: BlobsParts, row: BlobRow, stream: Readable, blake3: Blake3): Readable {
  const checking = verifying(blake3, row.hash, () => damaged(parts, row, "bytes"));
  // Either end's failure or early end takes the other along.
  pipeline(stream, checking, () => {});
  return checking;
}

// One chunk behind: the last one waits for the verdict.
function verifying(blake3: Blake3, hash: string, onDamage: () => Promise<Error>): Transform {
  let held: Buffer | undefined;
  return new Transform({
    readableHighWaterMark: 256 * 1024,
    transform(chunk: Buffer, _encoding, done) {
      blake3.update(chunk);
      const previous = held;
      held = chunk;
      done(null, previous);
    },
    flush(done) {
      if (blake3.digest() === hash) done(null, held);
      else onDamage().then(done, done);
    },
  });
}

async function requireSound(parts: BlobsParts, row: BlobRow): Promise<void> {
  const problem = await examineBlob(parts, row);
  if (problem !== null) throw await damaged(parts, row, problem);
  await markVerified(parts.database, [row]);
}

async function damaged(parts: BlobsParts, row: BlobRow, problem: string): Promise<Fault> {
  const fault = new Fault("internal_error", "The stored bytes are damaged.", { cause: `${row.hash}: ${problem}` });
  try {
    await markSuspect(parts.database, row);
    parts.log.error({ hash: row.hash, problem }, "a stored blob is damaged");
  } catch (err) {
    parts.log.error({ err, hash: row.hash, problem }, "a stored blob is damaged and could not be marked");
  }
  return fault;
}
