// The registry's three areas: public reads, what members and their keys do, and what operators do. Reads have no authentication
// step, so that prepared answers are sent in the same turn.

import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import type { AdminCaller } from "../../capabilities/tokens/index.ts";
import { type Area, area, type Route } from "../../foundation/http/area.ts";
import { genericEnvelope } from "../../foundation/http/generic-envelope.ts";
import type { ActorDeps } from "./registry-caller.ts";

export interface RegistryRoutes {
  readonly open: readonly Route<undefined>[];
  readonly members: readonly Route<Principal>[];
  readonly operators: readonly Route<AdminCaller>[];
}

// Unknown paths below these are plain 404s.
const openPrefixes = ["/nodes", "/publishers", "/svc-nodes", "/bulk/nodes", "/versions"];

export function registryAreas(deps: ActorDeps, parts: readonly RegistryRoutes[]): readonly Area[] {
  return [
    area<undefined>({
      name: "node registry",
      prefixes: openPrefixes,
      envelope: genericEnvelope,
      cors: "listed",
      authenticate: null,
      routes: parts.flatMap(({ open }) => open),
    }),
    area<Principal>({
      name: "node registry for members",
      prefixes: ["/users"],
      envelope: genericEnvelope,
      cors: "listed",
      async authenticate(arrival) {
        const caller = await deps.identity.authenticate(arrival);
        requireScope(caller, "registry");
        return caller;
      },
      flowOf: (caller) => caller.workspaceId,
      admit: (caller) => deps.limits.admit(caller.workspaceId, "workflow_and_registry"),
      routes: parts.flatMap(({ members }) => members),
    }),
    area<AdminCaller>({
      name: "node registry for operators",
      prefixes: ["/security-scan"],
      envelope: genericEnvelope,
      cors: "listed",
      authenticate: (arrival) => deps.adminTokens.authenticate(arrival),
      routes: parts.flatMap(({ operators }) => operators),
    }),
  ];
}
