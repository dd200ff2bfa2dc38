// The model router: partner models by canonical id, run synchronously, with bytes forwarded untouched. This area translates;
// capabilities/model-calls decides what a call does.
import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import { bucketHeader, routerAnswer } from "../../capabilities/model-calls/index.ts";
import type { Area } from "../../foundation/http/area.ts";
import { estimateModelRoute } from "./estimate-model.route.ts";
import { invokeModelRoute } from "./invoke-model.route.ts";
import { keepLinksToWork } from "./link-callers.ts";
import { modelRequestRoutes } from "./model-requests.route.ts";
import { readModelRoutes } from "./read-models.route.ts";
import type { ModelRouterDeps } from "./router-deps.ts";

export { presentRequest, requestNotice } from "./present-request.ts";

export function modelRouter(deps: ModelRouterDeps): Area<Principal> {
  return {
    name: "model router",
    prefixes: ["/v1"],
    envelope: routerAnswer,
    earlyHeaders: bucketHeader,
    unreadHeaders: bucketHeader,
    cors: "listed",
    async authenticate(arrival) {
      const caller = await deps.authenticate(arrival);
      // Checked before "not found", so that a disabled router reveals nothing about its paths.
      const open = deps.models.requireOpen(caller.workspaceId);
      if (open instanceof Promise) await open;
      requireScope(caller, "models");
      return caller;
    },
    flowOf: (caller) => caller.workspaceId,
    admit: (caller) => deps.admitRate(caller),
    routes: keepLinksToWork(deps, [
      ...readModelRoutes(deps),
      invokeModelRoute(deps),
      estimateModelRoute(deps),
      ...modelRequestRoutes(deps),
    ]),
  };
}
