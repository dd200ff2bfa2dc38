// The bytes of a file, two blocks of a pool in turn: one is filled while the other is sent. The blocks go back to the pool
// only after a clean end; after anything else somebody might still be sending from one of them.
import type { FileHandle } from "node:fs/promises";
import type { ByteSource } from "../../foundation/byte-source.ts";
import type { ByteRange } from "./blob-storage.ts";
import type { BlockPool } from "./block-pool.ts";

export function fileSource(handle: FileHandle, range: ByteRange, pool: BlockPool): ByteSource {
  const blocks: Buffer[] = [];
  let at = range.start;
  let turn = 0;
  let isEnded = false;
  let reading: Promise<unknown> = Promise.resolve();
  let closed: Promise<void> | undefined;

  async function fill(block: Buffer): Promise<Buffer> {
    const wanted = Math.min(block.length, range.end + 1 - at);
    let filled = 0;
    while (filled < wanted) {
      const { bytesRead } = await handle.read(block, filled, wanted - filled, at + filled);
      if (bytesRead === 0) throw new Error("The file is shorter than it was when it was opened.");
      filled += bytesRead;
    }
    at += filled;
    return block.subarray(0, filled);
  }

  async function close(): Promise<void> {
    await reading.catch(() => undefined);
    await handle.close();
    if (isEnded) for (const block of blocks) pool.giveBack(block);
  }

  return {
    next() {
      if (closed) return Promise.reject(new Error("The file is closed."));
      if (at > range.end) {
        isEnded = true;
        return Promise.resolve(null);
      }
      turn = 1 - turn;
      const block = blocks[turn] ?? pool.take();
      blocks[turn] = block;
      const filled = fill(block);
      reading = filled;
      return filled;
    },
    close() {
      closed ??= close();
      return closed;
    },
  };
}
