// The version that a writer expects, according to RFC 9110: If-Match names versions or `*`, If-None-Match can only be `*`.
import type { IncomingHttpHeaders } from "node:http";
import type { ExpectedVersion } from "../../capabilities/providers/index.ts";
import { Fault } from "../../foundation/fault.ts";

export function readExpectedVersion(headers: IncomingHttpHeaders): ExpectedVersion {
  const match = headers["if-match"]?.trim();
  const noneMatch = headers["if-none-match"]?.trim();
  if (match !== undefined && noneMatch !== undefined)
    throw new Fault("invalid_request", "If-Match and If-None-Match cannot be sent together.");
  if (noneMatch !== undefined) {
    if (noneMatch !== "*") throw new Fault("invalid_request", "If-None-Match must be * here.");
    return { kind: "absent" };
  }
  if (match === undefined) return { kind: "any" };
  if (match === "*") return { kind: "present" };
  const tags = match.split(",").map((tag) => tag.trim());
  if (!tags.every((tag) => /^"[^"]*"$/.test(tag)))
    throw new Fault("invalid_request", 'If-Match must be the ETag of a definition, such as "3", or *.');
  // A tag that is not one of our versions matches nothing.
  return { kind: "version", versions: tags.map((tag) => (/^"\d{1,9}"$/.test(tag) ? Number(tag.slice(1, -1)) : 0)) };
}
