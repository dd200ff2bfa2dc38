// What counts as the same request under one key (decisions, section 3).
import { createHash, hash } from "node:crypto";

export interface FingerprintedRequest {
  readonly method: string;
  readonly path: string;
  readonly queryText: string;
  readonly bytes: Buffer;
}

export function fingerprintHead(request: Omit<FingerprintedRequest, "bytes">): string {
  return `${request.method}\n${request.path}\n${request.queryText}\n`;
}

export function fingerprintOf(request: FingerprintedRequest): Buffer {
  // In one piece: for a body of a few kilobytes the copy costs less than a hash object.
  if (request.bytes.byteLength <= 64 * 1024)
    return hash("sha256", Buffer.concat([Buffer.from(fingerprintHead(request)), request.bytes]), "buffer");
  return createHash("sha256").update(fingerprintHead(request)).update(request.bytes).digest();
}
