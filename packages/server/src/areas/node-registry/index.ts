// The node registry: publishers, nodes, versions, descriptors. Its operations are not mounted yet. Reading a registry
// is public, so unknown paths here are plain 404s.
import type { Area } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";

export function nodeRegistry(): Area<undefined> {
  return {
    name: "node registry",
    prefixes: ["/nodes", "/publishers"],
    envelope: genericEnvelope,
    cors: "listed",
    routes: [],
    authenticate: null,
  };
}
