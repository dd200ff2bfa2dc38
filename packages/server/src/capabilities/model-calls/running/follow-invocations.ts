// How the follower ends model calls whose caller left, whose process died, or whose answer got lost.

import { trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { storedTrace, type Tracer } from "../../../foundation/tracing/index.ts";
import { type CallFollowing, type Calls, type Inquiry, type StoredCall, usageOf } from "../../calls/index.ts";
import { isRequestContext, type ModelRequests } from "../../model-requests/index.ts";
import { freePrice, type Price, type Prices } from "../../prices/index.ts";
import {
  type Asked,
  type Attempt,
  askAbout,
  type ModelRunner,
  pollOnce,
  type RunDeps,
  type ServedModel,
  type TaskHandle,
} from "../../providers/index.ts";
import { decideEnding, type EndingInput, unkeptAnswer, unknownEnding } from "../endings/decide-ending.ts";
import { type HidingDeps, hideSecrets, type Said } from "../endings/hide-secrets.ts";
import { type KeepDeps, keepOutputs, storedKeep } from "../endings/keep-outputs.ts";
import { namedTarget, storedTarget } from "../routes/follow-targets.ts";
import { storedChecks } from "../safety/check-of-call.ts";
import { screenAnswer } from "../safety/screen-answer.ts";
import type { ScreenDeps } from "../safety/screen-input.ts";
import { hasOwnCredential } from "./open-call.ts";

const prefix = "model:";

export interface FollowInvocationsDeps extends RunDeps, HidingDeps, ScreenDeps, Pick<KeepDeps, "keeper"> {
  readonly calls: Pick<Calls, "finish">;
  // Calls of queued requests end together with the request.
  readonly requests: Pick<ModelRequests, "stateOf" | "endFollowed">;
  // The model as it was when the call began, regardless of later changes to its definition. Null if it cannot be reached.
  modelOf(id: string, definitionVersion: number | null): Promise<ServedModel | null>;
  readonly prices: Pick<Prices, "get">;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
  // The model and its price under the workspace's own credential. Null if the workspace no longer has one.
  underOwnCredential(
    model: ServedModel & { readonly price: Price },
    workspaceId: WorkspaceId,
  ): Promise<(ServedModel & { readonly price: Price }) | null>;
}

export function followInvocations(deps: FollowInvocationsDeps): CallFollowing {
  return {
    handles: (subject) => subject.startsWith(prefix),
    inquire: (call, signal) => tracedInquire(deps, call, signal),
    unknownAnswer: () => unknownEnding().answer,
    finish: (call, ending, unkept) =>
      isRequestContext(call.context)
        ? deps.requests.endFollowed(call, ending, unkept)
        : deps.calls.finish(ending, unkept),
  };
}

// A call that was taken over stays in its trace. We record only the look that found its end.
async function tracedInquire(deps: FollowInvocationsDeps, call: StoredCall, signal: AbortSignal): Promise<Inquiry> {
  const { tracer = null } = deps;
  const after = storedTrace(call.context);
  if (tracer === null || after === null) return inquire(deps, call, signal);
  const attributes = { "atelier.model": call.subject.slice(prefix.length), "atelier.call_id": call.id };
  const span = tracer.begin({ name: "look up a call at its provider", kind: "client", after, attributes });
  const inquiry = await tracer.within(span, () => inquire(deps, call, signal));
  if (inquiry.finding.kind === "ended") span.note("atelier.outcome", inquiry.ending?.outcome).end();
  return inquiry;
}

function modelBegunWith({ modelOf }: Pick<FollowInvocationsDeps, "modelOf">, call: StoredCall) {
  const target = storedTarget(call.context)?.target ?? call.subject.slice(prefix.length);
  return modelOf(target, call.definitionVersion);
}

// Under the credential that it was sent with. Null if it cannot be reached now.
export async function modelOfCall(
  deps: Pick<FollowInvocationsDeps, "modelOf" | "underOwnCredential">,
  call: StoredCall,
): Promise<ServedModel | null> {
  const model = await modelBegunWith(deps, call);
  if (model === null || model.runner) return null;
  if (hasOwnCredential(call)) return deps.underOwnCredential({ ...model, price: freePrice }, call.workspaceId);
  return model.needsOwnCredential ? null : model;
}

async function inquire(deps: FollowInvocationsDeps, call: StoredCall, signal: AbortSignal): Promise<Inquiry> {
  const early = isRequestContext(call.context) ? await ofRequest(deps, call) : ofCall(call);
  if (early !== null) return { finding: { kind: early } };
  const route = storedTarget(call.context);
  const begunWith = await modelBegunWith(deps, call);
  if (begunWith?.runner) return inquireHere(deps, call, begunWith, begunWith.runner);
  // Charged at the price the call began with, whatever the model costs by now.
  const record = call.priceRecordId === null ? null : await deps.prices.get(trustedId(call.priceRecordId));
  // If the provider has no credential right now, we can ask about the model later.
  if (begunWith === null || record === null) return { finding: { kind: "unreachable" } };
  const priced = { ...begunWith, price: record.price };
  const model = hasOwnCredential(call)
    ? await deps.underOwnCredential(priced, call.workspaceId)
    : begunWith.needsOwnCredential
      ? null
      : priced;
  if (model === null) return { finding: { kind: "unreachable" } };
  const handle = storedHandle(call.handle);
  const attempts: (Attempt & { readonly target?: string })[] = [];
  const attempted = (attempt: Attempt) =>
    void attempts.push(route === null ? attempt : { ...attempt, target: route.target });
  if (handle !== null) {
    const outcome = await pollOnce(deps, model, handle, signal, attempted);
    return outcome === null ? { finding: { kind: "running" } } : endedInquiry(deps, call, model, { outcome, attempts });
  }
  if (model.definition.recovery === "neither") return { finding: { kind: "cannot_ask" } };
  const asked: Asked = await askAbout(deps, model, route?.reference ?? call.id, signal, attempted);
  return asked.kind === "ended"
    ? endedInquiry(deps, call, model, { outcome: asked.outcome, attempts })
    : { finding: { kind: asked.kind } };
}

// The call itself is free: what its nodes used is paid by their own calls.
async function inquireHere(deps: EndDeps, call: StoredCall, model: ServedModel, runner: ModelRunner): Promise<Inquiry> {
  const { id: reference, workspaceId, handle } = call;
  const found = await runner.ask({ reference, workspaceId, handle });
  if (found.kind !== "ended") return { finding: { kind: found.kind } };
  return endedInquiry(deps, call, { ...model, price: freePrice }, { outcome: found.outcome, attempts: [] });
}

// The input was lost with its process, except for the members the price reads: those are stored with the call.
type EndDeps = Pick<FollowInvocationsDeps, "known" | "safety" | "answers" | "keeper">;

async function endedInquiry(
  deps: EndDeps,
  call: StoredCall,
  model: EndingInput["model"] & ServedModel,
  said: Said,
): Promise<Inquiry> {
  const { outcome, attempts } = await hideSecrets(deps, call.workspaceId, said);
  if (outcome.kind === "no_answer" || outcome.kind === "not_sent") return { finding: { kind: "unreachable" } };
  const found = decideEnding(outcome, { model, input: call.pricedInput });
  const { id, subject, requestId, tags, endUser } = call;
  const { ending: shown, checks } = await screenAnswer(deps, {
    call: { id, workspaceId: call.workspaceId, fence: call.fence },
    model: subject.slice(prefix.length),
    served: model,
    requestId,
    labels: { tags, endUser },
    ending: found,
  });
  const ending = await keepOutputs(deps, { call, model, ending: shown, isAsked: storedKeep(call.context) });
  const isRecorded = ending.next !== "release";
  const route = storedTarget(call.context);
  const answer = route === null ? ending.answer : namedTarget(ending.answer, route);
  const usage = usageOf(call, answer.status);
  // What its caller was answered meanwhile includes the check of its input and the targets before.
  const before = usage.attempts ?? [...storedChecks.read(call.context), ...(route?.attempts ?? [])];
  const all = [...before, ...attempts, ...checks];
  return {
    finding: { kind: "ended" },
    unkept: unkeptAnswer,
    ending: {
      state: "finished",
      outcome: ending.outcome,
      charge: ending.charge,
      answer: isRecorded ? answer : null,
      sent: answer,
      usage: { ...usage, ...(all.length > 0 ? { attempts: all } : {}) },
    },
  };
}

// Only a provider that the process runs itself, the sandbox, has no definition version. It ends with its process, and that
// process is gone, because the call was taken over. Our own sandbox knows nothing of the call and never will.
function ofCall({ definitionVersion, fence }: StoredCall): "gone" | null {
  return definitionVersion === null && fence > 1 ? "gone" : null;
}

// A waiting request was taken over from the process that accepted it, and simply keeps waiting.
async function ofRequest({ requests }: FollowInvocationsDeps, call: StoredCall): Promise<"gone" | "parked" | null> {
  const state = await requests.stateOf(call);
  if (state === "waiting") return "parked";
  if (state === "gone") return "gone";
  return state === "died" && call.definitionVersion === null ? "gone" : null;
}

export function storedHandle(handle: unknown): TaskHandle | null {
  if (typeof handle !== "object" || handle === null) return null;
  const url: unknown = Reflect.get(handle, "url");
  const resultUrl: unknown = Reflect.get(handle, "resultUrl");
  const cancelUrl: unknown = Reflect.get(handle, "cancelUrl");
  if (typeof url !== "string") return null;
  return {
    url,
    ...(typeof resultUrl === "string" ? { resultUrl } : {}),
    ...(typeof cancelUrl === "string" ? { cancelUrl } : {}),
  };
}
