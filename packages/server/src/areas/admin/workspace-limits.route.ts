// Limits of one workspace, and of models over all workspaces.
import { ModelId, operations, SetCallLimits, SetWorkspaceLimit } from "@atelier/contract";
import type { CallLimits } from "../../capabilities/calls/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { type Incoming, type Route, route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { type ChangeLimitDeps, resetWorkspaceLimit, setWorkspaceLimit } from "./change-workspace-limit.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentLimit } from "./present.ts";
import { requireWorkspaceId } from "./require-field.ts";

export function listWorkspaceLimitsRoute(deps: ChangeLimitDeps): Route<AdminCaller> {
  return route(operations.listWorkspaceLimits, async (incoming) => {
    const workspaceId = requireWorkspaceId(incoming);
    await deps.workspaces.get(workspaceId);
    return freshAnswer(200, { data: (await deps.limits.list(workspaceId)).map(presentLimit) });
  });
}

export function setWorkspaceLimitRoute(deps: ChangeLimitDeps): Route<AdminCaller> {
  return route(operations.setWorkspaceLimit, async (incoming) => {
    const { value, reason } = requireValid(SetWorkspaceLimit, await incoming.json());
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(200, presentLimit(await setWorkspaceLimit(deps, { ...named(incoming), value, reason }, by)));
  });
}

export function resetWorkspaceLimitRoute(deps: ChangeLimitDeps): Route<AdminCaller> {
  return route(operations.resetWorkspaceLimit, async (incoming) => {
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    return freshAnswer(200, presentLimit(await resetWorkspaceLimit(deps, named(incoming), by)));
  });
}

function named(incoming: Incoming<AdminCaller>) {
  return { workspaceId: requireWorkspaceId(incoming), name: incoming.params["name"] ?? "" };
}

interface ModelLimitDeps {
  readonly callLimits: Pick<CallLimits, "listOfModels" | "setOfModel">;
}

export function listModelLimitsRoute({ callLimits }: ModelLimitDeps): Route<AdminCaller> {
  return route(operations.listModelLimits, async () => {
    const limits = await callLimits.listOfModels();
    const data = limits.map(({ model, perMinute, concurrency }) => ({
      model,
      calls_per_minute: perMinute,
      concurrency,
    }));
    return freshAnswer(200, { data });
  });
}

export function setModelLimitsRoute({ callLimits }: ModelLimitDeps): Route<AdminCaller> {
  return route(operations.setModelLimits, async (incoming) => {
    const { provider = "", model: name = "" } = incoming.params;
    const model = requireValid(ModelId, `${provider}/${name}`);
    const { calls_per_minute: perMinute, concurrency } = requireValid(SetCallLimits, await incoming.json());
    await callLimits.setOfModel(model, { perMinute, concurrency }, actingAsAdmin(incoming.caller, incoming.requestId));
    return freshAnswer(200, { model, calls_per_minute: perMinute, concurrency });
  });
}
