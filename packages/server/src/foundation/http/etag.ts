// Strong ETags computed from the bytes: equal bytes have equal tags, whichever process answers.
// If-None-Match is compared weakly (RFC 9110, 13.1.2), so a `W/` that a proxy added still saves the body.
import { createHash } from "node:crypto";

// 27 characters of SHA-256 are 162 bits.
export function strongEtag(bytes: Uint8Array | string): string {
  return `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 27)}"`;
}

// One pass over the header. An unreadable value matches nothing, so the caller gets the body.
export function matchesIfNoneMatch(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === "*") return true;
  const wanted = etag.startsWith("W/") ? etag.slice(2) : etag;
  let at = 0;
  while (at < header.length) {
    const character = header.charAt(at);
    if (character === "," || character === " " || character === "\t") {
      at++;
      continue;
    }
    const start = header.startsWith("W/", at) ? at + 2 : at;
    if (header.charAt(start) !== '"') return false;
    const end = header.indexOf('"', start + 1);
    if (end < 0) return false;
    if (header.slice(start, end + 1) === wanted) return true;
    at = end + 1;
  }
  return false;
}
