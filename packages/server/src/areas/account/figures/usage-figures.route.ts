// Usage of the caller's workspace at a glance: over time, failures by kind, and how each model performs.
import { operations, usageGroupsMax } from "@atelier/contract";
import type { Usage } from "../../../capabilities/calls/index.ts";
import { requireScope } from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentFailures, presentModels, presentSeries } from "./present-figures.ts";
import { readErrorsQuery, readModelStatsQuery, readSeriesQuery } from "./usage-figures-query.ts";

export interface UsageFigureDeps {
  readonly usage: Usage;
  readonly clock: Clock;
}

export function getUsageSeriesRoute({ usage, clock }: UsageFigureDeps): Route<AccountCaller> {
  return route(operations.getUsageSeries, async ({ caller, query }) => {
    const workspaceId = workspaceOf(caller);
    const asked = readSeriesQuery(query, clock.now());
    const { filter, step, by, tagKey, withTimes } = asked;
    const series = await usage.series({ workspaceId, filter, step, by, tagKey, withTimes, groupsMax: usageGroupsMax });
    return jsonAnswer(200, presentSeries(asked, series));
  });
}

export function listErrorGroupsRoute({ usage, clock }: UsageFigureDeps): Route<AccountCaller> {
  return route(operations.listErrorGroups, async ({ caller, query }) => {
    const workspaceId = workspaceOf(caller);
    const { filter, limit, ...span } = readErrorsQuery(query, clock.now());
    return jsonAnswer(200, presentFailures(span, await usage.failures({ workspaceId, filter, limit })));
  });
}

export function getModelStatsRoute({ usage, clock }: UsageFigureDeps): Route<AccountCaller> {
  return route(operations.getModelStats, async ({ caller, query }) => {
    const workspaceId = workspaceOf(caller);
    const { hours, since } = readModelStatsQuery(query, clock.now());
    return jsonAnswer(200, presentModels(hours, await usage.models({ workspaceId, since })));
  });
}

function workspaceOf({ principal }: AccountCaller) {
  requireScope(principal, "account");
  return principal.workspaceId;
}
