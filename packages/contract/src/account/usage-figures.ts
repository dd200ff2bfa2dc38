// A workspace's usage in summary: over time, failures by kind, and how each model does. Every figure covers the whole range that
// was asked for, never just one page of it.
import { type Static, Type } from "typebox";
import { Credits, entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { usageFilters, usageSpan } from "./usage.ts";

export const usageSteps = ["minute", "hour", "day"] as const;
export const usageGroupings = ["none", "subject", "outcome", "api_key_id", "family"] as const;
export const usagePointsMax = 1_500;
export const usageGroupsMax = 8;
export const modelStatsHoursMax = 168;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = (description: string) => nullable(Type.Integer({ minimum: 0 }), description);

const sums = {
  calls: count("Everything asked for but replays."),
  failures: count("Those of the calls that did not succeed."),
  replays: count("Answers repeated under their key."),
  credits: Credits,
};
const times = {
  p50_ms: milliseconds("Half of the calls took at most this long, to within 5 %; null where it was not asked for."),
  p95_ms: milliseconds("19 of 20 calls took at most this long, to within 5 %; null where it was not asked for."),
};

export const UsageSeriesQuery = Type.Object({
  ...usageSpan,
  step: Type.Optional(
    wordOf(usageSteps, {
      description: `How long a point is. Absent: the shortest with at most 300 points. At most ${usagePointsMax} points.`,
    }),
  ),
  by: Type.Optional(
    wordOf(usageGroupings, {
      description: `Sum each apart: the ${usageGroupsMax} with the most use, and \`other\` for the rest.`,
    }),
  ),
  latency: Type.Optional(
    Type.Boolean({ description: "Whether p50_ms and p95_ms are wanted. Absent: with by=none they are." }),
  ),
  ...usageFilters,
});

export const UsagePoint = entity("UsagePoint", "What was used from one moment to the next.", {
  at: Timestamp,
  key: Type.Optional(Type.String({ description: "Whose point it is; absent with by=none." })),
  ...sums,
  ...times,
});
export type UsagePoint = Static<typeof UsagePoint>;

export const UsageSeries = entity("UsageSeries", "Usage over time.", {
  from: Timestamp,
  to: Timestamp,
  step: wordOf(usageSteps, { description: "How long a point is, in UTC." }),
  by: wordOf(usageGroupings, { description: "What is summed apart." }),
  data: Type.Array(UsagePoint, { description: "Points with any use, the oldest first." }),
  groups: Type.Array(
    Type.Object({ key: Type.String({ description: "The group; `person` for what no key asked." }), ...sums }),
    { description: "The sums of the groups, the largest first and `other` last; empty with by=none." },
  ),
  total: Type.Object({ ...sums, ...times }, { description: "Over everything that was asked for." }),
});
export type UsageSeries = Static<typeof UsageSeries>;

export const ErrorGroupQuery = Type.Object({
  ...usageSpan,
  subject: usageFilters.subject,
  outcome: usageFilters.outcome,
  api_key_id: usageFilters.api_key_id,
  family: usageFilters.family,
  limit: Type.Optional(
    Type.Integer({ description: "Groups, 20 if absent; above 100 it is clamped, 0 or less means the default." }),
  ),
});

export const ErrorGroup = entity("ErrorGroup", "What went wrong in the same way.", {
  outcome: Type.String({ description: "The word for what went wrong." }),
  subject: Type.String({ description: "What was asked for." }),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The HTTP status of the answers."),
  count: Type.Integer({ minimum: 1, description: "How often." }),
  first_at: Timestamp,
  last_at: Timestamp,
  credits: Credits,
  last_request_id: nullable(Uuid, "The last request of it."),
});
export type ErrorGroup = Static<typeof ErrorGroup>;

export const ErrorGroupList = entity("ErrorGroupList", "Failures by kind.", {
  from: Timestamp,
  to: Timestamp,
  data: Type.Array(ErrorGroup, { description: "The most frequent first." }),
  total: Type.Object(
    { count: count("Failures."), groups: count("Groups, also those that are not listed."), credits: Credits },
    { description: "Over everything that was asked for." },
  ),
});
export type ErrorGroupList = Static<typeof ErrorGroupList>;

export const ModelStatsQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({ minimum: 1, maximum: modelStatsHoursMax, description: "How far back; 24 if absent." }),
  ),
});

export const ModelStats = entity("ModelStats", "How a model did for this workspace; replays are not counted.", {
  model: Type.String({ description: "provider/model." }),
  calls: count("Calls."),
  successes: count("Those that succeeded."),
  failures: count("Those that did not."),
  success_rate: nullable(Type.Number({ minimum: 0, maximum: 1 }), "Successes by calls."),
  p50_ms: milliseconds("Half of the successes took at most this long, to within 5 %; null without any."),
  p95_ms: milliseconds("19 of 20 successes took at most this long, to within 5 %; null without any."),
  last_at: Timestamp,
});
export type ModelStats = Static<typeof ModelStats>;

export const ModelStatsList = entity("ModelStatsList", "How models did for this workspace lately.", {
  hours: Type.Integer({ minimum: 1, description: "How far back." }),
  data: Type.Array(ModelStats, { description: "Models that were called, the most called first." }),
});
export type ModelStatsList = Static<typeof ModelStatsList>;
