// Everything known about one request of a workspace: what it used, the call that paid for it, the queue or partner it waited
// for, its journal lines, and the answer that a repeat would get.
import { type Static, Type } from "typebox";
import { ModelRequest } from "../model-requests.ts";
import { Credits, entity, nullable, Timestamp, Uuid, wordOf } from "../wire-values.ts";
import { CreditLine } from "./credits.ts";
import { UsageRow } from "./usage.ts";

const milliseconds = (description: string) => nullable(Type.Integer({ minimum: 0 }), description);

const Call = Type.Object(
  {
    id: Uuid,
    state: wordOf(["open", "finished", "unknown"], {
      description: "`unknown`: what became of it can never be known; nothing was charged.",
    }),
    outcome: nullable(
      Type.String(),
      "What became of the call itself, which may be more than its caller saw: a lost answer is 502, and the call can succeed later. Null while it is open.",
    ),
    model: nullable(Type.String(), "provider/model; null for anything else."),
    held: nullable(Credits, "What was set aside for it."),
    charged: nullable(Credits, "What it cost; null while it is open."),
    created_at: Timestamp,
    ended_at: nullable(Timestamp, "Null while it is open."),
    idempotency_key: nullable(Type.String(), "The key it was sent under; null for none, or one of ours."),
    key_answers_until: nullable(Timestamp, "Until when a repeat under that key gets the recorded answer."),
  },
  { description: "The call that paid for it." },
);

const PartnerTask = Type.Object(
  {
    id: Uuid,
    partner: Type.String(),
    operation: Type.String(),
    state: wordOf(["created", "running", "completed", "failed"], { description: "How far it is." }),
    created_at: Timestamp,
    ended_at: nullable(Timestamp, "Null while it is open."),
  },
  { description: "The task at a partner." },
);

const Answer = Type.Object(
  {
    stored: Type.Boolean({ description: "A repeat gets these bytes." }),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    content_type: nullable(Type.String(), "Of the bytes."),
    bytes: Type.Integer({ minimum: 0 }),
    expires_at: Timestamp,
  },
  { description: "The recorded answer." },
);

const ErrorAnswer = Type.Object(
  {
    at: Timestamp,
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.String({ description: "The bucket of the router, or the code of the other areas." }),
    message: Type.String(),
    method: Type.String(),
    path: Type.String({ description: "What is secret in it is cut." }),
    fields: Type.Array(
      Type.Object({ loc: Type.Array(Type.Union([Type.String(), Type.Integer()])), msg: Type.String() }),
      { description: "The rejected fields, twenty at most." },
    ),
  },
  { description: "The error, as its caller saw it." },
);

const Attempt = Type.Object(
  {
    at: Timestamp,
    ms: Type.Integer({ minimum: 0 }),
    step: wordOf(["submit", "poll"], {
      description: "`submit`: it was asked to begin. `poll`: it was asked how it stands.",
    }),
    status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The provider's; null: no answer came."),
    words: nullable(Type.String(), "Its first words, without secrets and addresses, or why no answer came."),
  },
  { description: "One question to the provider." },
);

export const AccountRequest = entity("AccountRequest", "One request, whole.", {
  request_id: Type.String({
    ...Uuid,
    description: "As it was asked for: of the request, its call or the queued request.",
  }),
  subject: Type.String({
    description:
      "What was asked for: model:provider/model, partner:operation, node:class; of a request that was refused before any call, its method and path.",
  }),
  outcome: nullable(
    Type.String(),
    "As the caller saw it: `succeeded`, or the word for what went wrong; null while it is under way.",
  ),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The HTTP status of the answer, if there was one."),
  at: Timestamp,
  credits: Credits,
  replayed: Type.Boolean({ description: "The answer repeats an earlier one under the same key." }),
  total_ms: milliseconds("From the request to its answer; null while it is under way."),
  provider_ms: milliseconds("The provider's part of it, if one was asked."),
  api_key_id: nullable(Uuid, "The key that asked; null for a person."),
  key_name: nullable(Type.String(), "The name of that key."),
  error_answer: nullable(ErrorAnswer, "Null where the answer was no error, or it is kept no more."),
  attempts: Type.Array(Attempt, { description: "How the provider was asked, where that did not go well at once." }),
  rows: Type.Array(UsageRow, { description: "What it used, the newest first; with replays, twenty at most." }),
  call: nullable(Call, "Null where none was begun."),
  queued: nullable(ModelRequest, "Null where it was not queued, or a day after it has completed."),
  partner_task: nullable(PartnerTask, "Null where no partner was asked."),
  job_id: nullable(Uuid, "The job that made the call."),
  node_id: nullable(Type.String(), "The node of that job."),
  credit_lines: Type.Array(CreditLine, { description: "The lines of the journal that it wrote." }),
  replays: Type.Integer({ minimum: 0, description: "How often its answer was repeated." }),
  answer: nullable(Answer, "Null where none is recorded."),
});
export type AccountRequest = Static<typeof AccountRequest>;
