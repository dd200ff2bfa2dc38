// Runs one partner model and answers with the partner's own bytes. The order of the steps is the policy
// (decisions, section 3): a replay precedes schema, balance and slot; only `begun` costs anything.
import {
  type CallBook,
  type CallId,
  type Calls,
  type Joined,
  type KeyCaps,
  notEnoughCredits,
  type OwnedCall,
  type PassingCalls,
  type RecordedAnswer,
  refusalOfCap,
  type Usage,
} from "../../capabilities/calls/index.ts";
import type { Principal } from "../../capabilities/identity/index.ts";
import { holdBound, isCostly, pricedInput } from "../../capabilities/prices/index.ts";
import { withModelMember } from "../../capabilities/providers/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { DrainOver } from "../../foundation/http/area.ts";
import { newId, type RequestId, type WorkspaceId } from "../../foundation/ids.ts";
import type { CatalogModel } from "./catalog.ts";
import type { InputChecker } from "./input-checker.ts";
import { type RunInvocationDeps, runInvocation } from "./run-invocation.ts";

export interface InvokeModelDeps extends RunInvocationDeps {
  readonly calls: Calls;
  // Free calls without a key.
  readonly passing: PassingCalls;
  readonly inputs: Pick<InputChecker, "check">;
  // The model under the workspace's own credential, free of charge, where it has one.
  underOwnCredential(model: CatalogModel, workspaceId: WorkspaceId): CatalogModel | Promise<CatalogModel>;
  // The workspace's slots, in all and for costly models.
  slotsOf(principal: Principal): Promise<{ slots: number; costlySlots: number }>;
  readonly caps: Pick<KeyCaps, "requireWithinCap" | "giveBack">;
  readonly usage: Pick<Usage, "recordUsage">;
  readonly deadlineMs: number;
  // Null: an answer of any size could be recorded now. Else why not, said before anything is asked of a provider.
  recordingProblem(): Promise<Fault | null>;
  // Runs that no connection waits for any more; the process waits for them before it ends.
  readonly detached: Set<Promise<unknown>>;
}

const ownCredentialContext = { own_credential: true };

export interface InvokeModel {
  readonly caller: Principal;
  readonly requestId: RequestId;
  readonly model: CatalogModel;
  readonly bytes: Buffer;
  readonly idempotencyKey: string | null;
  readonly request: { readonly method: string; readonly path: string; readonly queryText: string };
  readonly signal: AbortSignal;
  // Told when what is left is the provider's work, or another caller's.
  readonly waitsForOthers?: () => void;
  // Whether a call that it joins is left as soon as nobody can find out how it ends.
  readonly leavesUnknowable?: boolean;
}

export interface Invoked {
  readonly answer: RecordedAnswer;
  readonly isReplay: boolean;
  readonly concurrency: { readonly limit: number; readonly current: number } | null;
}

export async function invokeModel(deps: InvokeModelDeps, invocation: InvokeModel): Promise<Invoked> {
  const { caller, bytes } = invocation;
  const startedMs = deps.clock.monotonicMs();
  const found = deps.underOwnCredential(invocation.model, caller.workspaceId);
  const model = found instanceof Promise ? await found : found;
  const { verdict, fingerprint } = await deps.inputs.check(
    model,
    { ...invocation.request, bytes },
    invocation.idempotencyKey !== null,
    caller.workspaceId,
  );
  const { slots, costlySlots } = await deps.slotsOf(caller);
  const endsAtMs = startedMs + deps.deadlineMs;
  const hold = verdict.ok ? holdBound(model.price, verdict.document) : 0n;
  const run = async (book: CallBook, call: OwnedCall, current: number): Promise<Invoked> => {
    if (!verdict.ok) throw verdict.fault;
    invocation.waitsForOthers?.();
    let isAwaited = true;
    const running = runInvocation(deps, {
      book,
      call,
      model,
      bytes: withModelMember(model.definition, bytes, verdict.namesModel),
      document: verdict.document,
      exactIntegers: verdict.exactIntegers,
      ...(verdict.form ? { form: verdict.form } : {}),
      usage: { requestId: invocation.requestId, apiKeyId: caller.keyId },
      startedMs,
      isAwaited: () => isAwaited,
    });
    if (book === deps.calls) {
      const ended = deps.passing.besideBooked(caller.workspaceId);
      running.then(ended, ended);
    }
    const answer = await waitFor(deps, running, invocation, endsAtMs).finally(() => {
      isAwaited = false;
    });
    return { answer, isReplay: false, concurrency: { limit: slots, current } };
  };
  const own = deps.passing.inFlight(caller.workspaceId);
  if (invocation.idempotencyKey === null && hold === 0n) {
    if (!verdict.ok) throw verdict.fault;
    const id = newId<"call">(deps.clock.now().getTime());
    const begun = deps.passing.begin({ id, workspaceId: caller.workspaceId, slotsMax: slots });
    if (begun === null) throw noSlot(slots, slots);
    return run(deps.passing, begun.call, begun.inFlight);
  }
  for (;;) {
    const callId = newId<"call">(deps.clock.now().getTime());
    const capped = { workspaceId: caller.workspaceId, apiKeyId: caller.keyId, callId, hold };
    // A key's own cap is asked before, and its refusal waits for the look-up: a retry must replay all the same.
    const refusal = verdict.ok
      ? ((await deps.recordingProblem()) ?? (await refusalOfCap(deps.caps, capped)))
      : verdict.fault;
    const begun = await deps.calls.begin({
      id: callId,
      workspaceId: caller.workspaceId,
      subject: `model:${model.id}`,
      idempotencyKey: invocation.idempotencyKey,
      fingerprint,
      isValid: refusal === null,
      hold,
      priceRecordId: model.priceRecordId,
      pricedInput: verdict.ok ? pricedInput(model.definition.price, verdict.document) : null,
      takesSlot: true,
      isCostly: isCostly(model.price),
      slotsMax: slots - own,
      costlySlotsMax: costlySlots,
      recovery: model.definition.recovery,
      longestRunSeconds: model.definition.longest_run_seconds,
      apiKeyId: caller.keyId,
      requestId: invocation.requestId,
      definitionVersion: model.definitionVersion,
      // Whoever takes the call over asks under the same credential.
      ...(model.isOwnCredential ? { context: ownCredentialContext } : {}),
    });
    if (begun.kind !== "begun" && refusal === null) await giveBackCap(deps, capped);
    switch (begun.kind) {
      case "replay": {
        const answer = await deps.calls.replay(begun.callId, begun.answeredAt);
        if (answer === null) throw new Fault("conflict", "The answer of this Idempotency-Key is gone. Use a new key.");
        recordReplay(deps, invocation, { callId: begun.callId, status: answer.status, startedMs });
        return { answer, isReplay: true, concurrency: null };
      }
      case "mismatch":
        throw new Fault("conflict", "This Idempotency-Key was used for another request. Use a new key for a new call.");
      case "join": {
        invocation.waitsForOthers?.();
        const joined = await deps.calls.join(
          begun.callId,
          waitSignal(invocation.signal, endsAtMs - deps.clock.monotonicMs()),
          { leavesUnknowable: invocation.leavesUnknowable ?? false },
        );
        const answered = readJoined(joined, invocation);
        if (answered === null) continue;
        recordReplay(deps, invocation, { callId: begun.callId, status: answered.answer.status, startedMs });
        return answered;
      }
      case "invalid":
        throw refusal ?? new Fault("internal_error", "A valid call was judged invalid.");
      case "no_slot":
        // Of all slots there is none, or else none of those for costly models.
        throw begun.inFlight + own >= slots ? noSlot(slots, begun.inFlight + own) : noSlot(costlySlots, costlySlots);
      case "no_credit":
        throw notEnoughCredits("call", hold, begun.available);
      case "begun":
        return run(deps.calls, begun.call, begun.inFlight + own);
    }
  }
}

function noSlot(limit: number, current: number): Fault {
  return new Fault("concurrency_limit_exceeded", "Too many calls are running. Wait for one to end.", {
    details: { limit, current },
  });
}

interface CappedInvocation {
  readonly workspaceId: Principal["workspaceId"];
  readonly apiKeyId: Principal["keyId"];
  readonly callId: CallId;
  readonly hold: bigint;
}

async function giveBackCap({ caps }: InvokeModelDeps, { apiKeyId, callId, hold }: CappedInvocation): Promise<void> {
  if (apiKeyId !== null && hold > 0n) await caps.giveBack({ apiKeyId, callId });
}

function recordReplay(
  deps: InvokeModelDeps,
  { caller, requestId, model }: InvokeModel,
  replay: { callId: CallId; status: number; startedMs: number },
): void {
  deps.usage.recordUsage({
    workspaceId: caller.workspaceId,
    requestId,
    callId: replay.callId,
    apiKeyId: caller.keyId,
    subject: `model:${model.id}`,
    outcome: "replayed",
    status: replay.status,
    isReplay: true,
    totalMs: deps.clock.monotonicMs() - replay.startedMs,
  });
}

// Spec, Router rule 5: the connection is held at most for our own deadline. The run goes on without it.
function waitFor(
  deps: InvokeModelDeps,
  running: Promise<RecordedAnswer>,
  invocation: InvokeModel,
  endsAtMs: number,
): Promise<RecordedAnswer> {
  const { signal } = invocation;
  deps.detached.add(running);
  return new Promise((resolve, reject) => {
    const late = () => {
      leave();
      reject(lateFault(invocation));
    };
    const leave = () => {
      cancel();
      signal.removeEventListener("abort", late);
    };
    const cancel = deps.clock.after(Math.max(0, Math.ceil(endsAtMs - deps.clock.monotonicMs())), late);
    if (signal.aborted) late();
    else signal.addEventListener("abort", late, { once: true });
    const ended = () => {
      deps.detached.delete(running);
      leave();
    };
    running.then(
      (answer) => {
        ended();
        resolve(answer);
      },
      (error: unknown) => {
        ended();
        deps.log.error({ err: error, model: invocation.model.id }, "a call could not be ended");
        reject(error);
      },
    );
  });
}

// A stop that does not wait any longer is a deadline like ours: the call is followed by the next process (decisions,
// section 3), and 504 promises nothing else.
function lateFault(invocation: InvokeModel): Fault {
  const { aborted, reason } = invocation.signal;
  const isStop = aborted && reason instanceof DrainOver;
  if (aborted && !isStop) return new Fault("client_disconnected", "The caller went away; the call goes on.");
  const keyed = invocation.idempotencyKey !== null;
  const state = isStop ? "The server is stopping and the call is" : "The call is";
  const words = keyed
    ? `${state} still running. Ask again with the same Idempotency-Key to get its result.`
    : `${state} still running and will be billed if it completes. Send an Idempotency-Key to be able to collect such results.`;
  return new Fault("deadline_exceeded", words, keyed ? { retryAfterSeconds: 5 } : {});
}

// Null: the key is free again, and this caller may begin itself.
function readJoined(joined: Joined, invocation: InvokeModel): Invoked | null {
  switch (joined.kind) {
    case "answered":
      return { answer: joined.answer, isReplay: true, concurrency: null };
    case "released":
      return null;
    case "gave_up":
      throw lateFault(invocation);
    case "unknowable":
      throw new Fault(
        "provider_error",
        "Nobody knows whether the provider did this. Nothing was charged. What is held for it comes back within half an hour. Submit the job again to run it.",
      );
    case "too_many_waiters":
      throw new Fault("too_many_waiters", "This call is running and others wait for it already.", {
        retryAfterSeconds: 2,
      });
  }
}

function waitSignal(signal: AbortSignal, remainingMs: number): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(Math.max(0, Math.ceil(remainingMs)))]);
}
