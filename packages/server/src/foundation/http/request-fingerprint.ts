// What counts as the same request under one Idempotency-Key, for every paid call: method, path, query and the raw bytes
// (decisions, section 3). Computed in two parts, because a large body is hashed in the thread that reads it.
import { createHash, hash } from "node:crypto";

export interface RequestLine {
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
}

export function fingerprintHead({ method, path, queryText }: RequestLine): string {
  return `${method}\n${path}\n${queryText}\n`;
}

export function requestFingerprint(head: string, bytes: Buffer): Buffer {
  // In one piece: for a body of a few kilobytes, copying costs less than a hash object.
  if (bytes.byteLength <= 64 * 1024) return hash("sha256", Buffer.concat([Buffer.from(head), bytes]), "buffer");
  return createHash("sha256").update(head).update(bytes).digest();
}
