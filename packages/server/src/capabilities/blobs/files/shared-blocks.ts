// Blocks of files that several read at the same time are read once for all of them: copying a block out of the system's
// memory costs half as much again as sending it (measured). Kept for the others are only blocks of a file that more than
// one has open, a bounded number of them; who reads alone fills the same few blocks again and again.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { BlockPool } from "./block-pool.ts";

export interface SharedBlock {
  // Read only, and only until it is given back.
  readonly bytes: Buffer;
}

// A file that is read; each reader has one of these.
export interface SharedFile {
  readonly blockBytes: number;
  // `fill` is called where this block was not read yet, and fills the whole of what it is given.
  take(at: number, length: number, fill: (bytes: Buffer) => Promise<void>): Promise<SharedBlock>;
  giveBack(block: SharedBlock): void;
  // A request might still be sending from it: it is never filled again.
  giveUp(block: SharedBlock): void;
  // After the last block was given back or up.
  close(): void;
}

export interface SharedBlocks {
  // The mark names the file and what is in it.
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
  // Those that are not in use just now, the one that waits longest first.
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
    // Those that wait hear of it; those that come later try anew.
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
        // Given up by another meanwhile: the last one out leaves it to the garbage collector.
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
