// Reads a file block by block: one block is filled while the previous one is sent. Uses the plain `read` call and not the
// file handle's method, whose promises and objects take a tenth of a large download (measured).
import { read } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { ByteSource } from "../../../foundation/byte-source.ts";
import type { ByteRange } from "../blob-storage.ts";
import type { SharedBlock, SharedFile } from "./shared-blocks.ts";

export function fileSource(handle: FileHandle, range: ByteRange, file: SharedFile): ByteSource {
  // At most the block being sent and the one before it.
  const inUse: SharedBlock[] = [];
  let at = range.start;
  let isEnded = false;
  let reading: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;

  async function takeNext(): Promise<Buffer> {
    const from = at;
    const length = Math.min(file.blockBytes, range.end + 1 - from);
    at += length;
    const block = await file.take(from, length, (bytes) => fillFrom(handle.fd, bytes, from));
    inUse.push(block);
    return block.bytes;
  }

  async function close(): Promise<void> {
    await reading.catch(() => undefined);
    await handle.close();
    for (const block of inUse) {
      // Unless it ended cleanly, a request might still be sending the block.
      if (isEnded) file.giveBack(block);
      else file.giveUp(block);
    }
    file.close();
  }

  return {
    next() {
      if (closed) return Promise.reject(new Error("The file is closed."));
      const done = inUse.length > 1 ? inUse.shift() : undefined;
      if (done) file.giveBack(done);
      if (at > range.end) {
        isEnded = true;
        return Promise.resolve(null);
      }
      const taken = takeNext();
      reading = taken;
      return taken;
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}

function fillFrom(fd: number, bytes: Buffer, at: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let filled = 0;
    const readOn = () =>
      read(fd, bytes, filled, bytes.length - filled, at + filled, (error, count) => {
        if (error) return reject(error);
        if (count === 0) return reject(new Error("The file was shortened after it was opened."));
        filled += count;
        if (filled < bytes.length) readOn();
        else resolve();
      });
    readOn();
  });
}
