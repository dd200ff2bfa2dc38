// Usage figures in their wire format.
import type * as wire from "@atelier/contract";
import type {
  FailureGroups,
  ModelFigures,
  UsageSeries,
  UsageSums,
  UsageTimes,
} from "../../../capabilities/calls/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import type { AskedSeries, Span } from "./usage-figures-query.ts";

const spanOf = ({ from, to }: Span) => ({ from: from.toISOString(), to: to.toISOString() });
const sumsOf = ({ calls, failures, replays, credits }: UsageSums) => ({
  calls,
  failures,
  replays,
  credits: creditsText(credits),
});
const timesOf = ({ p50Ms, p95Ms }: UsageTimes) => ({ p50_ms: p50Ms, p95_ms: p95Ms });

const restKey = "other";

export function presentSeries(asked: AskedSeries, { points, groups, total }: UsageSeries): wire.UsageSeries {
  const isGrouped = asked.by !== "none";
  return {
    ...spanOf(asked),
    step: asked.step,
    by: asked.by,
    data: points.map((point) => ({
      at: point.at.toISOString(),
      ...(isGrouped ? { key: point.key ?? restKey } : {}),
      ...sumsOf(point),
      ...timesOf(point),
    })),
    groups: isGrouped ? groups.map((group) => ({ key: group.key ?? restKey, ...sumsOf(group) })) : [],
    total: { ...sumsOf(total), ...timesOf(total) },
  };
}

export function presentFailures(asked: Span, { groups, total }: FailureGroups): wire.ErrorGroupList {
  return {
    ...spanOf(asked),
    data: groups.map((group) => ({
      outcome: group.outcome,
      subject: group.subject,
      status: group.status,
      count: group.count,
      first_at: group.firstAt.toISOString(),
      last_at: group.lastAt.toISOString(),
      credits: creditsText(group.credits),
      last_request_id: group.lastRequestId,
    })),
    total: { count: total.count, groups: total.groups, credits: creditsText(total.credits) },
  };
}

export function presentModels(hours: number, models: readonly ModelFigures[]): wire.ModelStatsList {
  return {
    hours,
    data: models.map(({ model, calls, successes, lastAt, ...times }) => ({
      model,
      calls,
      successes,
      failures: calls - successes,
      success_rate: calls === 0 ? null : successes / calls,
      ...timesOf(times),
      last_at: lastAt.toISOString(),
    })),
  };
}
