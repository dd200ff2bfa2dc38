// Writes and reads one file of a backup: compressed, hashed as stored, and flushed to disk before this returns. Uses
// constant memory.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline as joinStreams } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { BackupRefused } from "./backup-refused.ts";
import type { FileFact } from "./manifest.ts";

export async function packFile(directory: string, file: string, source: AsyncIterable<Buffer>): Promise<FileFact> {
  const hash = createHash("sha256");
  let fileBytes = 0;
  const target = createWriteStream(join(directory, file), { flags: "wx", mode: 0o600, flush: true });
  await pipeline(
    source,
    createZstdCompress(),
    async function* (packed: AsyncIterable<Buffer>) {
      for await (const bytes of packed) {
        hash.update(bytes);
        fileBytes += bytes.length;
        yield bytes;
      }
    },
    target,
  );
  return { file, file_bytes: fileBytes, sha256: hash.digest("hex") };
}

// Opens the file when it is read, so that its reader gets every error. A stream that fails before it has a reader ends the process.
export async function* unpackFile(directory: string, fact: FileFact): AsyncGenerator<Buffer> {
  const plain = createZstdDecompress();
  joinStreams(createReadStream(join(directory, fact.file)), plain, () => {});
  yield* plain;
}

export async function checkFile(directory: string, fact: FileFact): Promise<void> {
  const path = join(directory, fact.file);
  const found = await stat(path).catch((cause) => {
    throw new BackupRefused(`The backup is incomplete: ${fact.file} is missing.`, { cause });
  });
  const hash = createHash("sha256");
  if (found.size === fact.file_bytes) await pipeline(createReadStream(path), hash);
  if (found.size !== fact.file_bytes || hash.digest("hex") !== fact.sha256) {
    throw new BackupRefused(`The backup is damaged: ${fact.file} does not match its checksum.`);
  }
}
