// The version that a writer expects, according to RFC 9110: If-Match names versions or `*`, If-None-Match can only be `*`.
import type { IncomingHttpHeaders } from "node:http";
import { Fault } from "../fault.ts";

// What the writer expects to be stored: a version, anything, nothing, or no expectation.
export type ExpectedVersion =
  | { readonly kind: "any" }
  | { readonly kind: "absent" }
  | { readonly kind: "present" }
  | { readonly kind: "version"; readonly versions: readonly number[] };

// `version` is what is stored; null if nothing is.
export function isExpected(expected: ExpectedVersion, version: number | null): boolean {
  if (expected.kind === "any") return true;
  if (expected.kind === "absent") return version === null;
  return version !== null && (expected.kind === "present" || expected.versions.includes(version));
}

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
    throw new Fault("invalid_request", 'If-Match must be an ETag that this server sent, such as "3", or *.');
  // A tag that is not one of our versions matches nothing.
  return { kind: "version", versions: tags.map((tag) => (/^"\d{1,9}"$/.test(tag) ? Number(tag.slice(1, -1)) : 0)) };
}
