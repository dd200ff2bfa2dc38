// Runs one partner model and answers with the partner's own bytes. The order of the steps is the policy (decisions, section
// 3): a replay comes before schema, balance and slot; only `begun` costs anything.
import { asFault, Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import {
  beginPaidCall,
  type CallLifecycle,
  type Calls,
  type Joined,
  type KeyCaps,
  type OwnedCall,
  type PaidCall,
  type PassingCalls,
  type RecordedAnswer,
  type SeenAnswer,
} from "../../calls/index.ts";
import type { Principal } from "../../identity/index.ts";
import { isCostly } from "../../prices/index.ts";
import { isEventStream, streamOf, withModelMember } from "../../providers/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import type { RouteRun } from "../routes/follow-targets.ts";
import type { RoutePlan } from "../routes/plan-route.ts";
import { isAnswerScreened } from "../safety/screen-answer.ts";
import { type HoldDeps, holdConnection, lateFault } from "./hold-connection.ts";
import { createLiveDelivery, type LiveAnswer } from "./live-answer.ts";
import { noteAnswer, noteRefusal } from "./note-bodies.ts";
import {
  bodyOwner,
  buildOpening,
  countingRefusals,
  type JudgedCall,
  judgeCall,
  keyMismatch,
  type ModelCall,
  modelsOfCall,
  type OpenCallDeps,
  recordReplay,
} from "./open-call.ts";
import { type RunInvocation, type RunInvocationDeps, runInvocation } from "./run-invocation.ts";
import { type BegunCall, modelsOf, type SentCall, screenCall, type ValidInput } from "./screen-call.ts";

export interface InvokeModelDeps extends OpenCallDeps, RunInvocationDeps, HoldDeps {
  readonly calls: Calls;
  // For free calls without a key.
  readonly passing: PassingCalls;
  // The workspace's slots: the total, and those for costly models.
  slotsOf(principal: Principal): Promise<{ slots: number; costlySlots: number }>;
  readonly caps: Pick<KeyCaps, "neededFor" | "requireWithinCap" | "isLimited" | "giveBack">;
  readonly deadlineMs: number;
}

export interface InvokeModel extends ModelCall {
  readonly signal: AbortSignal;
  // Called when only the provider, or another caller's call, is left to wait for.
  readonly waitsForOthers?: () => void;
  // Whether to leave a joined call as soon as its end cannot be found out.
  readonly leavesUnknowable?: boolean;
  readonly countsRefusals?: boolean;
  // How a streamed answer is handed over: while it arrives, or as the one body that its events make. Absent: as it was recorded.
  readonly streamed?: "live" | "whole";
}

export interface Invoked {
  // Without its body if it comes live.
  readonly answer: RecordedAnswer;
  readonly live?: LiveAnswer;
  readonly isReplay: boolean;
  readonly concurrency: { readonly limit: number; readonly current: number } | null;
}

// What we know before anything is paid or sent.
interface Prepared extends JudgedCall {
  readonly slots: number;
  readonly costlySlots: number;
  readonly startedMs: number;
  readonly endsAtMs: number;
}

export async function invokeModel(deps: InvokeModelDeps, invocation: InvokeModel): Promise<Invoked> {
  const begun = await (invocation.countsRefusals
    ? countingRefusals(deps, invocation, () => begin(deps, invocation))
    : begin(deps, invocation));
  const invoked = "call" in begun ? await run(deps, invocation, begun.prepared, begun) : begun;
  return invocation.streamed === "whole" ? asWhole(deps, invocation, invoked) : invoked;
}

async function asWhole({ answers }: InvokeModelDeps, { model }: InvokeModel, invoked: Invoked): Promise<Invoked> {
  const { answer } = invoked;
  const { stream } = answeringModel(model, answer).definition;
  if (!stream || answer.status !== 200 || !isEventStream(answer.headers["content-type"])) return invoked;
  const body = await answers.whole(stream, answer.body);
  return {
    ...invoked,
    answer: { ...answer, headers: { ...answer.headers, "content-type": "application/json" }, body },
  };
}

// Of a route: the target that answered.
function answeringModel(model: CatalogModel, { headers }: RecordedAnswer): CatalogModel {
  const target = headers["x-service-route-target"];
  return model.route?.targets.find((each) => each.model.id === target)?.model ?? model;
}

// A call that may run, or the answer of an earlier one under the same key.
async function begin(deps: InvokeModelDeps, invocation: InvokeModel): Promise<BegunInvocation | Invoked> {
  const { workspaceId } = invocation.caller;
  const prepared = await prepare(deps, invocation);
  const own = deps.passing.inFlight(workspaceId);
  if (
    invocation.idempotencyKey === null &&
    prepared.hold === 0n &&
    !prepared.model.runner &&
    !(await isLimited(deps, invocation))
  ) {
    if (!prepared.verdict.ok) throw prepared.verdict.fault;
    const id = newId<"call">(deps.clock.now().getTime());
    const begun = deps.passing.begin({ id, workspaceId, slotsMax: prepared.slots });
    if (begun === null) throw noSlot(prepared.slots, prepared.slots);
    return { prepared, calls: deps.passing, call: begun.call, current: begun.inFlight };
  }
  const paid = await beginPaidCall(deps, paidCall(deps, invocation, prepared, own));
  if (paid.kind === "begun") return { prepared, calls: deps.calls, call: paid.call, current: paid.inFlight + own };
  const { callId, known: answer } = paid;
  recordReplay(deps, invocation, { callId, status: answer.status, startedMs: prepared.startedMs });
  noteAnswer(deps, bodyOwner(invocation), answer, callId);
  return { answer, isReplay: true, concurrency: null };
}

function isLimited({ caps }: InvokeModelDeps, { caller, model }: InvokeModel): boolean | Promise<boolean> {
  const { workspaceId, keyId: apiKeyId } = caller;
  return caps.isLimited({ workspaceId, apiKeyId, models: modelsOfCall(model) });
}

async function prepare(deps: InvokeModelDeps, invocation: InvokeModel): Promise<Prepared> {
  const startedMs = deps.clock.monotonicMs();
  const judged = await judgeCall(deps, invocation);
  const { slots, costlySlots } = await deps.slotsOf(invocation.caller);
  return { ...judged, slots, costlySlots, startedMs, endsAtMs: startedMs + deps.deadlineMs };
}

// `own`: how many of the workspace's slots are taken by passing calls.
function paidCall(
  deps: InvokeModelDeps,
  invocation: InvokeModel,
  prepared: Prepared,
  own: number,
): PaidCall<RecordedAnswer, object | null> {
  const { model, plan, slots, costlySlots, endsAtMs } = prepared;
  return {
    ...buildOpening(deps, invocation, prepared, {
      slots: {
        // A model that runs here waits in the queue of jobs, and its nodes take slots. If it held one too, enough of them
        // would leave none for their own nodes.
        takesSlot: !model.runner,
        isCostly: plan?.isCostly ?? isCostly(model.price),
        slotsMax: slots - own,
        costlySlotsMax: costlySlots,
      },
      longestRunSeconds: plan?.longestRunSeconds ?? model.definition.longest_run_seconds,
      context: null,
    }),
    replayed: (_, answer) => answer,
    async joined(callId) {
      invocation.waitsForOthers?.();
      const signal = waitSignal(invocation.signal, endsAtMs - deps.clock.monotonicMs());
      const { leavesUnknowable = false } = invocation;
      return readJoined(await deps.calls.join(callId, signal, { leavesUnknowable }), invocation);
    },
    words: {
      what: "call",
      mismatch: keyMismatch,
      answerGone: () =>
        new Fault("conflict", "The answer for this Idempotency-Key is no longer stored. Use a new key."),
      // Either all slots are taken, or all those for costly models.
      noSlot: (inFlight) =>
        inFlight + own >= slots ? noSlot(slots, inFlight + own) : noSlot(costlySlots, costlySlots),
    },
  };
}

interface BegunInvocation {
  readonly prepared: Prepared;
  readonly calls: CallLifecycle;
  readonly call: OwnedCall;
  // How many of the workspace's calls are running, including this one.
  readonly current: number;
}

async function run(
  deps: InvokeModelDeps,
  invocation: InvokeModel,
  { model, plan, verdict, slots, hold, startedMs, endsAtMs }: Prepared,
  { calls, call, current }: Pick<BegunInvocation, "calls" | "call" | "current">,
): Promise<Invoked> {
  const { caller, bytes } = invocation;
  if (!verdict.ok) throw verdict.fault;
  invocation.waitsForOthers?.();
  let isAwaited = true;
  let seen: SeenAnswer | null = null;
  const isLive =
    invocation.streamed === "live" &&
    streamOf(model.definition, verdict.document) !== null &&
    // What is checked first cannot be read along.
    !isAnswerScreened(deps, modelsOf(invocation.model, { model, plan }));
  const live = isLive ? createLiveDelivery(deps.clock) : null;
  const following = {
    usage: {
      requestId: invocation.requestId,
      apiKeyId: caller.keyId,
      ...(invocation.labels ? { labels: invocation.labels } : {}),
    },
    startedMs,
    ...rateWaitOf(invocation, endsAtMs - deps.clock.monotonicMs()),
    keepsOutputs: invocation.keepsOutputs ?? null,
    isAwaited: () => isAwaited,
    seen: () => seen,
    ...(live ? { live: live.reader } : {}),
    waiting: { isKeyed: invocation.idempotencyKey !== null, isFree: hold === 0n },
  };
  const running = send(deps, invocation, { model, plan, verdict, bytes }, { calls, call, hold }, following);
  if (calls === deps.calls && !model.runner) {
    const ended = deps.passing.besideRecorded(caller.workspaceId);
    running.then(ended, ended);
  }
  // A caller that left or was late never saw this answer, but a repeated call gets it.
  running.then(
    (answer) => noteAnswer(deps, bodyOwner(invocation), answer, call.id),
    (thrown: unknown) => noteRefusal(deps, bodyOwner(invocation), asFault(thrown), call.id),
  );
  const held = holdConnection(deps, running, invocation, endsAtMs)
    .catch((thrown: unknown) => {
      seen = seenFault(thrown);
      throw thrown;
    })
    .finally(() => {
      isAwaited = false;
    });
  const concurrency = { limit: slots, current };
  if (live === null) return { answer: await held, isReplay: false, concurrency };
  held.then(live.settled, live.failed);
  const first = await Promise.race([live.begun, held]);
  if ("status" in first) return { answer: first, isReplay: false, concurrency };
  const headers = { "content-type": first.contentType };
  return { answer: { status: 200, headers, body: noBytes }, live: first, isReplay: false, concurrency };
}

// No longer than its connection may be held.
function rateWaitOf({ waitSeconds = null }: InvokeModel, leftMs: number): Pick<RunInvocation, "rateWaitMs"> {
  return waitSeconds === null ? {} : { rateWaitMs: Math.min(waitSeconds * 1000, leftMs) };
}

const noBytes = Buffer.alloc(0);

// What does not change with the input.
type Following = Pick<
  RunInvocation,
  "usage" | "startedMs" | "isAwaited" | "seen" | "live" | "waiting" | "rateWaitMs" | "keepsOutputs"
>;

function send(
  deps: InvokeModelDeps,
  invocation: InvokeModel,
  sent: SentCall,
  begun: BegunCall,
  following: Following,
): Promise<RecordedAnswer> {
  const { calls } = begun;
  const run = (call: OwnedCall, { model, plan, verdict, bytes }: SentCall, more: Partial<RunInvocation> = {}) =>
    runInvocation(deps, {
      ...following,
      ...more,
      calls,
      call,
      model,
      ...sentInput({ model, plan, verdict }, bytes),
      ...(plan ? { route: routeRun(deps, invocation, plan, calls) } : {}),
    });
  const screening = screenCall(deps, invocation, sent, begun);
  if (screening === null) return run(begun.call, sent);
  return screening.then((screened) =>
    screened.kind === "stop"
      ? run(begun.call, sent, { checks: screened.checks, stopped: screened.ending })
      : run(screened.call, screened.prepared, { checks: screened.checks }),
  );
}

// What the provider gets: for a route, the input as its first target takes it.
function sentInput(
  { model, plan, verdict }: Pick<Prepared, "model"> & { plan: RoutePlan | undefined; verdict: ValidInput },
  bytes: Buffer,
) {
  const { document, exactIntegers, form } = plan?.first ?? verdict;
  const sent = plan ? plan.first.bytes() : withModelMember(model.definition, bytes, verdict.namesModel);
  return { bytes: sent, document, exactIntegers, ...(form ? { form } : {}) };
}

// A passing call is not stored, so there is nothing to change.
function routeRun(
  deps: InvokeModelDeps,
  { model }: InvokeModel,
  { first: current, rest }: RoutePlan,
  calls: CallLifecycle,
): RouteRun {
  const { id } = model;
  const redirect = calls === deps.calls ? deps.calls.redirect : async (call: OwnedCall) => call;
  return { id, current, rest, redirect };
}

// A caller who left saw nothing, so the usage row records what the provider made of the call.
function seenFault(thrown: unknown): SeenAnswer | null {
  const isAnswered = thrown instanceof Fault && thrown.code !== "client_disconnected";
  return isAnswered ? { status: thrown.status, outcome: thrown.code } : null;
}

function noSlot(limit: number, current: number): Fault {
  return new Fault("concurrency_limit_exceeded", "Too many calls are running. Wait for one to end.", {
    details: { limit, current },
  });
}

// Null if the key is free again and this caller may begin the call.
function readJoined(joined: Joined, invocation: InvokeModel): RecordedAnswer | null {
  switch (joined.kind) {
    case "answered":
      return joined.answer;
    case "released":
      return null;
    case "gave_up":
      throw lateFault(invocation);
    case "unknowable":
      throw new Fault(
        "provider_error",
        "We don't know whether the provider ran this call. Nothing was charged. The held credits are released within half an hour. Submit the job again to run it.",
      );
    case "too_many_waiters":
      throw new Fault("too_many_waiters", "This call is running, and too many requests are already waiting for it.", {
        retryAfterSeconds: 2,
      });
  }
}

function waitSignal(signal: AbortSignal, remainingMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.ceil(remainingMs)))]);
}
