// Translates the target of a request to our names. It is taken as written in the request line: nothing is decoded and no dots
// are resolved, so only the exact spelling matches, and a route sees what the guard has seen.
import { descriptorSegment, pathPrefixes, queriedPaths, queryNames } from "./names.ts";
import { withoutExpiryHint } from "./signed-url-hint.ts";

export function respelledTarget(target: string): string {
  const mark = target.indexOf("?");
  const path = mark === -1 ? target : target.slice(0, mark);
  const query = mark === -1 ? null : target.slice(mark + 1);
  const ours = respelledPath(path);
  if (query === null) return ours;
  return `${ours}?${respelledQuery(ours, query)}`;
}

export function respelledPath(path: string): string {
  for (const { theirs, ours } of pathPrefixes) {
    if (isBelow(path, theirs)) return `${ours}${path.slice(theirs.length)}`;
  }
  return path.startsWith("/nodes/") && path.includes(descriptorSegment.theirs) ? respelledDescriptors(path) : path;
}

// /nodes/{nodeId}/versions/{version}/comfy-nodes
const descriptorPosition = 5;

function respelledDescriptors(path: string): string {
  const segments = path.split("/");
  if (segments[3] !== "versions" || segments[descriptorPosition] !== descriptorSegment.theirs) return path;
  return segments.with(descriptorPosition, descriptorSegment.ours).join("/");
}

function respelledQuery(path: string, query: string): string {
  if (path.startsWith("/c/")) return withoutExpiryHint(query);
  if (!queriedPaths.some((queried) => isBelow(path, queried))) return query;
  const parts = query.split("&");
  const names = new Set(parts.map(nameOf));
  const respelled = parts.map((part) => {
    const name = nameOf(part);
    const ours = queryNames.get(name);
    // If both names are given ours wins; the other is a parameter that nothing reads.
    return ours === undefined || names.has(ours) ? part : `${ours}${part.slice(name.length)}`;
  });
  return respelled.join("&");
}

function nameOf(part: string): string {
  const equals = part.indexOf("=");
  return equals === -1 ? part : part.slice(0, equals);
}

function isBelow(path: string, prefix: string): boolean {
  return path.startsWith(prefix) && (path.length === prefix.length || path.charCodeAt(prefix.length) === slash);
}

const slash = 0x2f;
