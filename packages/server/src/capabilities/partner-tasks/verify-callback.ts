// Checks that a callback was signed by the partner and is fresh: Standard Webhooks framing, HMAC-SHA256 over id,
// timestamp and raw body; any one of the signatures may match. Pure.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";

export const callbackWindowSeconds = 300;

// The event's id. Null if the callback must not be trusted.
export function verifyCallback(
  key: Buffer,
  callback: { readonly headers: IncomingHttpHeaders; readonly bytes: Buffer; readonly nowMs: number },
): string | null {
  const { headers, bytes } = callback;
  const [id, timestamp, signatures] = ["webhook-id", "webhook-timestamp", "webhook-signature"].map((name) => {
    const value = headers[name];
    return typeof value === "string" ? value : "";
  });
  if (!id || id.length > 255 || !/^[\x21-\x7e]+$/.test(id) || !/^\d{1,12}$/.test(timestamp ?? "")) return null;
  if (Math.abs(callback.nowMs / 1000 - Number(timestamp)) > callbackWindowSeconds) return null;
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(bytes).digest();
  const fits = (signatures ?? "").split(" ").some((entry) => {
    const given = entry.startsWith("v1,") ? Buffer.from(entry.slice(3), "base64") : null;
    return given !== null && given.length === expected.length && timingSafeEqual(given, expected);
  });
  return fits ? id : null;
}
