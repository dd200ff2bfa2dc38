// If several readers have a file open, each block is read once for all of them: copying a block out of the page cache
// costs half as much again as sending it (measured). We keep only blocks of files with more than one reader, and a
// bounded number of them. A single reader refills the same few blocks.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { BlockPool } from "./block-pool.ts";

export interface SharedBlock {
  // Read-only, and only until it is given back.
  readonly bytes: Buffer;
}

// One reader's view of a file.
export interface SharedFile {
  readonly blockBytes: number;
  // Calls `fill` if this block has not been read yet; it must fill the whole buffer.
  take(at: number, length: number, fill: (bytes: Buffer) => Promise<void>): Promise<SharedBlock>;
  giveBack(block: SharedBlock): void;
  // A request might still be sending from it, so it is never refilled.
  giveUp(block: SharedBlock): void;
  // Call after the last block was given back or given up.
  close(): void;
}

export interface SharedBlocks {
  // The mark identifies the file and its contents.
  open(mark: string): SharedFile;
}

interface Kept {
  readonly memory: Buffer;
  readonly filled: Promise<SharedBlock>;
  users: number;
}

export function sharedBlocks(pool: BlockPool, options: { readonly blockBytes: number; readonly keptMax: number }) {
  const readers = new Map<string, number>();
  const blocks = new Map<string, Kept>();
  const names = new WeakMap<SharedBlock, string>();
  // Blocks not in use, longest unused first.
  const unused = new BoundedMap<string, Kept>(options.keptMax, { evicted: (name) => forget(name, true) });

  function forget(name: string, isReusable: boolean): void {
    const kept = blocks.get(name);
    unused.delete(name);
    blocks.delete(name);
    if (kept && isReusable) pool.giveBack(kept.memory);
  }

  function read(name: string, length: number, fill: (bytes: Buffer) => Promise<void>): Kept {
    const memory = pool.take();
    const block = { bytes: length === memory.length ? memory : memory.subarray(0, length) };
    names.set(block, name);
    const kept = { memory, filled: fill(block.bytes).then(() => block), users: 0 };
    blocks.set(name, kept);
    // Readers that are waiting get the error; later ones try again.
    kept.filled.catch(() => blocks.get(name) === kept && forget(name, false));
    return kept;
  }

  function open(mark: string): SharedFile {
    readers.set(mark, (readers.get(mark) ?? 0) + 1);
    return {
      blockBytes: options.blockBytes,
      async take(at, length, fill) {
        const name = `${mark}@${at}+${length}`;
        const kept = blocks.get(name) ?? read(name, length, fill);
        unused.delete(name);
        kept.users++;
        return kept.filled;
      },
      giveBack(block) {
        const name = names.get(block) ?? "";
        const kept = blocks.get(name);
        // Another reader gave it up in the meantime, so it is left to the garbage collector.
        if (kept?.memory.buffer !== block.bytes.buffer) return;
        kept.users--;
        if (kept.users > 0) return;
        if ((readers.get(mark) ?? 0) < 2) return forget(name, true);
        unused.set(name, kept);
      },
      giveUp(block) {
        const name = names.get(block) ?? "";
        if (blocks.get(name)?.memory.buffer === block.bytes.buffer) forget(name, false);
      },
      close() {
        const left = (readers.get(mark) ?? 1) - 1;
        if (left > 0) return void readers.set(mark, left);
        readers.delete(mark);
        for (const name of unused.keys()) if (name.startsWith(`${mark}@`)) forget(name, true);
      },
    };
  }

  return { open } satisfies SharedBlocks;
}
