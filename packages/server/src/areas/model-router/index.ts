// The model router: partner models by canonical id, run synchronously, bytes forwarded untouched.
import { type Principal, requireScope } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Area, Arrival } from "../../foundation/http/area.ts";
import { type EstimateRouteDeps, estimateModelRoute } from "./estimate-model.route.ts";
import { type InvokeRouteDeps, invokeModelRoute } from "./invoke-model.route.ts";
import { type ModelRequestRouteDeps, modelRequestRoutes } from "./model-requests.route.ts";
import { type ReadModelsDeps, readModelRoutes } from "./read-models.route.ts";
import { bucketHeader, routerEnvelope } from "./router-envelope.ts";

export { type CallFromGraph, callFromGraph } from "./call-from-graph.ts";
export { type Catalog, type CatalogModel, catalogHolder, catalogOf } from "./catalog.ts";
export { checkInput } from "./check-input.ts";
export { describeModel } from "./describe-model.ts";
export { type Ending, endingOf } from "./ending-of.ts";
export { followInvocations } from "./follow-invocations.ts";
export { createInputChecker } from "./input-checker.ts";
export { presentEntry } from "./list-models.ts";
export { presentRequest, requestAnswers, requestNotice } from "./present-request.ts";
export { outcomeBucket } from "./router-envelope.ts";
export { requestRunner } from "./run-request.ts";
export { judgedInputs } from "./submit-request.ts";

export interface ModelRouterDeps extends ReadModelsDeps, InvokeRouteDeps, EstimateRouteDeps, ModelRequestRouteDeps {
  authenticate(arrival: Arrival): Principal | Promise<Principal>;
  // Decisions, section 3: off answers 404 `not_enabled` to every authenticated caller.
  readonly isEnabled: () => boolean;
  // Decisions, section 3: a per-workspace gate answers 403 `not_enabled`.
  isEnabledFor(caller: Principal): boolean | Promise<boolean>;
  admitRate(caller: Principal): void | Promise<void>;
}

export function modelRouter(deps: ModelRouterDeps): Area<Principal> {
  return {
    name: "model router",
    prefixes: ["/v1"],
    envelope: routerEnvelope,
    earlyHeaders: bucketHeader,
    unreadHeaders: bucketHeader,
    cors: "listed",
    async authenticate(arrival) {
      const caller = await deps.authenticate(arrival);
      // Before "not found", so that a switched-off router has no shape to explore.
      if (!deps.isEnabled()) throw new Fault("not_enabled", "The model router is not enabled on this server.");
      const isOpen = deps.isEnabledFor(caller);
      if (!(typeof isOpen === "boolean" ? isOpen : await isOpen))
        throw new Fault("workspace_not_enabled", "The model router is not enabled for this workspace.");
      requireScope(caller, "models");
      return caller;
    },
    flowOf: (caller) => caller.workspaceId,
    admit: (caller) => deps.admitRate(caller),
    routes: [...readModelRoutes(deps), invokeModelRoute(deps), estimateModelRoute(deps), ...modelRequestRoutes(deps)],
  };
}
