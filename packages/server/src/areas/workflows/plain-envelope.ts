// Fault → plain text, for the tus protocol (decisions, section 1). Every answer names the protocol's version.
import type { BytesAnswer, Envelope } from "../../foundation/http/area.ts";

export const tusVersion = "1.0.0";

// tus's own status for bytes that do not match the announcement. On 409, clients would ask for the offset and continue.
const checksumMismatch = 460;

export const plainEnvelope: Envelope = (fault) =>
  plainAnswer(fault.code === "hash_mismatch" ? checksumMismatch : fault.status, fault.message);

export function plainAnswer(status: number, message: string): BytesAnswer {
  return {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "tus-resumable": tusVersion, "cache-control": "no-store" },
    body: `${message}\n`,
  };
}
