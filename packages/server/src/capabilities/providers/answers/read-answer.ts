// Turns a provider's answer into an Outcome. Pure. Rules come first and also run on HTTP 200; anything no rule matches is
// judged by status. No text of the provider reaches the caller except what a rule points at, cut and cleaned.
import { readForeignJson } from "../../../foundation/json/foreign-json.ts";
import { findSpan } from "../../../foundation/json/json-spans.ts";
import type { AnswerLocation, ModelDefinition, PollDefinition, ProviderRule } from "../definition.ts";
import { isPresent, valueAt } from "../json-pointer.ts";
import { type Outcome, outcomeReasons, type ProviderAnswer } from "../outcome.ts";

export interface Received {
  readonly status: number;
  readonly contentType: string;
  readonly body: Buffer;
  // The parsed answer; for a large one, only what its definition names. Undefined if it is not JSON.
  readonly document: unknown;
  // A list of rejected fields as JSON text, in the provider's own spelling. Null if there is none.
  readonly fields: string | null;
  readonly headers: AnswerHeaders;
  // Set if it is an event stream: whether its last event is missing. `document` is the body its events make.
  readonly isCutShort?: boolean;
}

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

// Header names in lower case.
export function received(status: number, headers: AnswerHeaders, body: Buffer): Received {
  const { document, fields } = isJson(headers) ? readDocument(status, body) : notJson;
  return { status, contentType: typeOf(headers), body, headers, document, fields };
}

export const notJson = { document: undefined, fields: null };

export function isJson(headers: AnswerHeaders): boolean {
  return /\bjson\b/i.test(typeOf(headers));
}

export function typeOf(headers: AnswerHeaders): string {
  return headerText(headers["content-type"]) ?? "";
}

export function readDocument(status: number, body: Buffer): Pick<Received, "document" | "fields"> {
  const document = readForeignJson(body);
  return { document, fields: status === 422 ? fieldList(body, document) : null };
}

function headerText(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}

export function valueIn(
  { document, headers }: Pick<Received, "document" | "headers">,
  location: AnswerLocation,
): unknown {
  return typeof location === "string"
    ? valueAt(document, location)
    : headerText(headers[location.header.toLowerCase()]);
}

export function matchRule(
  { rules, result }: Pick<ModelDefinition, "rules" | "result">,
  answer: Received,
): ProviderRule | null {
  return (
    rules?.find(({ when }) => {
      if (when.status !== undefined && !when.status.includes(answer.status)) return false;
      if (when.without_result && hasResult(result, answer)) return false;
      if (when.pointer === undefined) return when.status !== undefined;
      const value = valueAt(answer.document, when.pointer);
      if (when.present !== undefined && isPresent(value) !== when.present) return false;
      if (when.equals !== undefined && value !== when.equals) return false;
      if (when.prefix !== undefined && !(typeof value === "string" && value.startsWith(when.prefix))) return false;
      if (
        when.in !== undefined &&
        !((typeof value === "string" || typeof value === "number") && when.in.includes(value))
      )
        return false;
      return (
        when.present !== undefined || when.equals !== undefined || when.prefix !== undefined || when.in !== undefined
      );
    }) ?? null
  );
}

function hasResult(pointers: readonly string[] | undefined, answer: Received): boolean {
  return pointers?.some((pointer) => isPresent(valueAt(answer.document, pointer))) ?? true;
}

export type SubmitReading =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "retry_later" }
  | { readonly kind: "accepted" };

// Reads the answer to the submission. `accepted` means: take the handle and poll.
export function readSubmit(model: ModelDefinition, answer: Received): SubmitReading {
  const ruled = byRule(model, answer, false);
  if (ruled) return ruled;
  const byStatus = judgeStatus(answer, false);
  if (byStatus) return byStatus;
  if (model.poll) return { kind: "accepted" };
  return { kind: "outcome", outcome: completedOr(model, answer) };
}

// Reads a stream that the provider began: it has taken on the work. If the last event is missing, only the provider knows how
// the call ended.
export function readStreamed(model: ModelDefinition, answer: Received): SubmitReading {
  const ruled = byRule(model, answer, true);
  if (ruled) return ruled;
  const { failed } = model.stream ?? {};
  if (failed !== undefined && isPresent(valueAt(answer.document, failed))) {
    const reason = "the provider reported a failure";
    return { kind: "outcome", outcome: { kind: "failed", accepted: true, upstreamStatus: answer.status, reason } };
  }
  const outcome: Outcome = answer.isCutShort
    ? { kind: "no_answer", reason: "the stream broke off" }
    : completedOr(model, answer);
  return { kind: "outcome", outcome };
}

// The status is about our request, not about the work we are asking about.
export function isPollingTrouble(status: number): boolean {
  return [401, 402, 403, 408, 429].includes(status) || status >= 500;
}

export type PollReading =
  | { readonly kind: "outcome"; readonly outcome: Outcome }
  | { readonly kind: "pending" }
  // The task succeeded, and its output is at another address.
  | { readonly kind: "fetch" };

// An unknown state counts as pending until the deadline, because providers add states without notice. So does a task we
// are not allowed to look at just now: its work was accepted, and trouble with our account does not end it.
export function readPoll(model: ModelDefinition, poll: PollDefinition, answer: Received): PollReading {
  const ruled = byRule(model, answer, true);
  if (ruled?.kind === "outcome") return ruled;
  if (isPollingTrouble(answer.status)) return { kind: "pending" };
  if (answer.status >= 400) {
    return {
      kind: "outcome",
      outcome: { kind: "failed", accepted: true, upstreamStatus: answer.status, reason: "the task could not be read" },
    };
  }
  const state = String(valueAt(answer.document, poll.state) ?? "").toLowerCase();
  const isOneOf = (words: readonly string[] | undefined) =>
    words?.some((word) => word.toLowerCase() === state) ?? false;
  const message = textAt(answer.document, poll.message);
  if (isOneOf(poll.succeeded))
    return poll.fetch ? { kind: "fetch" } : { kind: "outcome", outcome: completedOr(model, answer) };
  if (isOneOf(poll.refused))
    return { kind: "outcome", outcome: { kind: "refused", message, upstreamStatus: answer.status } };
  if (isOneOf(poll.cancelled)) {
    const reported = reportOf(model, answer);
    return { kind: "outcome", outcome: { kind: "cancelled", upstreamStatus: answer.status, reported } };
  }
  if (isOneOf(poll.failed)) {
    return {
      kind: "outcome",
      outcome: { kind: "failed", accepted: true, upstreamStatus: answer.status, reason: "the task failed" },
    };
  }
  return { kind: "pending" };
}

// Reads the output of a successful task from its own address. Trouble reading it does not end the call.
export function readFetched(model: ModelDefinition, answer: Received): PollReading {
  const ruled = byRule(model, answer, true);
  if (ruled?.kind === "outcome") return ruled;
  const { status } = answer;
  if (model.poll?.fetch?.failed?.includes(status)) {
    const reason = "the task failed";
    return { kind: "outcome", outcome: { kind: "failed", accepted: true, upstreamStatus: status, reason } };
  }
  if (isPollingTrouble(status)) return { kind: "pending" };
  if (status >= 400) {
    const detail = answer.fields;
    return { kind: "outcome", outcome: { kind: "rejected_input", message: null, detail, upstreamStatus: status } };
  }
  return { kind: "outcome", outcome: completedOr(model, answer) };
}

function byRule(model: ModelDefinition, answer: Received, accepted: boolean): SubmitReading | null {
  const rule = matchRule(model, answer);
  if (!rule) return null;
  const upstreamStatus = answer.status;
  const message = textAt(answer.document, rule.message);
  const outcome = (value: Outcome): SubmitReading => ({ kind: "outcome", outcome: value });
  switch (rule.means) {
    case "refused":
      return outcome({ kind: "refused", message, upstreamStatus });
    case "rejected_input":
      return outcome({ kind: "rejected_input", message, detail: answer.fields, upstreamStatus });
    case "timed_out":
      return outcome({ kind: "provider_timed_out", accepted, upstreamStatus });
    case "our_account":
      return accepted ? null : outcome({ kind: "failed", accepted, upstreamStatus, reason: outcomeReasons.ourAccount });
    case "rate_limited":
      return accepted ? null : { kind: "retry_later" };
    case "not_run":
      return outcome({ kind: "failed", accepted, upstreamStatus, reason: outcomeReasons.notRun });
    case "failed":
      return outcome({ kind: "failed", accepted, upstreamStatus, reason: "the provider reported a failure" });
  }
}

function judgeStatus(answer: Received, accepted: boolean): SubmitReading | null {
  const { status } = answer;
  if (status >= 200 && status < 300) return null;
  const outcome = (value: Outcome): SubmitReading => ({ kind: "outcome", outcome: value });
  if (status === 429) return { kind: "retry_later" };
  if (status === 408 || status === 504)
    return outcome({ kind: "provider_timed_out", accepted, upstreamStatus: status });
  if (status === 401 || status === 402 || status === 403) {
    return outcome({ kind: "failed", accepted: false, upstreamStatus: status, reason: outcomeReasons.ourAccount });
  }
  if (status >= 400 && status < 500)
    return outcome({ kind: "rejected_input", message: null, detail: answer.fields, upstreamStatus: status });
  return outcome({ kind: "failed", accepted, upstreamStatus: status, reason: "the provider failed" });
}

// Success with nothing in it counts as a failure of the provider.
function completedOr(model: ModelDefinition, answer: Received): Outcome {
  const native: ProviderAnswer = {
    status: 200,
    contentType: answer.contentType || "application/json",
    body: answer.body,
  };
  const failed = (reason: string): Outcome => ({
    kind: "failed",
    accepted: true,
    upstreamStatus: answer.status,
    reason,
  });
  if (model.output_types?.some((type) => answer.contentType.toLowerCase().startsWith(type))) {
    return answer.body.byteLength > 0
      ? { kind: "completed", answer: native, reported: reportOf(model, answer) }
      : failed("an empty answer");
  }
  if (answer.document === undefined) return failed("an answer that is not JSON");
  if (!hasResult(model.result, answer)) return failed("a success without a result");
  return { kind: "completed", answer: native, reported: reportOf(model, answer) };
}

function reportOf(model: ModelDefinition, answer: Received): Readonly<Record<string, number | string>> {
  const report: Record<string, number | string> = {};
  for (const [name, location] of Object.entries(model.usage ?? {})) {
    const value = valueIn(answer, location);
    // A figure that is not a number (1e999) counts as not reported; then the price's own rule applies.
    if (typeof value === "string" || (typeof value === "number" && Number.isFinite(value))) report[name] = value;
  }
  return report;
}

// A FastAPI-style list of rejected fields: {detail: [{loc, msg, type}, …]}. Passed on as written, so that numbers keep
// their spelling.
function fieldList(body: Buffer, document: unknown): string | null {
  const detail = valueAt(document, "/detail");
  if (!Array.isArray(detail) || detail.length === 0 || !detail.every(isField)) return null;
  const span = findSpan(body, "/detail");
  return span && body.toString("utf8", span.start, span.end);
}

function isField(entry: unknown): boolean {
  if (typeof entry !== "object" || entry === null) return false;
  return Array.isArray(Reflect.get(entry, "loc")) && typeof Reflect.get(entry, "msg") === "string";
}

function textAt(document: unknown, pointer: string | undefined): string | null {
  return pointer === undefined ? null : plainWords(valueAt(document, pointer));
}

// At most 300 characters, without control characters and anything that looks like a host address. Only the beginning is
// examined, since a provider's text can be as long as its answer. A word that the cut would split is dropped, because a
// search for secrets would not find half of one.
export function plainWords(value: unknown): string | null {
  if (typeof value !== "string") return null;
  const whole = value.length > 1000 ? value.slice(0, 1000).replace(/\S*$/, "") : value;
  const clean = whole
    .replace(/\p{Cc}+/gu, " ")
    .replace(/\b(?:[a-z][a-z0-9+.-]{0,20}:\/\/|www\.)\S+/gi, "…")
    .replace(/\[[0-9a-f:.]+\](?::\d+)?/gi, "…")
    .replace(/\b(?:localhost|(?:\d{1,3}\.){3}\d{1,3}|(?:[a-z0-9_-]+\.)+[a-z]{2,})(?::\d+)?/gi, "…")
    .trim();
  const kept = clean.length > wordsLengthMax ? clean.slice(0, wordsLengthMax).replace(/[\w+/=.~%:-]*$/, "") : clean;
  return kept === "" ? null : kept;
}

const wordsLengthMax = 300;
