// The model router: partner models by canonical id, run synchronously, with bytes forwarded untouched. This area translates;
// capabilities/model-calls decides what a call does.
import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import { bucketHeader, routerAnswer } from "../../capabilities/model-calls/index.ts";
import { type Area, routesOf } from "../../foundation/http/area.ts";
import * as estimateModel from "./estimate-model.route.ts";
import * as invokeModel from "./invoke-model.route.ts";
import { keepLinksToWork } from "./link-callers.ts";
import * as modelRequests from "./model-requests.route.ts";
import * as readModels from "./read-models.route.ts";
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
    routes: keepLinksToWork(deps, routesOf(deps, readModels, invokeModel, estimateModel, modelRequests)),
  };
}
