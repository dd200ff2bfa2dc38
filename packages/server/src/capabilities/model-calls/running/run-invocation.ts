// Runs a call that has begun, from the first byte to the settled end. The run does not depend on a connection: if the caller
// leaves or a deadline passes, the provider's outcome is settled and recorded all the same (Spec, Errors rule 1; decisions,
// section 3).

import type { Clock } from "../../../foundation/clock.ts";
import { startDeadline } from "../../../foundation/deadline.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import type { Tracer } from "../../../foundation/tracing/index.ts";
import type {
  CallEnding,
  CallLifecycle,
  CallUsage,
  CheckOfCall,
  OwnedCall,
  ProviderAttempt,
  RecordedAnswer,
  SeenAnswer,
} from "../../calls/index.ts";
import { creditsText, type Facts, shortfall } from "../../prices/index.ts";
import {
  type FormBody,
  type LiveReader,
  type ModelRunner,
  type Outcome,
  type ProviderHealth,
  type ProviderMeter,
  type RateWait,
  type RunDeps,
  runModel,
} from "../../providers/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { answerOf, decideEnding, type Ending, type EndingInput, unkeptAnswer } from "../endings/decide-ending.ts";
import { type HidingDeps, hideSecrets } from "../endings/hide-secrets.ts";
import { type KeepDeps, keepOutputs } from "../endings/keep-outputs.ts";
import { namedTarget, nextTarget, type RouteRun } from "../routes/follow-targets.ts";
import { isUnclear, settleOutcome } from "../routes/settle-outcome.ts";
import { screenAnswer } from "../safety/screen-answer.ts";
import type { ScreenDeps } from "../safety/screen-input.ts";

export interface RunInvocationDeps extends RunDeps, HidingDeps, ScreenDeps, Pick<KeepDeps, "keeper"> {
  readonly clock: Clock;
  readonly log: Log;
  readonly providerMeter: ProviderMeter;
  readonly health: ProviderHealth;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
}

export interface RunInvocation {
  // Where the call's outcome is recorded.
  readonly calls: CallLifecycle;
  readonly call: OwnedCall;
  readonly model: CatalogModel;
  // Present if the model is a target of a route.
  readonly route?: RouteRun;
  // What the provider knows the call by. Absent: the call's id.
  readonly reference?: string;
  readonly bytes: Buffer;
  readonly document: unknown;
  readonly exactIntegers: ReadonlyMap<string, string>;
  readonly form?: FormBody;
  readonly usage: Pick<CallUsage, "requestId" | "apiKeyId" | "labels">;
  readonly startedMs: number;
  // Whether the caller still waits for the answer.
  isAwaited(): boolean;
  // What the caller was answered, if it no longer waits.
  seen?(): SeenAnswer | null;
  // Reads along if the answer is streamed.
  readonly live?: LiveReader;
  // Absent or null: as the definition says.
  readonly keepsOutputs?: boolean | null;
  // If the caller lets it wait for the provider's rate limit.
  readonly rateWaitMs?: number;
  // Absent if no caller waits.
  readonly waiting?: EndingInput["waiting"];
  // What the safety hook said of the input.
  readonly checks?: readonly CheckOfCall[];
  // The call ends with this, and nothing is sent.
  readonly stopped?: Ending;
}

const attemptsMax = 8;

export async function runInvocation(deps: RunInvocationDeps, begun: RunInvocation): Promise<RecordedAnswer> {
  if (begun.stopped) return finish(deps, begun, begun.stopped, null);
  const attempts: ProviderAttempt[] = [];
  const beganMs = deps.clock.monotonicMs();
  for (let run = begun; ; ) {
    const { call, model, route } = run;
    // A process that slept between intent and sending must not send: another process may have taken the call over.
    if (!call.maySend()) return finish(deps, run, unsent(), null, attempts);
    const sentMs = deps.clock.monotonicMs();
    const { ending, outcome } = await tracedAtProvider(deps, run, attempts).catch((error: unknown) => {
      deps.providerMeter.ended("model", model.provider, "internal_error", deps.clock.monotonicMs() - sentMs);
      handOver(deps, run);
      throw error;
    });
    const nowMs = deps.clock.monotonicMs();
    deps.providerMeter.ended("model", model.provider, ending.outcome, nowMs - sentMs);
    if (!model.runner) noteHealth(deps, run, outcome, nowMs - sentMs);
    const next = route ? await nextTarget(deps, { call, route, outcome, attempts, startedMs: beganMs }) : null;
    if (next === null) return deliver(deps, run, ending, nowMs - beganMs, attempts);
    const { form: _, ...others } = run;
    run = { ...others, ...next };
  }
}

async function deliver(
  deps: RunInvocationDeps,
  run: RunInvocation,
  found: Ending,
  providerMs: number,
  attempts: readonly ProviderAttempt[],
): Promise<RecordedAnswer> {
  const { call, model: served, route, usage } = run;
  const { requestId, labels } = usage;
  const answered = { call, model: route?.id ?? served.id, served, requestId, labels, ending: found };
  const screened = await screenAnswer(deps, answered).catch((error: unknown) => {
    handOver(deps, run);
    throw error;
  });
  const { checks } = screened;
  const ending = await keepOutputs(deps, { call, model: served, ending: screened.ending, isAsked: run.keepsOutputs });
  const all = [...(run.checks ?? []), ...checks];
  return finish(deps, { ...run, checks: all }, ending, providerMs, attempts);
}

function unsent(): Ending {
  const words = "The server paused before it could send this call. Nothing was sent. Try again.";
  const answer = answerOf(new Fault("service_unavailable", words), null);
  return { next: "release", charge: 0n, outcome: "service_unavailable", answer };
}

function noteHealth({ health }: RunInvocationDeps, { call, model }: RunInvocation, outcome: Outcome, ms: number): void {
  const credentialOf = model.isOwnCredential ? call.workspaceId : null;
  health.ended({ provider: model.provider, model: model.id, credentialOf, outcome, ms });
}

interface AtProvider {
  readonly ending: Ending;
  readonly outcome: Outcome;
}

// The span ends when the call at the provider does. Nothing of it is sent there (decision 0023).
function tracedAtProvider(
  deps: RunInvocationDeps,
  run: RunInvocation,
  attempts: ProviderAttempt[],
): Promise<AtProvider> {
  const { tracer = null } = deps;
  if (tracer === null) return atProvider(deps, run, attempts);
  const { call, model } = run;
  const attributes = {
    "server.address": URL.parse(model.baseUrl)?.hostname,
    "atelier.provider": model.provider,
    "atelier.model": model.id,
    "atelier.call_id": call.id,
    ...(run.route ? { "atelier.route": run.route.id } : {}),
  };
  return tracer.around({ name: `call ${model.id}`, kind: "client", attributes }, async (span) => {
    const ended = await atProvider(deps, run, attempts);
    const { ending } = ended;
    span.note("atelier.outcome", ending.outcome);
    if (ending.answer.status >= 500) span.failed(ending.outcome);
    return ended;
  });
}

async function atProvider(
  deps: RunInvocationDeps,
  run: RunInvocation,
  attempts: ProviderAttempt[],
): Promise<AtProvider> {
  const { call, model, route } = run;
  const longest = startDeadline({ clock: deps.clock, afterMs: model.definition.longest_run_seconds * 1000 });
  const before = attempts.length;
  const attempted = (attempt: ProviderAttempt) => {
    if (attempts.length < attemptsMax) attempts.push(route ? { ...attempt, target: model.id } : attempt);
  };
  try {
    const ended = await (model.runner
      ? runHere(run, model.runner, longest.signal)
      : runModel(deps, model, {
          reference: referenceOf(run),
          body: run.bytes,
          document: run.document,
          exactIntegers: run.exactIntegers,
          ...(run.form ? { form: run.form } : {}),
          signal: longest.signal,
          ...(run.live ? { live: run.live } : {}),
          accepted: async (handle) => {
            await run.calls.noteHandle(call, handle);
          },
          // A route asks its next target instead.
          ...(route && route.rest.length > 0 ? { rateRetries: 0 } : rateWaitOf(run)),
          attempted,
        }));
    const settled = route
      ? await settleOutcome(deps, { model, reference: referenceOf(run), outcome: ended, attempted })
      : ended;
    const { outcome, attempts: said } = await hideSecrets(deps, call.workspaceId, { outcome: settled, attempts });
    attempts.splice(0, attempts.length, ...said);
    noteOutcome(deps, run, outcome, attempts.slice(before));
    return { outcome, ending: endingOf(run, outcome) };
  } finally {
    longest.release();
  }
}

// Another process may have taken the call over in the meantime.
function rateWaitOf({ rateWaitMs, calls, call }: RunInvocation): { readonly rateWait?: RateWait } {
  if (rateWaitMs === undefined) return {};
  return { rateWait: { ms: rateWaitMs, maySendAgain: async () => (await calls.owns?.(call)) ?? true } };
}

const referenceOf = ({ reference, call }: RunInvocation) => reference ?? call.id;

// The key of a route is free again only if it is proven that no target ran the call.
function endingOf(run: RunInvocation, outcome: Outcome): Ending {
  const { model, route, waiting } = run;
  const ending = decideEnding(outcome, { model, input: run.document, ...(waiting ? { waiting } : {}) });
  if (!route) return ending;
  const answer = namedTarget(ending.answer, { target: model.id, dropped: route.current.dropped });
  return { ...ending, answer, next: ending.next === "release" && isUnclear(outcome) ? "record" : ending.next };
}

function noteOutcome(
  deps: RunInvocationDeps,
  run: RunInvocation,
  outcome: Outcome,
  attempts: readonly ProviderAttempt[],
): void {
  if (outcome.kind === "completed") noteShortfall(deps, run, outcome.reported);
  if (outcome.kind === "completed" || outcome.kind === "ran") return;
  deps.log.info(
    {
      callId: run.call.id,
      model: run.model.id,
      outcome: outcome.kind,
      reason: "reason" in outcome ? outcome.reason : undefined,
      ...lastOf(attempts),
    },
    "a model call did not complete",
  );
}

function runHere(
  { calls, call, bytes, usage }: RunInvocation,
  runner: ModelRunner,
  signal: AbortSignal,
): Promise<Outcome> {
  return runner.run({
    reference: call.id,
    workspaceId: call.workspaceId,
    apiKeyId: usage.apiKeyId,
    ...(usage.labels ? { labels: usage.labels } : {}),
    body: bytes,
    signal,
    note: async (handle) => {
      await calls.noteHandle(call, handle);
    },
    begun: async () => {
      await calls.leaveSlot?.(call);
    },
  });
}

// For the operator's log: how often we asked the provider, and what it said last.
function lastOf(attempts: readonly ProviderAttempt[]) {
  const last = attempts.at(-1);
  return { attempts: attempts.length, providerStatus: last?.status, providerWords: last?.words };
}

// We bear the difference, but if a price falls short of its provider's, the operator should fix it.
function noteShortfall({ log }: RunInvocationDeps, { call, model, document }: RunInvocation, reported: Facts): void {
  const missing = shortfall(model.price, document, reported);
  if (missing > 0n)
    log.warn(
      { callId: call.id, model: model.id, reported, credits: creditsText(missing) },
      "a provider reported more than its model's price covers",
    );
}

// The failure is ours, so the follower finds out what the provider made of the call. Otherwise the call, its hold and its
// slot would stay open for as long as this process lives. We do not wait for it: the caller is answered right away.
function handOver(deps: RunInvocationDeps, { calls, call }: RunInvocation): void {
  calls
    .handOver(call, 1)
    .catch((error: unknown) => deps.log.error({ callId: call.id, err: error }, "a call could not be handed over"));
}

const joinSeconds = 30;

async function finish(
  deps: RunInvocationDeps,
  run: RunInvocation,
  ending: Ending,
  providerMs: number | null,
  attempts: readonly ProviderAttempt[] = [],
): Promise<RecordedAnswer> {
  const { calls, call, model, route } = run;
  const { status } = ending.answer;
  const seen = run.seen?.() ?? null;
  // A success at the first attempt needs no record of attempts, unless it says which target answered.
  const isTold = attempts.length > (ending.outcome === "succeeded" && !route ? 1 : 0);
  const steps = [...(run.checks ?? []), ...(isTold ? attempts : [])];
  const usage = {
    ...run.usage,
    subject: `model:${route?.id ?? model.id}`,
    status,
    totalMs: deps.clock.monotonicMs() - run.startedMs,
    providerMs,
    ...(ending.refusedAccount ? { refusedAccount: ending.refusedAccount } : {}),
    ...(seen ? { seen } : {}),
    ...(steps.length > 0 ? { attempts: steps } : {}),
  };
  if (ending.next === "stay_open") {
    const isAnswered = seen !== null || run.isAwaited();
    await calls.handOver(call, 1, isAnswered ? { outcome: ending.outcome, usage } : undefined);
    return ending.answer;
  }
  const stored: CallEnding = {
    call,
    state: ending.next === "unknown" ? "unknown" : "finished",
    outcome: ending.outcome,
    charge: ending.charge,
    answer: ending.next === "release" ? null : ending.answer,
    sent: ending.answer,
    usage,
  };
  const unkept = { isAwaited: () => run.isAwaited(), answerOf: unkeptAnswer };
  if (await calls.finish(stored, unkept)) return ending.answer;
  // Another process took the call over and ended it: every retry will get its answer.
  deps.log.warn({ callId: call.id }, "a call ended after another process had taken it over");
  const joined = await calls.join(call.id, AbortSignal.timeout(joinSeconds * 1000));
  if (joined.kind === "answered") return joined.answer;
  return answerOf(
    new Fault("service_unavailable", "Another process took over this call. Retry with the same Idempotency-Key."),
    null,
  );
}
