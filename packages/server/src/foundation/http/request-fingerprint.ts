// What counts as the same request under one Idempotency-Key, wherever a call is paid for: method, path, query and the raw
// bytes (decisions, section 3). In two parts, because a large body is hashed in the thread that reads it.
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
  // In one piece: for a body of a few kilobytes the copy costs less than a hash object.
  if (bytes.byteLength <= 64 * 1024) return hash("sha256", Buffer.concat([Buffer.from(head), bytes]), "buffer");
  return createHash("sha256").update(head).update(bytes).digest();
}
