// Reads a stored blob and reports what is wrong with it. Null if the bytes match their hash.
import type { BlobRow } from "../blob-store.ts";
import type { BlobsParts } from "../blobs-parts.ts";

export type BlobProblem = "missing" | "size" | "bytes";

export interface Pace {
  // Called after each chunk; waiting here slows the reading down.
  after(bytes: number): Promise<void>;
}

export async function examineBlob(parts: BlobsParts, row: BlobRow, pace?: Pace): Promise<BlobProblem | null> {
  const blake3 = await parts.blake3();
  const found = await parts.storage.open(row.hash);
  if (!found) return "missing";
  if (found.size !== row.size) {
    await found.source.close();
    return "size";
  }
  try {
    for (let block = await found.source.next(); block !== null; block = await found.source.next()) {
      blake3.update(block);
      await pace?.after(block.length);
    }
  } finally {
    await found.source.close();
  }
  return blake3.digest() === row.hash ? null : "bytes";
}
