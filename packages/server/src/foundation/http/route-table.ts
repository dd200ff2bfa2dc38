// Which methods exist at a path: for 405 with Allow, and for the envelope of unknown paths. Consulted only when no route
// matched, so it can be slow; it never decides what a request does.
import type { Fault } from "../fault.ts";
import type { Area, HeaderValues } from "./area.ts";

export interface RouteTable {
  methodsAt(path: string): string[];
  // The area with the longest prefix that matches the path.
  areaOf(path: string): Area | null;
  // The headers of the area around a path for errors before routing. For null, a path that could not be read, the headers of
  // any area.
  earlyHeaders(path: string | null, fault: Fault): HeaderValues;
}

export function routeTable(areas: readonly Area[]): RouteTable {
  const patterns = areas.flatMap((area) =>
    area.routes.map((route) => ({
      method: route.operation.method,
      segments: `${area.mountPath ?? ""}${route.operation.path}`.split("/"),
    })),
  );
  const prefixes = areas
    .flatMap((area) => area.prefixes.map((prefix) => ({ prefix: `${area.mountPath ?? ""}${prefix}`, area })))
    .sort((a, b) => b.prefix.length - a.prefix.length);
  const areaOf = (path: string) => prefixes.find(({ prefix }) => isBelow(path, prefix))?.area ?? null;
  return {
    methodsAt(path) {
      const segments = path.split("/");
      const matching = patterns.filter((pattern) => matches(pattern.segments, segments));
      // A path belongs to the most specific matching pattern; the methods of other patterns do not count.
      const best = matching.map(shapeOf).sort().at(0);
      const methods = new Set<string>();
      for (const pattern of matching) {
        if (shapeOf(pattern) !== best) continue;
        methods.add(pattern.method);
        if (pattern.method === "GET") methods.add("HEAD");
      }
      return [...methods].sort();
    },
    areaOf,
    earlyHeaders: (path, fault) =>
      path === null
        ? Object.assign({}, ...areas.map((area) => area.unreadHeaders?.(fault)))
        : (areaOf(path)?.earlyHeaders?.(fault) ?? {}),
  };
}

// Sorts patterns that match the same path in the order a router prefers them: at each segment, a literal before a parameter.
function shapeOf({ segments }: { readonly segments: readonly string[] }): string {
  return segments.map((part) => (part.startsWith("{") ? "1" : "0")).join("");
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]))
  );
}

// A parameter matches any single segment, even an empty one: a caller that leaves it out gets the same envelope.
export function isBelow(path: string, prefix: string): boolean {
  if (prefix === "/") return true;
  const segments = path.split("/");
  const parts = prefix.split("/");
  return parts.length <= segments.length && parts.every((part, at) => part.startsWith("{") || part === segments[at]);
}
