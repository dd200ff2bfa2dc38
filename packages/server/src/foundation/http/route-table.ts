// Which methods exist at a path: for 405 with Allow, and for the envelope of unknown paths. Only asked when no route
// matched, so it may take its time; it never decides what a request does.
import type { Area } from "./area.ts";

export interface RouteTable {
  methodsAt(path: string): string[];
  // The area whose prefix the path shares; the longest prefix wins.
  areaOf(path: string): Area | null;
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
  return {
    methodsAt(path) {
      const segments = path.split("/");
      const methods = new Set<string>();
      for (const pattern of patterns) {
        if (!matches(pattern.segments, segments)) continue;
        methods.add(pattern.method);
        if (pattern.method === "GET") methods.add("HEAD");
      }
      return [...methods].sort();
    },
    areaOf: (path) => prefixes.find(({ prefix }) => isBelow(path, prefix))?.area ?? null,
  };
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => (part.startsWith("{") ? segments[index] !== "" : part === segments[index]))
  );
}

// A parameter stands for any one segment, also for an empty one: whoever leaves it out is told in the same envelope.
export function isBelow(path: string, prefix: string): boolean {
  if (prefix === "/") return true;
  const segments = path.split("/");
  const parts = prefix.split("/");
  return parts.length <= segments.length && parts.every((part, at) => part.startsWith("{") || part === segments[at]);
}
