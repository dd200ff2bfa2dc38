// Whether an event was signed by the provider and is fresh: `t=<seconds>,v1=<hex>`, HMAC-SHA256 over `<seconds>.<raw body>`. While a
// secret is replaced, two are valid; and the provider sends a signature for each of its own. Pure.
import { createHmac, timingSafeEqual } from "node:crypto";

// The provider's own recommendation. A repeated event changes nothing, so this only bounds how long a copy is of any use.
export const signatureWindowSeconds = 300;
const signaturesMax = 10;

export function isSigned(
  secrets: readonly string[],
  event: { readonly header: string | undefined; readonly bytes: Buffer; readonly nowMs: number },
): boolean {
  const { timestamps, signatures } = readHeader(event.header ?? "");
  const [timestamp] = timestamps;
  if (timestamp === undefined || timestamps.length > 1 || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(event.nowMs / 1000 - Number(timestamp)) > signatureWindowSeconds) return false;
  const given = signatures.slice(0, signaturesMax).map((text) => Buffer.from(text, "hex"));
  const expected = secrets.map((secret) =>
    createHmac("sha256", secret).update(`${timestamp}.`).update(event.bytes).digest(),
  );
  return expected.some((own) => given.some((one) => one.length === own.length && timingSafeEqual(one, own)));
}

// Schemes that we do not know are left out: an older one would be a way around the newest.
function readHeader(header: string) {
  const parts = header.split(",").map((part) => part.trim().split("="));
  const valuesOf = (scheme: string) =>
    parts.flatMap(([name, value, ...rest]) => (name === scheme && value && rest.length === 0 ? [value] : []));
  return { timestamps: valuesOf("t"), signatures: valuesOf("v1").filter((text) => /^[0-9a-f]{64}$/i.test(text)) };
}
