// How long a workspace keeps its files and its history. Owners decide.
import { operations, type RetentionEstimate, SetRetention, type Retention as WireRetention } from "@atelier/contract";
import { actingAs, type Identity } from "../../../capabilities/identity/index.ts";
import type { KeepDays, Retention, ShownRetention } from "../../../capabilities/retention/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { requireWorkspace } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface RetentionDeps {
  readonly identity: Identity;
  readonly retention: Pick<Retention, "of" | "estimate" | "change">;
}

const fresh = { "cache-control": "no-store" } as const;

export function getRetentionRoute({ identity, retention }: RetentionDeps): Route<AccountCaller> {
  return route(operations.getRetention, async ({ caller, params }) => {
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    return jsonAnswer(200, present(await retention.of(workspaceId)), fresh);
  });
}

export function setRetentionRoute({ identity, retention }: RetentionDeps): Route<AccountCaller> {
  return route(operations.setRetention, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const { workspaceId } = await requireWorkspace(identity, caller, params["workspaceId"]);
    const days = daysOf(requireValid(SetRetention, await incoming.json()));
    const by = actingAs(caller.principal, requestId);
    return jsonAnswer(200, present(await retention.change(workspaceId, days, by)), fresh);
  });
}

export function estimateRetentionRoute({ identity, retention }: RetentionDeps): Route<AccountCaller> {
  return route(operations.estimateRetention, async (incoming) => {
    const { workspaceId } = await requireWorkspace(identity, incoming.caller, incoming.params["workspaceId"]);
    const days = daysOf(requireValid(SetRetention, await incoming.json()));
    const { things, appliesAt } = await retention.estimate(workspaceId, days);
    const estimate: RetentionEstimate = { ...things, applies_at: appliesAt.toISOString() };
    return jsonAnswer(200, estimate, fresh);
  });
}

const daysOf = (wanted: SetRetention): KeepDays => ({
  outputs: wanted.outputs_days,
  uploads: wanted.uploads_days,
  history: wanted.history_days,
});

function present({ days, bounds, changedAt, appliesAt }: ShownRetention): WireRetention {
  return {
    outputs_days: days.outputs,
    uploads_days: days.uploads,
    history_days: days.history,
    days_min: bounds.daysMin,
    days_max: bounds.daysMax,
    changed_at: changedAt?.toISOString() ?? null,
    applies_at: appliesAt?.toISOString() ?? null,
  };
}
