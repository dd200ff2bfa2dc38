// The syntax of Idempotency-Key, the same in every area that supports it (decisions, sections 3 and 6).
import { Fault } from "../fault.ts";

// 1 to 255 visible ASCII characters, once. Null if there is no such header.
export function readIdempotencyKey(rawHeaders: readonly string[]): string | null {
  let key: string | null = null;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    if (rawHeaders[index]?.toLowerCase() !== "idempotency-key") continue;
    if (key !== null) throw new Fault("invalid_request", "Idempotency-Key was sent twice. Send it once.");
    key = rawHeaders[index + 1] ?? "";
  }
  if (key !== null && !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Fault("invalid_request", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
  }
  return key;
}
