// What a workspace used: one row for every call, replay and counted refusal, and daily sums.
import { type Static, Type } from "typebox";
import { Cursor, pageOf } from "../pagination.ts";
import { Credits, entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";

const text = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 300, description }));
const count = (description: string) => Type.Integer({ minimum: 0, description });

export const usageDaysMax = 400;

export const UsageRow = entity("UsageRow", "One use of something.", {
  id: Uuid,
  at: Timestamp,
  request_id: nullable(Uuid, "The request it belongs to, as its answer named it."),
  call_id: nullable(Uuid, "The call; a replay names the call it repeats."),
  api_key_id: nullable(Uuid, "The key that asked; null for a person."),
  subject: Type.String({ description: "What was asked for: model:provider/model, partner:operation, node:class." }),
  outcome: Type.String({ description: "`succeeded`, or the word for what went wrong." }),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The HTTP status of the answer, if there was one."),
  credits: Credits,
  replayed: Type.Boolean({ description: "The answer repeats an earlier one under the same key; it cost nothing." }),
  total_ms: count("From the request to its answer, in milliseconds."),
  provider_ms: nullable(Type.Integer({ minimum: 0 }), "The provider's part of it, if one was asked."),
  refused_by: nullable(
    Type.String(),
    "With a call that failed because a provider or partner did not accept the account it was asked with: which one.",
  ),
  provider_status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "With `refused_by`: its status."),
  provider_words: nullable(Type.String(), "With `refused_by`: what it said, without the credential."),
  advice: nullable(Type.String(), "With `refused_by`: who can mend that."),
});
export type UsageRow = Static<typeof UsageRow>;

export const UsagePage = pageOf(UsageRow, "UsagePage", "One page of usage, the newest row first.");
export type UsagePage = Static<typeof UsagePage>;

export const usageFamilies = ["model", "partner", "node", "job"] as const;

export const usageFilters = {
  subject: text("Only this subject, exactly."),
  outcome: text("Only this outcome, exactly."),
  api_key_id: Type.Optional(Uuid),
  replayed: Type.Optional(Type.Boolean({ description: "Only replays, or only what is none." })),
  family: Type.Optional(wordOf(usageFamilies, { description: "Only what begins so: `model` stands for `model:…`." })),
  failed: Type.Optional(Type.Boolean({ description: "Only what did not succeed, replays aside; or only the rest." })),
};
export const usageSpan = { from: Type.Optional(Timestamp), to: Type.Optional(Timestamp) };

export const UsageQuery = Type.Object({
  ...usageSpan,
  ...usageFilters,
  request_id: Type.Optional(
    Type.String({
      ...Uuid,
      description: "Only what belongs to this request. Also the id of a call or a queued request, with its replays.",
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      description: "Rows on a page, 20 if absent; above 100 it is clamped, 0 or less means the default.",
    }),
  ),
  cursor: Type.Optional(Cursor),
});

const day = (description: string) =>
  Type.Optional(Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description }));

export const UsageDaysQuery = Type.Object({
  from: day("The first day, UTC; 30 days back if absent."),
  to: day(`The last day, UTC and included; today if absent. At most ${usageDaysMax} days after \`from\`.`),
  by: Type.Optional(wordOf(["subject"], { description: "Sum every subject apart." })),
  ...usageFilters,
});

export const UsageExportQuery = Type.Object({
  format: Type.Optional(wordOf(["csv", "jsonl"], { description: "csv if absent." })),
  ...usageSpan,
  ...usageFilters,
});

export const UsageDay = entity("UsageDay", "What was used on one day.", {
  day: Type.String({ pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description: "A UTC day." }),
  subject: Type.Optional(Type.String({ description: "With by=subject: whose sum it is." })),
  calls: count("Everything asked for but replays."),
  failures: count("Those of the calls that did not succeed."),
  replays: count("Answers repeated under their key."),
  credits: Credits,
});
export type UsageDay = Static<typeof UsageDay>;

export const UsageDayList = entity("UsageDayList", "Usage summed by the day.", {
  data: Type.Array(UsageDay, { description: "Days with any use, the newest first." }),
  total: Type.Object(
    { calls: count("Calls."), failures: count("Failures."), replays: count("Replays."), credits: Credits },
    { description: "The sum over all of it." },
  ),
});
export type UsageDayList = Static<typeof UsageDayList>;
