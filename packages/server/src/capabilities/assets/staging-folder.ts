// Where the bytes of resumable uploads wait until they are whole: one file per upload, named by our own id. What was
// acknowledged is flushed first, so that an offset a client was told is true after a power cut.
import { type FileHandle, mkdir, open, rm, statfs } from "node:fs/promises";
import { join } from "node:path";
import { Fault } from "../../foundation/fault.ts";
import type { UploadId } from "./upload-store.ts";

export interface StagingFolder {
  // Cut to `offset`: what lies beyond was never acknowledged.
  openAt(uploadId: UploadId, offset: number): Promise<StagedFile>;
  read(uploadId: UploadId): AsyncIterable<Uint8Array>;
  // May be repeated.
  remove(uploadId: UploadId): Promise<void>;
  // Throws storage_full when the reserve would be touched.
  requireSpace(bytes: number): Promise<void>;
}

export interface StagedFile {
  // May wait for more before it writes; the bytes must stay as they are until then.
  write(bytes: Uint8Array): Promise<void>;
  // When it resolves a power cut loses nothing that was written.
  flush(): Promise<void>;
  close(): Promise<void>;
}

const fullCodes = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);
// The database and the system need room to go on.
const reserve = { bytes: 1_000_000_000, share: 0.05 };
const readBytes = 256 * 1024;

export function stagingFolder(directory: string): StagingFolder {
  const pathOf = (uploadId: UploadId) => join(directory, uploadId);
  return {
    async openAt(uploadId, offset) {
      const handle = await orFull(async () => {
        await mkdir(directory, { recursive: true, mode: 0o700 });
        return open(pathOf(uploadId), offset === 0 ? "w" : "r+", 0o600);
      });
      try {
        await orFull(() => handle.truncate(offset));
        return stagedFile(handle, offset);
      } catch (thrown) {
        await handle.close();
        throw thrown;
      }
    },
    async *read(uploadId) {
      const handle = await open(pathOf(uploadId), "r");
      yield* handle.createReadStream({ highWaterMark: readBytes });
    },
    remove: (uploadId) => rm(pathOf(uploadId), { force: true }),
    async requireSpace(bytes) {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const { bavail, blocks, bsize } = await statfs(directory);
      if (bavail * bsize - bytes < Math.max(reserve.bytes, blocks * bsize * reserve.share)) throw full(undefined);
    },
  };
}

// Sockets give 64 KB at a time; written one by one they cost more in calls than in bytes.
const gatherBytes = 1024 * 1024;

function stagedFile(handle: FileHandle, start: number): StagedFile {
  let at = start;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;

  async function writeWaiting(): Promise<void> {
    for (let rest = waiting; rest.length > 0; ) {
      const { bytesWritten } = await orFull(() => handle.writev(rest, at));
      at += bytesWritten;
      rest = afterBytes(rest, bytesWritten);
      waiting = rest;
    }
    waitingBytes = 0;
  }

  return {
    async write(bytes) {
      if (bytes.byteLength === 0) return;
      waiting.push(bytes);
      waitingBytes += bytes.byteLength;
      if (waitingBytes >= gatherBytes) await writeWaiting();
    },
    async flush() {
      await writeWaiting();
      await orFull(() => handle.datasync());
    },
    close: () => handle.close(),
  };
}

// What is left of the chunks once so many bytes of them are written.
function afterBytes(chunks: readonly Uint8Array[], written: number): Uint8Array[] {
  let done = written;
  return chunks.flatMap((chunk) => {
    const skipped = Math.min(done, chunk.byteLength);
    done -= skipped;
    return skipped === chunk.byteLength ? [] : [chunk.subarray(skipped)];
  });
}

async function orFull<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (thrown) {
    const isFull = thrown instanceof Error && "code" in thrown && fullCodes.has(String(thrown.code));
    throw isFull ? full(thrown) : thrown;
  }
}

function full(cause: unknown): Fault {
  return new Fault("storage_full", "There is no space left to store these bytes.", { cause });
}
