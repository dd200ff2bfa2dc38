// One call at a provider, from the first byte to the outcome. The provider gets the caller's bytes, and our reference if
// it accepts one. If the provider refuses the submission because of its rate limit, we retry at most three times within
// five seconds; nothing else is ever sent twice from here.
import type { Clock } from "../../foundation/clock.ts";
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import { credentialRedaction, redactAnswer } from "../../foundation/http/outgoing/redact-answer.ts";
import type { StreamTap, UpstreamOutcome, UpstreamRequest } from "../../foundation/http/outgoing/upstream-outcome.ts";
import { findSpan } from "../../foundation/json/json-spans.ts";
import type { Redaction } from "../../foundation/redaction.ts";
import type { AnswerReader } from "./answers/answer-reader.ts";
import {
  isPollingTrouble,
  matchRule,
  type Received,
  readFetched,
  readPoll,
  readStreamed,
  readSubmit,
  valueIn,
} from "./answers/read-answer.ts";
import { saidWords } from "./answers/said-words.ts";
import type { AnswerLocation, PollDefinition } from "./definition.ts";
import { encodeForm, type FormBody } from "./multipart-body.ts";
import { type Attempt, type Outcome, outcomeReasons } from "./outcome.ts";
import type { ServedModel } from "./served-model.ts";
import { eventStreamType, streamOf } from "./streams/stream-definition.ts";
import { type LiveReader, tapAnswer } from "./streams/tap-answer.ts";

export interface RunDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  readonly answers: Pick<AnswerReader, "read" | "whole">;
  // Called if the provider did not accept the credential of this setting.
  credentialRefused?(refusal: RefusedCredential): void;
}

export interface RefusedCredential {
  readonly holder: string;
  readonly setting: string;
  readonly status: number;
  readonly words: string | null;
}

export interface ModelRun {
  // Our call id, given to the provider as reference.
  readonly reference: string;
  readonly body: Buffer;
  // For multipart providers, which need the members separately.
  readonly document: unknown;
  readonly exactIntegers: ReadonlyMap<string, string>;
  // The form, if it was built already.
  readonly form?: FormBody;
  // Fires at the end of the model's longest run, never because a caller went away.
  readonly signal: AbortSignal;
  // Called with the provider's handle before the first poll; anything it writes is committed when it resolves.
  accepted(handle: TaskHandle): Promise<void>;
  // Reads along if the input asks for a stream and the provider begins one.
  readonly live?: LiveReader;
  // How often a submission that the provider's rate limit refused is sent again. Three times if absent.
  readonly rateRetries?: number;
  // The caller lets it wait longer.
  readonly rateWait?: RateWait;
  // Called for every submission, and for the poll that found a failure.
  attempted?(attempt: Attempt): void;
}

export interface RateWait {
  readonly ms: number;
  // Commits that it is sent again. False if another process has taken the call over.
  maySendAgain(): Promise<boolean>;
}

// Everything another process needs to continue polling.
export interface TaskHandle {
  readonly url: string;
  // Where to fetch the output once the task has succeeded. If absent, it is in the poll's answer.
  readonly resultUrl?: string;
  // Where it can be asked to stop.
  readonly cancelUrl?: string;
}

const rateRetriesMax = 3;
const rateRetryMs = 1_500;

export async function runModel(deps: RunDeps, model: ServedModel, run: ModelRun): Promise<Outcome> {
  const startedMs = deps.clock.monotonicMs();
  for (let attempt = 1; ; attempt++) {
    const note = noting(deps, "submit", run.attempted);
    const sent = bounded(await submit(deps, model, run));
    if (sent.kind === "too_large") {
      note(sent.status, outcomeReasons.tooLarge);
      return tooLarge(sent);
    }
    if (sent.kind !== "answered") {
      const fault = outcomeOfFault(sent);
      note(null, fault.reason);
      return fault;
    }
    const answer = await deps.answers.read(model.definition, sent);
    const reading = readingOf(model, answer);
    const isWell = reading.kind === "accepted" || (reading.kind === "outcome" && reading.outcome.kind === "completed");
    note(answer.status, isWell ? null : saidWords(answer));
    if (reading.kind === "outcome") {
      const { outcome } = reading;
      const isRefused = outcome.kind === "failed" && outcome.reason === outcomeReasons.ourAccount;
      return isRefused ? { ...outcome, refusedAccount: reportRefusal(deps, model, answer) } : outcome;
    }
    if (reading.kind === "accepted") return pollAccepted(deps, model, run, answer);
    const pauseMs = pauseBefore(run, attempt, answer, deps.clock.monotonicMs() - startedMs);
    if (pauseMs === null || run.signal.aborted || !(await waited(deps, run, pauseMs))) {
      const retryAfterSeconds = retryAfterOf(answer);
      return {
        kind: "failed",
        accepted: false,
        upstreamStatus: answer.status,
        reason: outcomeReasons.busy,
        retryAfterSeconds,
      };
    }
  }
}

// Null: it is not sent again.
function pauseBefore({ rateRetries, rateWait }: ModelRun, attempt: number, answer: Received, elapsedMs: number) {
  if (rateWait === undefined) return attempt > (rateRetries ?? rateRetriesMax) ? null : rateRetryMs;
  const pauseMs = (saidRetryAfter(answer) ?? Math.min(retryAfterUnsaid, 1.5 * attempt)) * 1000;
  return elapsedMs + pauseMs <= rateWait.ms ? pauseMs : null;
}

async function waited({ clock }: Pick<RunDeps, "clock">, run: ModelRun, pauseMs: number): Promise<boolean> {
  await clock.sleep(pauseMs, run.signal);
  if (run.rateWait === undefined) return true;
  return !run.signal.aborted && (await run.rateWait.maySendAgain().catch(() => false));
}

function readingOf({ definition }: ServedModel, answer: Received) {
  return answer.isCutShort === undefined ? readSubmit(definition, answer) : readStreamed(definition, answer);
}

function noting(deps: Pick<RunDeps, "clock">, step: Attempt["step"], report: ModelRun["attempted"]) {
  const at = deps.clock.now().toISOString();
  const startedMs = deps.clock.monotonicMs();
  return (status: number | null, words: string | null): void =>
    report?.({ at, ms: Math.round(deps.clock.monotonicMs() - startedMs), step, status, words });
}

// We wait as long as the provider asks, at most an hour. It may name no time, or a date.
const retryAfterMax = 3_600;
const retryAfterUnsaid = 10;

function retryAfterOf(answer: Received): number {
  return saidRetryAfter(answer) ?? retryAfterUnsaid;
}

function saidRetryAfter({ headers }: Received): number | null {
  const said = headers["retry-after"];
  if (typeof said !== "string" || !/^\d{1,9}$/.test(said.trim())) return null;
  return Math.min(retryAfterMax, Math.max(1, Number(said)));
}

// If the credential is the workspace's own, the workspace must fix it, so we tell its callers.
function reportRefusal(deps: RunDeps, model: ServedModel, answer: Received): Omit<RefusedCredential, "setting"> {
  const refused = { holder: `provider ${model.provider}`, status: answer.status, words: saidWords(answer) };
  const setting = model.credentialSetting;
  if (setting !== undefined && Reflect.get(model, "isOwnCredential") !== true)
    deps.credentialRefused?.({ ...refused, setting });
  return refused;
}

// Removes our credential from every answer before any part of it is read or passed on.
async function fetchAs(
  upstream: Upstream,
  model: ServedModel,
  request: UpstreamRequest,
  tapping?: (redaction: Redaction | null) => StreamTap,
): Promise<UpstreamOutcome> {
  const names = Object.keys(model.credentialHeaders());
  const said = names.flatMap((name) => request.headers[name] ?? []);
  const redaction = names.length === 0 ? null : credentialRedaction([...said, ...(model.secrets?.() ?? [])]);
  const sent = await upstream.fetch(tapping ? { ...request, tap: tapping(redaction) } : request);
  return redaction === null ? sent : redactAnswer(sent, redaction);
}

function submit({ upstream }: RunDeps, model: ServedModel, run: ModelRun): Promise<UpstreamOutcome> {
  const { submit: definition } = model.definition;
  const isForm = definition.encoding === "multipart";
  const form = isForm ? (run.form ?? encodeForm(model.definition, run.document, run.exactIntegers)) : null;
  const stream = streamOf(model.definition, run.document);
  const request: UpstreamRequest = {
    url: submitUrl(model, run.reference),
    method: "POST",
    headers: {
      "content-type": form?.contentType ?? "application/json",
      accept: stream ? eventStreamType : acceptOf(model),
      ...model.headers,
      ...definition.headers,
      ...(model.referenceHeader ? { [model.referenceHeader.toLowerCase()]: run.reference } : {}),
      ...model.credentialHeaders(),
    },
    body: form?.body ?? run.body,
    signal: run.signal,
  };
  if (stream === null) return fetchAs(upstream, model, request);
  return fetchAs(upstream, model, request, (redaction) => tapAnswer(stream, redaction, run.live ?? null));
}

// One URL for all calls of a model, unless it contains the call's reference.
const submitUrls = new WeakMap<ServedModel, URL>();

function submitUrl(model: ServedModel, reference: string): URL {
  const { path } = model.definition.submit;
  if (path.includes("{")) return new URL(`${model.baseUrl}${fill(path, { reference })}`);
  const known = submitUrls.get(model);
  if (known) return known;
  const url = new URL(`${model.baseUrl}${path}`);
  submitUrls.set(model, url);
  return url;
}

async function pollAccepted(deps: RunDeps, model: ServedModel, run: ModelRun, answer: Received): Promise<Outcome> {
  const { poll } = model.definition;
  const handle = poll ? handleOf(model, poll, answer) : null;
  if (!poll || handle === null) {
    return { kind: "failed", accepted: true, upstreamStatus: answer.status, reason: "no usable handle to ask with" };
  }
  await run.accepted(handle);
  for (
    let waitMs = poll.interval_ms;
    ;
    waitMs = Math.min(poll.interval_ms_max ?? poll.interval_ms * 4, waitMs * 1.25)
  ) {
    await deps.clock.sleep(waitMs, run.signal);
    if (run.signal.aborted) return { kind: "provider_timed_out", accepted: true, upstreamStatus: null };
    const outcome = await pollOnce(deps, model, handle, run.signal, run.attempted);
    if (outcome !== null) return outcome;
  }
}

// Null if it is still running or cannot be reached right now.
export async function pollOnce(
  deps: RunDeps,
  model: ServedModel,
  handle: TaskHandle,
  signal: AbortSignal,
  attempted?: ModelRun["attempted"],
): Promise<Outcome | null> {
  const { upstream, answers } = deps;
  const note = noting(deps, "poll", attempted);
  const { poll } = model.definition;
  if (!poll) return null;
  const get = async (url: string, accept: string) => {
    const headers = { accept, ...model.headers, ...model.credentialHeaders() };
    const sent = bounded(await fetchAs(upstream, model, { url: new URL(url), method: "GET", headers, signal }));
    if (sent.kind === "too_large") {
      note(sent.status, outcomeReasons.tooLarge);
      return tooLarge(sent);
    }
    return sent.kind === "answered" ? answers.read(model.definition, sent) : null;
  };
  const noteOutcome = (outcome: Outcome, answer: Received) => {
    if (outcome.kind !== "completed") note(answer.status, saidWords(answer));
    return outcome;
  };
  const answer = await get(handle.url, "application/json");
  if (answer === null || "kind" in answer) return answer;
  const reading = readPoll(model.definition, poll, answer);
  if (reading.kind === "outcome") return noteOutcome(reading.outcome, answer);
  if (reading.kind === "pending" && (answer.status === 401 || answer.status === 403))
    reportRefusal(deps, model, answer);
  if (reading.kind === "pending" || handle.resultUrl === undefined) return null;
  const output = await get(handle.resultUrl, acceptOf(model));
  if (output === null || "kind" in output) return output;
  const fetched = readFetched(model.definition, output);
  return fetched.kind === "outcome" ? noteOutcome(fetched.outcome, output) : null;
}

function acceptOf({ definition }: ServedModel): string {
  return definition.output_types?.join(", ") ?? "application/json";
}

export type Asked =
  | { readonly kind: "not_found" }
  | { readonly kind: "running" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "ended"; readonly outcome: Outcome };

// After a crash: asks what the provider did with our reference.
export async function askAbout(
  deps: RunDeps,
  model: ServedModel,
  reference: string,
  signal: AbortSignal,
  attempted?: ModelRun["attempted"],
): Promise<Asked> {
  const { ask } = model.definition;
  if (!ask) return { kind: "unreachable" };
  const note = noting(deps, "poll", attempted);
  const sent = bounded(
    await fetchAs(deps.upstream, model, {
      url: new URL(`${model.baseUrl}${fill(ask.path, { reference })}`),
      method: "GET",
      headers: { accept: "*/*", ...model.headers, ...model.credentialHeaders() },
      signal,
    }),
  );
  if (sent.kind === "too_large") return { kind: "ended", outcome: tooLarge(sent) };
  if (sent.kind !== "answered") return { kind: "unreachable" };
  if (ask.not_found.includes(sent.status)) return { kind: "not_found" };
  if (ask.running.includes(sent.status)) return { kind: "running" };
  const answer = await deps.answers.read(model.definition, sent);
  if (saysNothing(model, answer)) return { kind: "unreachable" };
  const reading = readingOf(model, answer);
  if (reading.kind === "outcome") {
    if (reading.outcome.kind !== "completed") note(answer.status, saidWords(answer));
    return { kind: "ended", outcome: reading.outcome };
  }
  const handle =
    reading.kind === "accepted" && model.definition.poll ? handleOf(model, model.definition.poll, answer) : null;
  if (handle === null) return { kind: "unreachable" };
  const outcome = await pollOnce(deps, model, handle, signal, attempted);
  return outcome === null ? { kind: "running" } : { kind: "ended", outcome };
}

// A refused key or a broken look-up says nothing about the call. If we took it for the provider's refusal, it would free
// the Idempotency-Key, and a retry would run the call a second time.
function saysNothing(model: ServedModel, answer: Received): boolean {
  const rule = matchRule(model.definition, answer);
  return rule ? rule.means === "our_account" || rule.means === "rate_limited" : isPollingTrouble(answer.status);
}

export function handleOf(model: ServedModel, poll: PollDefinition, answer: Received): TaskHandle | null {
  const handle = poll.handle === undefined ? "" : idIn(answer, poll.handle);
  if (handle === null) return null;
  const addressOf = (location: { path?: string; url?: AnswerLocation }) =>
    givenAddress(model, poll, answer, location.url) ??
    (location.path === undefined ? null : `${model.baseUrl}${fill(location.path, { handle })}`);
  const url = addressOf(poll);
  const { cancel } = model.definition;
  const stopping = cancel ? { cancelUrl: `${model.baseUrl}${fill(cancel.path, { handle })}` } : {};
  if (url === null || !poll.fetch) return url === null ? null : { url, ...stopping };
  const resultUrl = addressOf(poll.fetch);
  return resultUrl === null ? null : { url, resultUrl, ...stopping };
}

function idIn(answer: Received, location: AnswerLocation): string | null {
  const id = valueIn(answer, location);
  if (typeof id === "string") return id === "" ? null : id;
  if (typeof id !== "number" || typeof location !== "string") return null;
  if (Number.isSafeInteger(id)) return String(id);
  // The original digits, because a double has rounded them.
  const span = findSpan(answer.body, location);
  return span && answer.body.toString("utf8", span.start, span.end);
}

// A full URL, or a path on the base URL's host. The credential is sent along, so the host must be one that the definition
// names.
function givenAddress(
  { baseUrl }: ServedModel,
  { hosts = [] }: PollDefinition,
  answer: Received,
  location: AnswerLocation | undefined,
): string | null {
  const given = location === undefined ? undefined : valueIn(answer, location);
  const base = new URL(baseUrl);
  const url = typeof given === "string" ? URL.parse(given, given.startsWith("/") ? base : undefined) : null;
  return url && [base.host, ...hosts].includes(url.host) && url.protocol === base.protocol ? url.href : null;
}

type TooLarge = Extract<UpstreamOutcome, { kind: "too_large" }>;

// For a failure the status is enough, no matter how long the body is.
function bounded(sent: UpstreamOutcome): UpstreamOutcome {
  const isFailure = sent.kind === "too_large" && (sent.status < 200 || sent.status >= 300);
  return isFailure ? { kind: "answered", status: sent.status, headers: {}, body: Buffer.alloc(0) } : sent;
}

// The provider did the work, but the result is lost: not charged, and reported as such (decisions, section 3: answers are
// kept up to 64 MiB).
function tooLarge({ status }: TooLarge): Outcome {
  return { kind: "failed", accepted: true, upstreamStatus: status, reason: outcomeReasons.tooLarge };
}

function outcomeOfFault(
  sent: Exclude<UpstreamOutcome, { kind: "answered" | "too_large" }>,
): Extract<Outcome, { kind: "not_sent" | "no_answer" }> {
  if (sent.kind === "not_sent") return { kind: "not_sent", reason: sent.reason };
  if (sent.kind === "broken") return { kind: "no_answer", reason: sent.reason };
  return sent.sent ? { kind: "no_answer", reason: "no answer in time" } : { kind: "not_sent", reason: "no time left" };
}

function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ""));
}
