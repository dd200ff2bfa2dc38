// Starts a task at a partner. The order of the steps is the policy: first recognize a retry; then the key decides between
// replay, join and mismatch before validity, slot and balance; the hold and the intent are committed before a byte is
// sent; and once the partner has accepted the work, the task is written before the caller is answered.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { DrainOver } from "../../foundation/http/area.ts";
import type { Upstream } from "../../foundation/http/outgoing/fetch-upstream.ts";
import type { KeyId, RequestId, WorkspaceId } from "../../foundation/ids.ts";
import { type JsonEdit, type MemberPosition, memberSet, spliceJson } from "../../foundation/json/json-spans.ts";
import type { Labels } from "../../foundation/json/labels.ts";
import type { Log } from "../../foundation/log.ts";
import type { Tracer } from "../../foundation/tracing/index.ts";
import {
  beginPaidCall,
  type CallId,
  type Calls,
  type KeyCaps,
  type OwnedCall,
  type PaidCall,
  type PaidCallWords,
  type RefusedAccount,
  replayUsage,
  type Usage,
} from "../calls/index.ts";
import type { Partner, PricedOperation } from "../partners/index.ts";
import { holdBound, isCostly } from "../prices/index.ts";
import type { ProviderMeter } from "../providers/index.ts";
import type { TaskAcceptor } from "./accept-task.ts";
import { type Submitted, submit, type TaskToSubmit } from "./at-partner.ts";
import type { ObserveTask } from "./change-tasks.ts";
import { findStarted, type StartedTask } from "./find-started.ts";
import { KeyConflict } from "./key-conflict.ts";
import { lostFault, unknownWords } from "./lost-submission.ts";
import { deriveRetryKey, type Retries } from "./retry-recognition.ts";
import { subjectOf, type TaskContext, type TaskId } from "./task.ts";

export interface StartDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly upstream: Upstream;
  readonly providerMeter: ProviderMeter;
  // No traces if null or absent.
  readonly tracer?: Tracer | null;
  readonly calls: Calls;
  readonly caps: Pick<KeyCaps, "neededFor" | "requireWithinCap" | "giveBack">;
  readonly usage: Pick<Usage, "recordUsage">;
  readonly acceptor: TaskAcceptor;
  readonly retries: Retries;
  readonly observe: ObserveTask;
  // Null if the partner cannot reach us; then it is given no address.
  callbackUrl(partner: Partner, taskId: TaskId): string | null;
  slotsOf(workspaceId: WorkspaceId): Promise<{ slots: number; costlySlots: number }>;
  readonly detached: Set<Promise<unknown>>;
}

export interface StartTask {
  readonly workspaceId: WorkspaceId;
  readonly apiKeyId: KeyId | null;
  readonly requestId: RequestId;
  readonly labels?: Labels;
  readonly partner: Partner;
  readonly priced: PricedOperation;
  // Exactly as they arrived.
  readonly bytes: Buffer;
  // The parts that the price reads; we need nothing else of our copy.
  readonly pricedInput: unknown;
  // Where the callback address goes in the bytes. Null if the partner accepts none.
  readonly callbackPosition: MemberPosition | null;
  // Pointer → JSON text of what a read shows.
  readonly echo: Readonly<Record<string, string>>;
  // Pictures from our content origin that are passed on in another form.
  readonly edits: readonly JsonEdit[];
  readonly webhookUrl: string | null;
  readonly fingerprint: Buffer;
  readonly jobId: string | null;
  readonly idempotencyKey: string | null;
  // What is wrong with it. A retry is answered anyway.
  readonly refusal: Fault | null;
  readonly signal: AbortSignal;
}

export interface Started {
  readonly taskId: TaskId;
  readonly body: string;
  readonly isReplay: boolean;
  // True if a retry can be recognized only by whether this answer was delivered; then call `answered`.
  readonly isWatched: boolean;
}

export async function startTask(deps: StartDeps, request: StartTask): Promise<Started> {
  const source = { workspaceId: request.workspaceId, fingerprint: request.fingerprint, jobId: request.jobId };
  let derivedKey: string | null = null;
  if (request.idempotencyKey === null) {
    // Without a key we can refuse right away, because nothing can have been started before.
    if (request.refusal !== null) throw request.refusal;
    const known = await deps.retries.recognise(source);
    if (known.kind === "retry") return replayed(deps, request, { id: known.task.id, body: known.task.firstBody });
    if (known.kind === "underway") {
      const taskId = await known.ended;
      const task = taskId && (await findStarted(deps, request.workspaceId, taskId));
      if (task) return replayed(deps, request, task);
    } else derivedKey = known.derivedKey;
  }
  if (request.signal.aborted) throw leftFault(request.signal, "Nothing was started.");
  return begin(deps, request, request.idempotencyKey ?? derivedKey);
}

const joinMs = 20_000;

async function begin(deps: StartDeps, request: StartTask, key: string | null): Promise<Started> {
  const paid = await beginPaidCall(deps, await paidTask(deps, request, key));
  if (paid.kind === "begun") return run(deps, request, paid.call, paid.context);
  return replayed(deps, request, paid.known);
}

async function paidTask(
  deps: StartDeps,
  request: StartTask,
  key: string | null,
): Promise<PaidCall<StartedTask, TaskContext>> {
  const { partner, priced, workspaceId, refusal } = request;
  const { slots, costlySlots } = await deps.slotsOf(workspaceId);
  const endsAtMs = deps.clock.monotonicMs() + joinMs;
  return {
    opening: {
      workspaceId,
      subject: subjectOf(partner.definition.partner, priced.operation.name),
      idempotencyKey: key,
      fingerprint: request.fingerprint,
      hold: refusal === null ? holdBound(priced.price, request.pricedInput) : 0n,
      priceRecordId: priced.priceRecordId,
      pricedInput: refusal === null ? request.pricedInput : null,
      takesSlot: true,
      isCostly: isCostly(priced.price),
      slotsMax: slots,
      costlySlotsMax: costlySlots,
      recovery: partner.definition.ask ? "ask" : "neither",
      longestRunSeconds: partner.definition.longest_run_seconds,
      apiKeyId: request.apiKeyId,
      requestId: request.requestId,
      ...(request.labels ? { labels: request.labels } : {}),
    },
    context: (at) => contextOf(request, at, deps.tracer?.here() ?? null),
    refusal,
    replayed(id, answer) {
      if (answer.status >= 400) throw lostForGood;
      return { id, body: answer.body.toString("utf8") };
    },
    joined: (callId) => joined(deps, request, callId, endsAtMs),
    words: taskWords,
  };
}

const taskWords: PaidCallWords = {
  what: "task",
  mismatch: () =>
    new KeyConflict(
      "mismatch",
      "idempotency_key_reuse",
      "This Idempotency-Key was used for another request. Use a new key.",
    ),
  answerGone: () =>
    new KeyConflict(
      "consumed",
      "invalid_request",
      "The answer for this Idempotency-Key is no longer stored. Use a new key.",
    ),
  noSlot: () =>
    new Fault("concurrency_limit_exceeded", "Too many tasks are running. Wait for one to end.", {
      retryAfterSeconds: 5,
    }),
};

const lostForGood = new KeyConflict("consumed", "provider_error", unknownWords);

function contextOf(request: StartTask, now: Date, traceparent: string | null): TaskContext {
  return {
    webhookUrl: request.webhookUrl,
    echo: request.echo,
    // If the caller sent a key, only the same key is a retry.
    retryKey: deriveRetryKey(request, request.idempotencyKey),
    createdAt: now.toISOString(),
    ...(traceparent === null ? {} : { traceparent }),
  };
}

// Not tied to a connection: if the caller leaves now, nothing changes.
async function run(deps: StartDeps, request: StartTask, call: OwnedCall, context: TaskContext): Promise<Started> {
  const running = submitAndAccept(deps, request, call, context);
  deps.detached.add(running);
  const source = { workspaceId: request.workspaceId, fingerprint: request.fingerprint, jobId: request.jobId };
  const ended = running.then(
    ({ taskId }) => taskId,
    () => null,
  );
  if (request.idempotencyKey === null) deps.retries.watch(source, request.signal, ended);
  const forget = () => void deps.detached.delete(running);
  running.then(forget, forget);
  return Promise.race([running, untilDrainOver(request.signal)]);
}

// Never resolves. A caller who left gets no answer; if a shutdown stops waiting, it rejects and says that the work
// continues.
function untilDrainOver(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const look = () => {
      if (signal.reason instanceof DrainOver) reject(leftFault(signal, "The task is still being started."));
    };
    if (signal.aborted) look();
    else signal.addEventListener("abort", look, { once: true });
  });
}

function leftFault({ reason }: AbortSignal, state: string): Fault {
  if (!(reason instanceof DrainOver)) return new Fault("client_disconnected", `The client disconnected. ${state}`);
  const words = `The server is stopping. ${state} Retry, with the same Idempotency-Key if you sent one.`;
  return new Fault("deadline_exceeded", words, { retryAfterSeconds: 5 });
}

async function submitAndAccept(
  deps: StartDeps,
  request: StartTask,
  call: OwnedCall,
  context: TaskContext,
): Promise<Started> {
  const { partner, priced } = request;
  // A process that slept between intent and sending must not send, because another process may have taken over the call.
  if (!call.maySend()) {
    const fault = new Fault(
      "service_unavailable",
      "The server paused before it could send this task. Nothing was sent. Try again.",
      {
        retryAfterSeconds: 1,
      },
    );
    return refuse(deps, request, call, fault);
  }
  const body = forwardedBody(request, deps.callbackUrl(partner, call.id));
  const sending = { id: call.id, workspaceId: request.workspaceId, operation: priced.operation, body };
  const submitted = await submitCounted(deps, partner, sending).catch((error: unknown) =>
    handedOver(deps, call, error),
  );
  if (submitted.kind === "refused") return refuse(deps, request, call, submitted.fault, submitted.refusedAccount);
  if (submitted.kind === "lost") {
    deps.log.warn({ callId: call.id, partner: partner.definition.partner }, "a partner's answer was lost");
    return handedOver(deps, call, lostFault(submitted, { request, now: deps.clock.now() }));
  }
  const { reading, partnerTaskId } = submitted;
  const operation = priced.operation.name;
  const accepted = { id: call.id, workspaceId: call.workspaceId, partner, operation, partnerTaskId, context, reading };
  const task = await deps.acceptor.accept(accepted).catch((error: unknown) => handedOver(deps, call, error));
  if (task === null)
    throw new Fault("service_unavailable", "The task was abandoned. Try again.", { retryAfterSeconds: 1 });
  // Some partners finish right away.
  if (reading.state !== "created") await deps.observe({ taskId: call.id, observation: { kind: "reading", reading } });
  const isWatched = request.idempotencyKey === null && request.jobId === null;
  return { taskId: call.id, body: task.firstBody, isReplay: false, isWatched };
}

async function submitCounted(deps: StartDeps, partner: Partner, task: TaskToSubmit): Promise<Submitted> {
  const sentMs = deps.clock.monotonicMs();
  let outcome = "internal_error";
  try {
    const submitted = await tracedSubmit(deps, partner, task);
    outcome = startOutcomeOf(submitted);
    return submitted;
  } finally {
    deps.providerMeter.ended("task_start", partner.definition.partner, outcome, deps.clock.monotonicMs() - sentMs);
  }
}

function tracedSubmit(deps: StartDeps, partner: Partner, task: TaskToSubmit): Promise<Submitted> {
  const { tracer = null } = deps;
  if (tracer === null) return submit(deps, partner, task);
  const subject = `${partner.definition.partner}/${task.operation.name}`;
  const attributes = {
    "server.address": URL.parse(partner.baseUrl ?? "")?.hostname,
    "atelier.partner": partner.definition.partner,
    "atelier.call_id": task.id,
  };
  return tracer.around({ name: `start ${subject}`, kind: "client", attributes }, async (span) => {
    const submitted = await submit(deps, partner, task);
    span.note("atelier.outcome", startOutcomeOf(submitted));
    if (submitted.kind !== "accepted") span.failed(startOutcomeOf(submitted));
    return submitted;
  });
}

function startOutcomeOf(submitted: Submitted): string {
  if (submitted.kind === "accepted") return "succeeded";
  return submitted.kind === "refused" ? submitted.fault.code : submitted.code;
}

// The follower will find out what happened; the caller is answered now.
async function handedOver(deps: StartDeps, call: OwnedCall, error: unknown): Promise<never> {
  await deps.calls
    .handOver(call, 1)
    .catch((err: unknown) => deps.log.error({ callId: call.id, err }, "a call could not be handed over"));
  throw error;
}

async function refuse(
  deps: StartDeps,
  request: StartTask,
  call: OwnedCall,
  fault: Fault,
  refusedAccount?: RefusedAccount,
): Promise<never> {
  await deps.calls.finish({
    call,
    state: "finished",
    outcome: fault.code,
    charge: 0n,
    answer: null,
    usage: {
      requestId: request.requestId,
      apiKeyId: request.apiKeyId,
      subject: subjectOf(request.partner.definition.partner, request.priced.operation.name),
      status: fault.status,
      totalMs: 0,
      providerMs: null,
      ...(refusedAccount ? { refusedAccount } : {}),
    },
  });
  throw fault;
}

// The caller's bytes with our address in place of theirs, so no partner learns where a caller listens.
function forwardedBody(
  { bytes, edits, callbackPosition }: Pick<StartTask, "bytes" | "edits" | "callbackPosition">,
  callbackUrl: string | null,
): Buffer {
  const url = callbackUrl === null ? null : JSON.stringify(callbackUrl);
  const edit = callbackPosition && memberSet(callbackPosition, url);
  if (edit === null && edits.length === 0) return bytes;
  return spliceJson(bytes, edit === null ? edits : [...edits, edit]);
}

// Resolves as soon as there is a task; it does not wait for the task's end. Null if the key is free again, so this caller
// may start the task itself.
async function joined(
  deps: StartDeps,
  request: StartTask,
  callId: CallId,
  endsAtMs: number,
): Promise<StartedTask | null> {
  const seen = await deps.calls.waiters.until<StartedTask | null>(callId, request.signal, async () => {
    const task = await findStarted(deps, request.workspaceId, callId);
    if (task) return task;
    const call = await deps.calls.find(callId);
    if (call === null || call.state !== "open") return null;
    if (request.signal.aborted) throw leftFault(request.signal, "The task is still being started.");
    if (deps.clock.monotonicMs() >= endsAtMs)
      throw new KeyConflict(
        "in_flight",
        "provider_timeout",
        "The task is still being started. Retry with the same Idempotency-Key.",
        { retryAfterSeconds: 5 },
      );
    return undefined;
  });
  if (seen !== null) return seen.found;
  throw new KeyConflict(
    "in_flight",
    "too_many_waiters",
    "This task is being started, and too many requests are already waiting for it.",
    {
      retryAfterSeconds: 2,
    },
  );
}

function replayed(deps: StartDeps, request: StartTask, task: StartedTask): Started {
  const { workspaceId, requestId, apiKeyId, labels, partner, priced } = request;
  const source = {
    workspaceId,
    requestId,
    apiKeyId,
    labels,
    subject: subjectOf(partner.definition.partner, priced.operation.name),
  };
  deps.usage.recordUsage(replayUsage(source, { callId: task.id, status: priced.operation.status, totalMs: 0 }));
  return { taskId: task.id, body: task.body, isReplay: true, isWatched: false };
}
