// A workspace's usage in summary: over time, failures by kind, and how each model does. Every figure covers the whole range that
// was asked for, never just one page of it.
import { type Static, Type } from "typebox";
import { Credits, entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { usageFilters, usageSpan } from "./usage.ts";

export const usageSteps = ["minute", "hour", "day"] as const;
export const usageGroupings = ["none", "subject", "outcome", "api_key_id", "family", "tag", "end_user"] as const;
export const usagePointsMax = 1_500;
export const usageGroupsMax = 8;
export const modelStatsHoursMax = 168;

const count = (description: string) => Type.Integer({ minimum: 0, description });
const milliseconds = (description: string) => nullable(Type.Integer({ minimum: 0 }), description);

const sums = {
  calls: count("All calls except replays."),
  failures: count("Calls that failed."),
  replays: count("Responses replayed for the same key."),
  credits: Credits,
};
const times = {
  p50_ms: milliseconds("Median duration, accurate to 5 %; null if not requested."),
  p95_ms: milliseconds("95th percentile of the duration, accurate to 5 %; null if not requested."),
};

export const UsageSeriesQuery = Type.Object({
  ...usageSpan,
  step: Type.Optional(
    wordOf(usageSteps, {
      description: `The length of one point. Defaults to the shortest step with at most 300 points. At most ${usagePointsMax} points are returned.`,
    }),
  ),
  by: Type.Optional(
    wordOf(usageGroupings, {
      description: `Group by this: the ${usageGroupsMax} largest groups, and \`other\` for the rest.`,
    }),
  ),
  tag_key: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_.-]{1,40}$",
      description: "With by=tag: the key whose values are the groups.",
    }),
  ),
  latency: Type.Optional(
    Type.Boolean({ description: "Whether to return p50_ms and p95_ms. Defaults to true with by=none, else false." }),
  ),
  ...usageFilters,
});

export const UsagePoint = entity("UsagePoint", "Usage in one interval.", {
  at: Timestamp,
  key: Type.Optional(Type.String({ description: "The group of the point. Absent with by=none." })),
  ...sums,
  ...times,
});

export const UsageSeries = entity("UsageSeries", "Usage over time.", {
  from: Timestamp,
  to: Timestamp,
  step: wordOf(usageSteps, { description: "The length of one point, aligned to UTC." }),
  by: wordOf(usageGroupings, { description: "What the points are grouped by." }),
  data: Type.Array(UsagePoint, { description: "Points with usage, oldest first." }),
  groups: Type.Array(
    Type.Object({
      key: Type.String({
        description:
          "The group. `person` stands for requests made without a key, `(none)` for those without the tag or end user.",
      }),
      ...sums,
    }),
    { description: "The total of each group, largest first and `other` last. Empty with by=none." },
  ),
  total: Type.Object({ ...sums, ...times }, { description: "The total for the requested range." }),
});
export type UsageSeries = Static<typeof UsageSeries>;

export const ErrorGroupQuery = Type.Object({
  ...usageSpan,
  subject: usageFilters.subject,
  outcome: usageFilters.outcome,
  api_key_id: usageFilters.api_key_id,
  family: usageFilters.family,
  limit: Type.Optional(
    Type.Integer({
      description:
        "How many groups to return: 20 by default, at most 100. Larger values are clamped; 0 or less means the default.",
    }),
  ),
});

export const ErrorGroup = entity("ErrorGroup", "Failures of one kind.", {
  outcome: Type.String({ description: "The error code." }),
  subject: Type.String({ description: "What was called." }),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The HTTP status of the responses."),
  count: Type.Integer({ minimum: 1, description: "How many times." }),
  first_at: Timestamp,
  last_at: Timestamp,
  credits: Credits,
  last_request_id: nullable(Uuid, "The latest request of this kind."),
});

export const ErrorGroupList = entity("ErrorGroupList", "Failures by kind.", {
  from: Timestamp,
  to: Timestamp,
  data: Type.Array(ErrorGroup, { description: "Most frequent first." }),
  total: Type.Object(
    { count: count("Failures."), groups: count("All groups, including those not listed."), credits: Credits },
    { description: "The total for the requested range." },
  ),
});
export type ErrorGroupList = Static<typeof ErrorGroupList>;

export const ModelStatsQuery = Type.Object({
  hours: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: modelStatsHoursMax,
      description: "How many hours to look back; 24 by default.",
    }),
  ),
});

export const ModelStats = entity("ModelStats", "Statistics of a model for this workspace. Replays are not counted.", {
  model: Type.String({ description: "provider/model." }),
  calls: count("The number of calls."),
  successes: count("Calls that succeeded."),
  failures: count("Calls that failed."),
  success_rate: nullable(Type.Number({ minimum: 0, maximum: 1 }), "Successful calls divided by all calls."),
  p50_ms: milliseconds("Median duration of successful calls, accurate to 5 %; null if there are none."),
  p95_ms: milliseconds("95th percentile of the duration of successful calls, accurate to 5 %; null if there are none."),
  last_at: Timestamp,
});

export const ModelStatsList = entity("ModelStatsList", "Recent model statistics for this workspace.", {
  hours: Type.Integer({ minimum: 1, description: "How many hours back." }),
  data: Type.Array(ModelStats, { description: "The models that were called, most called first." }),
});
export type ModelStatsList = Static<typeof ModelStatsList>;
