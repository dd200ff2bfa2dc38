// BLAKE3 and SHA-256 of files in one pass. What was hashed is remembered by device, inode, size and time, so a second lock
// of a hundred gigabytes reads only what changed. The memory is a cache: if it is lost or damaged, files are read again.
import { createHash } from "node:crypto";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolder } from "../../../foundation/make-folder.ts";
import type { ListedFile } from "./list-files.ts";

export interface FileHashes {
  readonly blake3: string;
  readonly sha256: string;
}

export interface Hasher {
  update(bytes: Uint8Array): void;
  digest(): string;
}

export interface HashingDeps {
  readonly blake3: () => Promise<Hasher>;
  // Where hashes are remembered between runs. Null: nowhere.
  readonly memory: string | null;
  readonly signal?: AbortSignal;
  // Called with the number of bytes that were just read.
  onRead?(bytes: number): void;
}

export interface FileHashing {
  isKnown(file: ListedFile): boolean;
  hash(file: ListedFile): Promise<FileHashes>;
  // The hashes are known from elsewhere: the bytes were checked when they were written.
  learn(stamp: string, hashes: FileHashes): void;
  // Writes the memory. What was not asked for this time is forgotten if it is not in `kept`.
  close(): Promise<void>;
}

const chunkBytes = 4 * 2 ** 20;
const entriesMax = 500_000;

export async function openHashing(deps: HashingDeps): Promise<FileHashing> {
  const known = await readMemory(deps.memory);
  let isChanged = false;
  return {
    isKnown: ({ stamp }) => known.has(stamp),
    async hash(file) {
      const remembered = known.get(file.stamp);
      if (remembered !== undefined) return remembered;
      const hashes = await hashFile(deps, file);
      if (known.size < entriesMax) known.set(file.stamp, hashes);
      isChanged = true;
      return hashes;
    },
    learn(stamp, hashes) {
      known.set(stamp, hashes);
      isChanged = true;
    },
    async close() {
      if (isChanged) await writeMemory(deps.memory, known);
    },
  };
}

export class FileChanged extends Error {}

async function hashFile(deps: HashingDeps, { file, path, stamp }: ListedFile): Promise<FileHashes> {
  const handle = await open(file).catch(() => null);
  if (handle === null) throw new FileChanged(`${path} went away or cannot be read.`);
  try {
    const [blake3, sha256] = [await deps.blake3(), createHash("sha256")];
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      deps.signal?.throwIfAborted();
      const { bytesRead } = await handle.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) break;
      const bytes = chunk.subarray(0, bytesRead);
      blake3.update(bytes);
      sha256.update(bytes);
      deps.onRead?.(bytesRead);
    }
    // Hashes of a file that was written meanwhile belong to no file that ever existed.
    const now = await handle.stat({ bigint: true });
    if ([now.dev, now.ino, now.size, now.mtimeNs].join(":") !== stamp)
      throw new FileChanged(`${path} changed while it was read.`);
    return { blake3: blake3.digest(), sha256: sha256.digest("hex") };
  } finally {
    await handle.close();
  }
}

const linePattern = /^(\d+:\d+:\d+:\d+) ([0-9a-f]{64}) ([0-9a-f]{64})$/;

async function readMemory(memory: string | null): Promise<Map<string, FileHashes>> {
  const text = memory === null ? "" : await readFile(memory, "utf8").catch(() => "");
  const known = new Map<string, FileHashes>();
  for (const line of text.split("\n")) {
    const [, stamp, blake3, sha256] = linePattern.exec(line) ?? [];
    if (stamp !== undefined && blake3 !== undefined && sha256 !== undefined) known.set(stamp, { blake3, sha256 });
  }
  return known;
}

async function writeMemory(memory: string | null, known: ReadonlyMap<string, FileHashes>): Promise<void> {
  if (memory === null) return;
  const lines = [...known].map(([stamp, { blake3, sha256 }]) => `${stamp} ${blake3} ${sha256}\n`);
  await makeFolder(dirname(memory));
  const part = `${memory}.${process.pid}`;
  await writeFile(part, lines.join(""), { mode: 0o600 });
  await rename(part, memory);
}
