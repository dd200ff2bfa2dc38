// For bytes that fit into memory: kept and read as one piece.
import { onlyBlock } from "../../foundation/byte-source.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import type { Blobs } from "./blobs.ts";

export function keepWhole<T>(
  blobs: Pick<Blobs, "keep">,
  bytes: Uint8Array,
  commit: (tx: Queryable, hash: string) => Promise<T>,
): Promise<T> {
  return blobs.keep(onlyBlock(bytes), { bytesMax: bytes.byteLength, commit: (tx, { hash }) => commit(tx, hash) });
}

// Null if we do not have them.
export async function readWhole(blobs: Pick<Blobs, "open">, hash: string): Promise<Buffer | null> {
  const opened = await blobs.open(hash);
  if (opened === null) return null;
  const chunks: Buffer[] = [];
  for await (const chunk of opened.stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
