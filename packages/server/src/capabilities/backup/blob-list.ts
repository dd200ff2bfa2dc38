// The blobs of a backup: one line each in a packed file, and the bytes under their hash.
import { join } from "node:path";
import Type, { type Static } from "typebox";
import { compileSchema } from "../../foundation/json/schema.ts";
import { BackupRefused } from "./backup-refused.ts";
import type { BlobsEntry } from "./manifest.ts";
import { packFile, unpackFile } from "./packed-file.ts";

const blobShape = Type.Object({
  // It becomes a file name.
  hash: Type.String({ pattern: "^[0-9a-f]{16,128}$" }),
  size: Type.Integer({ minimum: 0 }),
});

export type Blob = Static<typeof blobShape>;

export function blobFile(blob: Blob): string {
  if (!compileSchema(blobShape).accepts(blob))
    throw new Error("A blob's name must be the hexadecimal digits of its hash.");
  return join("blobs", blob.hash.slice(0, 2), blob.hash);
}

export async function packBlobList(directory: string, blobs: AsyncIterable<Blob>): Promise<BlobsEntry> {
  let count = 0;
  async function* lines(): AsyncIterable<Buffer> {
    for await (const { hash, size } of blobs) {
      count++;
      yield Buffer.from(`${JSON.stringify({ hash, size })}\n`);
    }
  }
  const fact = await packFile(directory, "blobs.jsonl.zst", lines());
  return { count, ...fact };
}

export async function* unpackBlobList(directory: string, entry: BlobsEntry): AsyncIterable<Blob> {
  let rest = "";
  for await (const bytes of unpackFile(directory, entry)) {
    // The list is ASCII, so no character is cut.
    const lines = (rest + bytes.toString("latin1")).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) yield readBlob(line);
  }
  if (rest !== "") yield readBlob(rest);
}

function readBlob(line: string): Blob {
  const blob: unknown = JSON.parse(line);
  if (!compileSchema(blobShape).accepts(blob)) throw new BackupRefused("The backup's list of blobs is damaged.");
  return blob;
}
