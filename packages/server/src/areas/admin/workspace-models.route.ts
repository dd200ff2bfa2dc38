// What a workspace may run: access to the router as a whole (403 not_enabled) and the models it is entitled to (403 forbidden).
import { operations, WorkspaceModels } from "@atelier/contract";
import type { Entitlements, ModelRights } from "../../capabilities/identity/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { requireWorkspaceId } from "./require-field.ts";

export interface WorkspaceModelsDeps {
  readonly entitlements: Pick<Entitlements, "find" | "replace" | "setRouterGate">;
}

export function getWorkspaceModelsRoute({ entitlements }: WorkspaceModelsDeps): Route<AdminCaller> {
  return route(operations.getWorkspaceModels, async (incoming) =>
    freshAnswer(200, present(await entitlements.find(requireWorkspaceId(incoming)))),
  );
}

export function setWorkspaceModelsRoute({ entitlements }: WorkspaceModelsDeps): Route<AdminCaller> {
  return route(operations.setWorkspaceModels, async (incoming) => {
    const workspaceId = requireWorkspaceId(incoming);
    const request = requireValid(WorkspaceModels, await incoming.json());
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    const before = await entitlements.find(workspaceId);
    // Patterns first: they can be refused, and then nothing has changed.
    if (JSON.stringify(before.patterns) !== JSON.stringify(request.entitlements))
      await entitlements.replace(workspaceId, request.entitlements, by);
    if (before.routerEnabled !== request.router_enabled)
      await entitlements.setRouterGate(workspaceId, request.router_enabled, by);
    return freshAnswer(200, present(await entitlements.find(workspaceId)));
  });
}

function present({ routerEnabled, patterns }: ModelRights): WorkspaceModels {
  return { router_enabled: routerEnabled, entitlements: patterns === null ? null : [...patterns] };
}
