// Writes and reads one file of a backup: compressed, hashed as stored, and flushed to disk before this returns. Uses
// constant memory.
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
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

export function unpackFile(directory: string, fact: FileFact): Readable {
  const packed = createReadStream(join(directory, fact.file));
  const plain = createZstdDecompress();
  // Errors of the file must reach the reader of the decompressed side.
  packed.once("error", (error) => plain.destroy(error));
  return packed.pipe(plain);
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
