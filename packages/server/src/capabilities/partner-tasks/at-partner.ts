// The three requests to a partner: start a task, read a task, look up our reference. Never throws for network trouble.
// Money depends on whether the partner can have seen a submission, so the outcome says so.
import type { Clock } from "../../foundation/clock.ts";
import { startDeadline } from "../../foundation/deadline.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import { redactAnswer } from "../../foundation/http/outgoing/redact-answer.ts";
import type { UpstreamOutcome } from "../../foundation/http/outgoing/upstream-outcome.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import { readForeignJson } from "../../foundation/json/foreign-json.ts";
import type { KnownSecrets } from "../../foundation/known-secrets.ts";
import type { RefusedAccount } from "../calls/index.ts";
import type { Partner, PartnerOperation, TaskReading } from "../partners/index.ts";
import { readTask } from "../partners/index.ts";
import { plainWords, type RefusedCredential, saidWords, valueAt } from "../providers/index.ts";
import type { LostSubmission } from "./lost-submission.ts";
import type { TaskId } from "./task.ts";

export interface AtPartnerDeps {
  readonly upstream: Upstream;
  readonly clock: Clock;
  // Called if the partner did not accept the credential of this setting.
  credentialRefused?(refusal: RefusedCredential): void;
  // Secrets that must not appear in our answers. If absent, nothing is redacted.
  readonly known?: Pick<KnownSecrets, "ofWorkspace">;
}

export type Submitted =
  | { readonly kind: "accepted"; readonly reading: TaskReading; readonly partnerTaskId: string }
  // The partner refused: the key is free again and nothing is charged.
  | { readonly kind: "refused"; readonly fault: Fault; readonly refusedAccount?: RefusedAccount }
  // Only the partner knows.
  | ({ readonly kind: "lost" } & LostSubmission);

const answerBytesMax = 4 * 1024 * 1024;
const rateTriesMax = 3;
const rateWaitMsMax = 2_000;

export interface TaskToSubmit {
  readonly id: TaskId;
  readonly workspaceId: WorkspaceId;
  readonly operation: PartnerOperation;
  readonly body: Buffer;
}

export async function submit(deps: AtPartnerDeps, partner: Partner, task: TaskToSubmit): Promise<Submitted> {
  const { definition } = partner;
  const credential = partner.credentialHeaders();
  const headers = {
    accept: "application/json",
    "content-type": "application/json",
    ...credential,
    ...(definition.reference_header ? { [definition.reference_header.toLowerCase()]: task.id } : {}),
    ...(definition.idempotency_header ? { [definition.idempotency_header.toLowerCase()]: task.id } : {}),
  };
  const url = new URL(`${partner.baseUrl}${task.operation.path}`);
  const deadline = startDeadline({ clock: deps.clock, afterMs: definition.submit_timeout_ms });
  try {
    for (let tries = 1; ; tries++) {
      const sending = {
        url,
        method: "POST",
        headers,
        body: task.body,
        signal: deadline.signal,
        answerBytesMax,
      } as const;
      const sent = await redactAnswer(await deps.upstream.fetch(sending), partner.redaction(credential));
      const waitMs = sent.kind === "answered" && sent.status === 429 ? retryAfterSeconds(sent.headers) * 1000 : 0;
      if (waitMs === 0 || waitMs > rateWaitMsMax || tries >= rateTriesMax) {
        const hide = await hidingFor(deps, task, sent);
        const refusedAccount = reportRefusal(deps, partner, sent, hide);
        const submitted = readSubmission(partner, sent, hide);
        return submitted.kind === "refused" && refusedAccount ? { ...submitted, refusedAccount } : submitted;
      }
      await deps.clock.sleep(waitMs, deadline.signal);
    }
  } finally {
    deadline.release();
  }
}

type Hide = (words: string | null) => string | null;

// The partner's explanation of a refusal becomes part of our answer. While the workspace's secrets cannot be looked up,
// we pass on none of it.
async function hidingFor({ known }: AtPartnerDeps, task: TaskToSubmit, sent: UpstreamOutcome): Promise<Hide> {
  if (known === undefined || sent.kind !== "answered" || sent.status < 400) return (words) => words;
  const hiding = await known.ofWorkspace(task.workspaceId).catch(() => null);
  return (words) => (words === null || hiding === null ? null : hiding.text(words));
}

function readSubmission(partner: Partner, sent: UpstreamOutcome, hide: Hide): Submitted {
  if (sent.kind !== "answered") return withoutAnswer(sent);
  const { definition } = partner;
  if (sent.status >= 200 && sent.status < 300) {
    const reading = readTask(definition, sent.body, definition.task.root);
    if (reading?.partnerTaskId) return { kind: "accepted", reading, partnerTaskId: reading.partnerTaskId };
    return lost("The partner's answer could not be read.");
  }
  return { kind: "refused", fault: refusalOf(partner, sent, hide) };
}

function withoutAnswer(sent: Exclude<UpstreamOutcome, { kind: "answered" }>): Submitted {
  if (sent.kind === "too_large")
    return lost(`The partner's answer is larger than the limit of ${sent.bytesMax} bytes.`);
  const wasSent = sent.kind === "broken" || (sent.kind !== "not_sent" && sent.sent);
  if (wasSent)
    return sent.kind === "timed_out"
      ? { kind: "lost", code: "provider_timeout", words: "The partner took too long to answer." }
      : lost("The partner's answer was lost.");
  return {
    kind: "refused",
    fault: new Fault("provider_error", "The partner could not be reached. Nothing was charged."),
  };
}

function lost(words: string): Submitted {
  return { kind: "lost", code: "provider_error", words };
}

function refusalOf(partner: Partner, sent: Extract<UpstreamOutcome, { kind: "answered" }>, hide: Hide): Fault {
  const { status } = sent;
  if (status === 429)
    return new Fault("rate_limited", "The partner is busy. Try again later.", {
      retryAfterSeconds: retryAfterSeconds(sent.headers),
    });
  if (status === 408 || status === 504)
    return new Fault("provider_timeout", "The partner ran out of time. Nothing was charged.");
  if (status === 413) return new Fault("payload_too_large", "The request body is too large for the partner.");
  if (status === 400 || status === 415 || status === 422) {
    const pointer = partner.definition.rejection?.message;
    const words = pointer === undefined ? null : hide(plainWords(valueAt(readForeignJson(sent.body), pointer)));
    return new Fault("invalid_request", `The partner rejected the request${words === null ? "." : `: ${words}`}`);
  }
  if (status === 401 || status === 402 || status === 403)
    return new Fault(
      "provider_error",
      `The partner rejected this server's account (status ${status}). Nothing was charged. Only the operator of this server can fix this.`,
    );
  return new Fault("provider_error", "The partner failed. Nothing was charged.");
}

function reportRefusal(
  deps: AtPartnerDeps,
  { definition }: Partner,
  sent: UpstreamOutcome,
  hide: Hide,
): RefusedAccount | null {
  const { credential, partner } = definition;
  if (sent.kind !== "answered" || credential.kind === "none" || ![401, 402, 403].includes(sent.status)) return null;
  const type = String(sent.headers["content-type"] ?? "");
  const words = hide(saidWords({ document: readForeignJson(sent.body), body: sent.body, contentType: type }));
  const refused = { holder: `partner ${partner}`, status: sent.status, words };
  deps.credentialRefused?.({ ...refused, setting: credential.setting });
  return { ...refused, mender: "operator" };
}

export type Looked =
  | { readonly kind: "reading"; readonly reading: TaskReading }
  // The partner does not know the task, or no longer does.
  | { readonly kind: "unknown" }
  // It says nothing about the task. Ask again after this long at the earliest.
  | { readonly kind: "unreachable"; readonly waitMs: number };

export async function look(
  deps: AtPartnerDeps,
  partner: Partner,
  task: { readonly operation: string; readonly partnerTaskId: string },
  signal: AbortSignal,
): Promise<Looked> {
  const { definition, baseUrl } = partner;
  const read = readPathOf(partner, task.operation);
  if (baseUrl === null || read === null) return { kind: "unreachable", waitMs: 60_000 };
  const url = new URL(baseUrl + read.replace(/\{\w+\}/, encodeURIComponent(task.partnerTaskId)));
  const sent = await getBounded(deps, partner, { url, headers: partner.credentialHeaders() }, signal);
  reportRefusal(deps, partner, sent, (words) => words);
  if (sent.kind !== "answered") return { kind: "unreachable", waitMs: 0 };
  if (sent.status === 404 || sent.status === 410) return { kind: "unknown" };
  const reading = sent.status === 200 ? readTask(definition, sent.body, definition.task.root) : null;
  if (reading !== null) return { kind: "reading", reading };
  return { kind: "unreachable", waitMs: sent.status === 429 ? retryAfterSeconds(sent.headers) * 1000 : 0 };
}

export type AskedAbout =
  | { readonly kind: "found"; readonly partnerTaskId: string }
  | { readonly kind: "not_found" }
  | { readonly kind: "unreachable" }
  | { readonly kind: "cannot_ask" };

// After a crash: asks whether our submission arrived.
export async function askAbout(
  deps: AtPartnerDeps,
  partner: Partner,
  reference: TaskId,
  signal: AbortSignal,
): Promise<AskedAbout> {
  const { ask } = partner.definition;
  if (!ask) return { kind: "cannot_ask" };
  if (partner.baseUrl === null) return { kind: "unreachable" };
  const base = ask.base_url ?? partner.baseUrl;
  const url = new URL(base + ask.path.replace(/\{\w+\}/, encodeURIComponent(reference)));
  const sent = await getBounded(deps, partner, { url, headers: partner.askHeaders() }, signal);
  if (sent.kind !== "answered") return { kind: "unreachable" };
  if (ask.not_found.includes(sent.status)) return { kind: "not_found" };
  const id = sent.status === 200 ? valueAt(readForeignJson(sent.body), ask.id) : undefined;
  return typeof id === "string" && id !== "" ? { kind: "found", partnerTaskId: id } : { kind: "unreachable" };
}

async function getBounded(
  { upstream, clock }: AtPartnerDeps,
  partner: Partner,
  request: { readonly url: URL; readonly headers: Readonly<Record<string, string>> },
  signal: AbortSignal,
): Promise<UpstreamOutcome> {
  const deadline = startDeadline({ clock, afterMs: partner.definition.poll.timeout_ms, disconnect: signal });
  try {
    const headers = { accept: "application/json", ...request.headers };
    const asking = { url: request.url, method: "GET", headers, signal: deadline.signal, answerBytesMax } as const;
    return await redactAnswer(await upstream.fetch(asking), partner.redaction(request.headers));
  } finally {
    deadline.release();
  }
}

function readPathOf({ definition, operations }: Partner, operation: string): string | null {
  const name = operations.get(operation)?.operation.read;
  return definition.reads.find((read) => read.name === name)?.path ?? null;
}

// Whole seconds, 1 to 3600. An unreadable value counts as one.
function retryAfterSeconds(headers: Readonly<Record<string, string | readonly string[] | undefined>>): number {
  const seconds = Number(headers["retry-after"]);
  return Number.isFinite(seconds) ? Math.min(3600, Math.max(1, Math.ceil(seconds))) : 1;
}
