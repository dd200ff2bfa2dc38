// What a workspace used: one row for every call, replay and counted refusal, and daily sums.
import { type Static, Type } from "typebox";
import { Cursor, pageOf } from "../pagination.ts";
import { Credits, entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 300, description }));
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const usageDaysMax = 400;

export const UsageRow = entity("UsageRow", "One usage row.", {
  id: Uuid,
  at: Timestamp,
  request_id: nullable(Uuid, "The request id from the response."),
  call_id: nullable(Uuid, "The call. For a replay, the call it repeats."),
  api_key_id: nullable(Uuid, "The key that made the request; null for a person."),
  tags: nullable(
    Type.Record(Type.String(), Type.String()),
    "The tags of the call: X-Service-Tags, or the labels of its job.",
  ),
  end_user: nullable(Type.String(), "Your own id of the person the call was for."),
  subject: Type.String({ description: "What was called: model:provider/model, partner:operation or node:class." }),
  outcome: Type.String({ description: "`succeeded`, or an error code." }),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The HTTP status of the response, if there was one."),
  credits: Credits,
  replayed: Type.Boolean({
    description: "Whether the response replays an earlier one with the same key. Replays are free.",
  }),
  total_ms: count("From request to response, in milliseconds."),
  provider_ms: nullable(Type.Integer({ minimum: 0 }), "The provider's share of that time, if one was called."),
  refused_by: nullable(
    Type.String(),
    "Set if the call failed because a provider or partner refused the account it was called with: which one.",
  ),
  provider_status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "With `refused_by`: its status."),
  provider_words: nullable(Type.String(), "With `refused_by`: its message, without the credential."),
  advice: nullable(Type.String(), "With `refused_by`: who can fix it."),
});
export type UsageRow = Static<typeof UsageRow>;

export const UsagePage = pageOf(UsageRow, "UsagePage", "One page of usage, newest row first.");

export const usageFamilies = ["model", "partner", "node", "job"] as const;

export const usageFilters = {
  subject: text("Only this exact subject."),
  outcome: text("Only this exact outcome."),
  api_key_id: Type.Optional(Uuid),
  tag: Type.Optional(
    Type.String({
      pattern: "^[A-Za-z0-9_.-]{1,40}=",
      maxLength: 300,
      description: "Only calls with this tag: key=value.",
    }),
  ),
  end_user: Type.Optional(
    Type.String({ minLength: 1, maxLength: 128, pattern: "^[!-~]+$", description: "Only calls for this person." }),
  ),
  replayed: Type.Optional(Type.Boolean({ description: "true: only replays. false: everything except replays." })),
  family: Type.Optional(
    wordOf(usageFamilies, { description: "Only subjects with this prefix: `model` matches `model:…`." }),
  ),
  failed: Type.Optional(Type.Boolean({ description: "true: only failures, without replays. false: everything else." })),
};
export const usageSpan = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) };

export const UsageQuery = Type.Object({
  ...usageSpan,
  ...usageFilters,
  request_id: Type.Optional(
    Type.String({
      ...Uuid,
      description:
        "Only rows of this request. Also accepts the id of a call or a queued request, and then includes its replays.",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      description: "Rows per page: 20 by default, at most 100. Larger values are clamped; 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description }));

export const UsageDaysQuery = Type.Object({
  from: day("The first day, in UTC. Defaults to 30 days ago."),
  to: day(`The last day, in UTC, inclusive. Defaults to today. At most ${usageDaysMax} days after \`from\`.`),
  by: Type.Optional(wordOf(["subject"], { description: "Return a separate sum for each subject." })),
  ...usageFilters,
});

export const UsageExportQuery = Type.Object({
  format: Type.Optional(wordOf(["csv", "jsonl"], { description: "Defaults to csv." })),
  ...usageSpan,
  ...usageFilters,
});

export const UsageDay = entity("UsageDay", "Usage on one day.", {
  day: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description: "A UTC day." }),
  subject: Type.Optional(Type.String({ description: "With by=subject: the subject of the sum." })),
  calls: count("All calls except replays."),
  failures: count("Calls that failed."),
  replays: count("Responses replayed for the same key."),
  credits: Credits,
});

export const UsageDayList = entity("UsageDayList", "Usage per day.", {
  data: Type.Array(UsageDay, { description: "Days with usage, newest first." }),
  total: Type.Object(
    {
      calls: count("The number of calls."),
      failures: count("Failures."),
      replays: count("Replays."),
      credits: Credits,
    },
    { description: "The total." },
  ),
});
export type UsageDayList = Static<typeof UsageDayList>;
