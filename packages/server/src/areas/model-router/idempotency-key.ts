// The key's syntax and what counts as the same request (decisions, section 3).
import { createHash } from "node:crypto";
import { Fault } from "../../foundation/fault.ts";

// 1 to 255 visible ASCII characters, once. Null when there is none.
export function readIdempotencyKey(rawHeaders: readonly string[]): string | null {
  let key: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "idempotency-key") continue;
    if (key !== null) throw new Fault("invalid_request", "Idempotency-Key was sent twice.");
    key = rawHeaders[index + 1] ?? "";
  }
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Fault("invalid_request", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
  }
  return key;
}

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
  return createHash("sha256").update(fingerprintHead(request)).update(request.bytes).digest();
}
