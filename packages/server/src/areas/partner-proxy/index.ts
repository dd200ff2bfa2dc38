// The partner proxy: image and video tasks at partners, and the storage hand-off for large images. Its routes are generated
// from the partners' definitions. Beside it is an area with one route, on which partners report about tasks.

import type { Assets } from "../../capabilities/assets/index.ts";
import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import type { PartnerTasks } from "../../capabilities/partner-tasks/index.ts";
import type { Partner } from "../../capabilities/partners/index.ts";
import { type Area, type Arrival, area } from "../../foundation/http/area.ts";
import { partnerEnvelope, typedConflicts } from "./partner-envelope.ts";
import { readTaskRoutes } from "./read-task.route.ts";
import { receivePartnerCallbackRoute } from "./receive-partner-callback.route.ts";
import { renewPartnerTokenRoute, type TokenDeps } from "./renew-partner-token.route.ts";
import { type StartRouteDeps, startTaskRoute } from "./start-task.route.ts";
import { createStorageTicketRoute } from "./storage.route.ts";

export { createRequestReader } from "./request-reader.ts";

export interface PartnerProxyDeps extends StartRouteDeps {
  readonly partners: readonly Partner[];
  readonly tasks: PartnerTasks;
  readonly assets: Assets;
  // Whether problems with an Idempotency-Key are a 409 with a specific code for each.
  readonly keyConflicts: "plain" | "typed";
  // Null if tokens for partners alone are not issued here.
  readonly tokens: TokenDeps | null;
  authenticate(arrival: Arrival): Promise<Principal>;
  admitRate(caller: Principal): void | Promise<void>;
}

export function partnerProxy(deps: PartnerProxyDeps): Area<Principal> {
  return {
    name: "partner proxy",
    prefixes: ["/proxy", "/customers"],
    envelope: deps.keyConflicts === "typed" ? typedConflicts : partnerEnvelope,
    cors: "listed",
    async authenticate(arrival) {
      const caller = await deps.authenticate(arrival);
      requireScope(caller, "partners");
      return caller;
    },
    flowOf: (caller) => caller.workspaceId,
    admit: (caller) => deps.admitRate(caller),
    routes: [
      ...deps.partners.flatMap((partner) => [
        ...[...partner.operations.values()].map((priced) => startTaskRoute(deps, partner, priced)),
        ...readTaskRoutes(deps, partner),
      ]),
      createStorageTicketRoute(deps.assets),
      ...(deps.tokens ? [renewPartnerTokenRoute(deps.tokens)] : []),
    ],
  };
}

export function partnerCallbacks(tasks: Pick<PartnerTasks, "callback">): Area {
  return area({
    name: "partner callbacks",
    prefixes: ["/callbacks"],
    // The signed URL and the partner's own signature are the credential.
    authenticate: null,
    isSigned: true,
    envelope: partnerEnvelope,
    cors: "listed",
    routes: [receivePartnerCallbackRoute(tasks)],
  });
}
