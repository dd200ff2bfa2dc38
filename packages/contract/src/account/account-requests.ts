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
      description: "`unknown`: the outcome can never be known; nothing was charged.",
    }),
    outcome: nullable(
      Type.String(),
      "The outcome of the call itself, which can differ from what the caller saw: if the response was lost, the caller got a 502, but the call can still succeed later. Null while the call is open.",
    ),
    model: nullable(Type.String(), "provider/model; null if it is not a model call."),
    held: nullable(Credits, "The credits held for it."),
    charged: nullable(Credits, "What it cost; null while the call is open."),
    created_at: Timestamp,
    ended_at: nullable(Timestamp, "Null while the call is open."),
    idempotency_key: nullable(
      Type.String(),
      "The idempotency key it was sent with; null if there was none or the server chose it.",
    ),
    key_answers_until: nullable(Timestamp, "Until when a retry with that key gets the recorded response."),
  },
  { description: "The call that paid for it." },
);

const PartnerTask = Type.Object(
  {
    id: Uuid,
    partner: Type.String(),
    operation: Type.String(),
    state: wordOf(["created", "running", "completed", "failed"], { description: "Its status." }),
    created_at: Timestamp,
    ended_at: nullable(Timestamp, "Null while the task is open."),
  },
  { description: "The task at a partner." },
);

const Answer = Type.Object(
  {
    stored: Type.Boolean({ description: "The bytes that a retry gets." }),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    content_type: nullable(Type.String(), "The content type of the bytes."),
    bytes: Type.Integer({ minimum: 0 }),
    expires_at: Timestamp,
  },
  { description: "The recorded response." },
);

const ErrorAnswer = Type.Object(
  {
    at: Timestamp,
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    code: Type.String({ description: "The router's error type, or the error code of the other APIs." }),
    message: Type.String(),
    method: Type.String(),
    path: Type.String({ description: "Secrets are removed." }),
    fields: Type.Array(
      Type.Object({ loc: Type.Array(Type.Union([Type.String(), Type.Integer()])), msg: Type.String() }),
      { description: "The rejected fields, at most 20." },
    ),
  },
  { description: "The error the caller saw." },
);

const Attempt = Type.Object(
  {
    at: Timestamp,
    ms: Type.Integer({ minimum: 0 }),
    step: wordOf(["submit", "poll"], {
      description: "`submit`: start the task. `poll`: ask for its status.",
    }),
    status: nullable(
      Type.Integer({ minimum: 100, maximum: 599 }),
      "The provider's HTTP status; null if it did not respond.",
    ),
    words: nullable(Type.String(), "The start of its response, without secrets and URLs, or why there was none."),
    target: Type.Optional(Type.String({ description: "On a call of a route: the model that was asked." })),
  },
  { description: "One call to the provider." },
);

const Check = Type.Object(
  {
    at: Timestamp,
    ms: Type.Integer({ minimum: 0, description: "How long the verdict took." }),
    stage: wordOf(["input", "answer"], {
      description: "`input`: before the call was sent. `answer`: before its answer was delivered.",
    }),
    verdict: wordOf(["allowed", "refused", "replaced", "passed_unchecked", "failed"], {
      description:
        "`passed_unchecked`: no verdict came, and the operator lets such calls pass. `failed`: no usable verdict came, and the call ended.",
    }),
    reason: nullable(Type.String(), "Why it was refused, or why there was no verdict."),
  },
  { description: "One question to the operator's safety hook." },
);

export const AccountRequest = entity("AccountRequest", "One request with all its details.", {
  request_id: Type.String({
    ...Uuid,
    description: "The id that was looked up: of the request, its call or the queued request.",
  }),
  subject: Type.String({
    description:
      "What was called: model:provider/model, partner:operation or node:class. For a request that was refused before any call: its method and path.",
  }),
  outcome: nullable(
    Type.String(),
    "The outcome the caller saw: `succeeded` or an error code; null while it is in progress.",
  ),
  status: nullable(Type.Integer({ minimum: 100, maximum: 599 }), "The HTTP status of the response, if there was one."),
  at: Timestamp,
  credits: Credits,
  replayed: Type.Boolean({ description: "Whether the response replays an earlier one with the same key." }),
  total_ms: milliseconds("From request to response; null while it is in progress."),
  provider_ms: milliseconds("The provider's share of that time, if one was called."),
  api_key_id: nullable(Uuid, "The key that made the request; null for a person."),
  key_name: nullable(Type.String(), "The key's name."),
  error_answer: nullable(ErrorAnswer, "Null if the request did not fail or the error is no longer kept."),
  attempts: Type.Array(Attempt, {
    description: "The calls to the provider, if the first one did not succeed. For a route: all of them.",
  }),
  checks: Type.Array(Check, { description: "What the operator's safety hook said, in order. Empty without one." }),
  kept_outputs: Type.Array(Uuid, { description: "The assets that hold copies of the response's files." }),
  rows: Type.Array(UsageRow, { description: "Its usage rows including replays, newest first; at most 20." }),
  call: nullable(Call, "Null if no call was started."),
  queued: nullable(ModelRequest, "Null if it was not queued, or completed more than a day ago."),
  partner_task: nullable(PartnerTask, "Null if no partner was called."),
  job_id: nullable(Uuid, "The job that made the call."),
  node_id: nullable(Type.String(), "The node of that job."),
  credit_lines: Type.Array(CreditLine, { description: "The journal lines it wrote." }),
  replays: Type.Integer({ minimum: 0, description: "How often its response was replayed." }),
  answer: nullable(Answer, "Null if no response is recorded."),
});
export type AccountRequest = Static<typeof AccountRequest>;
