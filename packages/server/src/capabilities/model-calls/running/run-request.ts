// Runs a queued request when its turn comes, with the same code as a synchronous call. Things may have changed since
// submission: the model must still be served, the workspace still entitled, and the input is checked against the model as it
// is now. The hold and the price stay those of the submission. A key revoked in between changes nothing: it was valid when
// the request was accepted, and the workspace pays.

import { asFault, Fault, isPassingFault } from "../../../foundation/fault.ts";
import { trustedId } from "../../../foundation/ids.ts";
import { storedTrace } from "../../../foundation/tracing/index.ts";
import type { CallLifecycle, OwnedCall } from "../../calls/index.ts";
import {
  type ClaimedRequest,
  type ModelRequests,
  type RunRequest,
  requestContext,
} from "../../model-requests/index.ts";
import { holdBound, type Price, type Prices } from "../../prices/index.ts";
import { isWorkId, withModelMember } from "../../providers/index.ts";
import type { Admission } from "../catalog/admission.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { answerOf } from "../endings/decide-ending.ts";
import { keepContext, storedKeep } from "../endings/keep-outputs.ts";
import type { BodyRequest } from "../input/input-checker.ts";
import { storedWait, waitContext } from "../input/wait-seconds.ts";
import { redirectionTo } from "../routes/follow-targets.ts";
import { type PlannedCall, planRoute } from "../routes/plan-route.ts";
import { isScreened, screenInput } from "../safety/screen-input.ts";
import { heldTooLittle, sentRedirection } from "../safety/sent-redirection.ts";
import type { InvokeModelDeps } from "./invoke-model.ts";
import { noteAnswer } from "./note-bodies.ts";
import { hasOwnCredential, ownCredentialContext } from "./open-call.ts";
import { type RunInvocation, runInvocation } from "./run-invocation.ts";
import type { JudgedInputs } from "./submit-request.ts";

export interface RunRequestDeps
  extends Pick<
    InvokeModelDeps,
    | "clock"
    | "log"
    | "providerMeter"
    | "tracer"
    | "upstream"
    | "answers"
    | "credentialRefused"
    | "known"
    | "inputs"
    | "underOwnCredential"
    | "entitlements"
    | "turns"
    | "health"
    | "passing"
    | "detached"
    | "bodies"
    | "safety"
    | "keeper"
  > {
  readonly calls: Pick<InvokeModelDeps["calls"], "renew" | "redirect">;
  readonly prices: Pick<Prices, "get">;
  readonly judged: JudgedInputs;
  readonly requests: Pick<ModelRequests, "lifecycle" | "bodyOf" | "putBack">;
  readonly admission: Pick<Admission, "admitAgain">;
}

// Pause before a request that hit a temporary problem runs again.
const passingPauseMs = 1_000;

export function requestRunner(deps: RunRequestDeps): RunRequest {
  return async (call, request) => {
    // A work gives its slot back as soon as its job is queued.
    const ended = isWorkId(request.model) ? () => undefined : deps.passing.besideRecorded(call.workspaceId);
    const running = tracedRun(deps, call, request);
    deps.detached.add(running);
    try {
      await running;
    } finally {
      deps.detached.delete(running);
      ended();
    }
  };
}

// Runs in the trace of its submission, which is stored with the call, whichever process accepted it.
function tracedRun(deps: RunRequestDeps, call: OwnedCall, request: ClaimedRequest): Promise<void> {
  const { tracer = null } = deps;
  if (tracer === null) return run(deps, call, request);
  const attributes = {
    "atelier.model": request.model,
    "atelier.call_id": call.id,
    "atelier.waited_ms": Math.round(request.waitedMs),
  };
  const after = storedTrace(request.context);
  return tracer.around({ name: "run model request", kind: "consumer", after, attributes }, () =>
    run(deps, call, request),
  );
}

async function run(deps: RunRequestDeps, call: OwnedCall, request: ClaimedRequest): Promise<void> {
  const startedMs = deps.clock.monotonicMs() - request.waitedMs;
  try {
    const { input, ...prepared } = await prepare(deps, call, request);
    if (prepared.stopped === undefined && !prepared.call.maySend()) {
      await deps.requests.putBack(call);
      return;
    }
    let isPutBack = false;
    const calls = lifecycleOf(deps, () => {
      isPutBack = true;
    });
    const waitSeconds = storedWait(request.context);
    const answer = await runInvocation(deps, {
      ...prepared,
      keepsOutputs: storedKeep(request.context),
      ...(waitSeconds === null ? {} : { rateWaitMs: waitSeconds * 1000 }),
      calls,
      usage: {
        requestId: request.requestId,
        apiKeyId: request.apiKeyId,
        labels: { tags: request.tags, endUser: request.endUser },
      },
      startedMs,
      isAwaited: () => false,
    });
    if (!isPutBack) noteAnswer(deps, ownerOf(call, request, input), answer, call.id);
  } catch (error) {
    if (error instanceof NotPrepared) await refuse(deps, call, request, error.cause);
    else throw error;
  }
}

// Nothing has been sent yet.
class NotPrepared extends Error {}

// `input`: the caller's own bytes.
type Prepared = Sent & Pick<RunInvocation, "call" | "checks" | "stopped"> & { readonly input: Buffer };
type Sent = Pick<RunInvocation, "model" | "bytes" | "document" | "exactIntegers" | "form" | "route">;

const ownerOf = ({ id, workspaceId }: OwnedCall, { requestId }: ClaimedRequest, bytes: Buffer | null) => ({
  workspaceId,
  requestId: requestId ?? trustedId<"request">(id),
  bytes,
});

async function prepare(deps: RunRequestDeps, call: OwnedCall, request: ClaimedRequest): Promise<Prepared> {
  try {
    const { workspaceId } = call;
    const served = await deps.admission.admitAgain(workspaceId, request.model);
    const bytes = await deps.requests.bodyOf(request);
    if (bytes === null) throw new Fault("internal_error", "The input of this request is lost. Nothing was charged.");
    const prepareWith = (input: Buffer) => prepareInput(deps, call, request, served, input);
    const screened = await screenRequest(deps, call, request, { bytes, sent: await prepareWith(bytes), prepareWith });
    return { ...screened, input: bytes };
  } catch (cause) {
    throw new NotPrepared("a request cannot be run", { cause });
  }
}

async function prepareInput(
  deps: RunRequestDeps,
  call: OwnedCall,
  request: ClaimedRequest,
  served: CatalogModel,
  bytes: Buffer,
): Promise<Sent> {
  const { workspaceId } = call;
  const line = { method: "POST", path: "", queryText: "", bytes };
  if (served.route) return prepareRoute(deps, call, request, { ...served, route: served.route }, line);
  const model = await asSubmitted(deps, request, await deps.underOwnCredential(served, workspaceId));
  const known = deps.judged.get(call.id);
  deps.judged.delete(call.id);
  const { verdict } =
    known?.definition === model.definition ? known : await deps.inputs.check(model, line, false, workspaceId);
  if (!verdict.ok) throw verdict.fault;
  await renew(deps, call, request, model);
  const { document, exactIntegers, namesModel, form } = verdict;
  const body = withModelMember(model.definition, bytes, namesModel);
  return { model, bytes: body, document, exactIntegers, ...(form ? { form } : {}) };
}

// While the hook gives no verdict, the request waits in the queue.
async function screenRequest(
  deps: RunRequestDeps,
  call: OwnedCall,
  request: ClaimedRequest,
  {
    bytes,
    sent,
    prepareWith,
  }: { readonly bytes: Buffer; readonly sent: Sent; prepareWith(bytes: Buffer): Promise<Sent> },
): Promise<Sent & Pick<Prepared, "call" | "checks" | "stopped">> {
  const { model: id, requestId, tags, endUser, hold } = request;
  const route = sent.route;
  const models = [id, sent.model.id, ...(route?.rest ?? []).map(({ model }) => model.id)];
  if (!isScreened(deps, models)) return { ...sent, call };
  const screened = await screenInput<Sent>(deps, {
    screened: { call, model: id, models, requestId, labels: { tags, endUser }, bytes },
    prepared: sent,
    async prepareAgain(replaced) {
      const again = await prepareWith(replaced);
      if (!again.route && holdBound(again.model.price, again.document) > hold) throw heldTooLittle();
      return again;
    },
    commit: (prepared, context) => {
      const { model, document } = prepared;
      const { priceRecordId } = request;
      const now = { model, document, priceRecordId, target: prepared.route?.current };
      return deps.calls.redirect(call, sentRedirection(now, context));
    },
  });
  if (screened.kind === "send") return { ...screened.prepared, call: screened.call, checks: screened.checks };
  if (isPassingFault(screened.fault)) throw screened.fault;
  return { ...sent, call, checks: screened.checks, stopped: screened.ending };
}

// The targets and their prices are those of now, as far as the submission's hold covers them.
async function prepareRoute(
  deps: RunRequestDeps,
  call: OwnedCall,
  { hold }: ClaimedRequest,
  model: PlannedCall["model"],
  request: BodyRequest,
): Promise<Sent> {
  const { workspaceId } = call;
  const { verdict } = await deps.inputs.check(model, request, false, workspaceId);
  if (!verdict.ok) throw verdict.fault;
  const plan = await planRoute(deps, { model, workspaceId, request, verdict, limit: hold });
  if (plan instanceof Fault) throw plan;
  if (plan.hold > hold)
    throw new Fault(
      "price_above_limit",
      "Every target now costs more than was held for this request. Submit it again.",
    );
  const { first: current, rest } = plan;
  await deps.calls.redirect(call, redirectionTo(current));
  const { document, exactIntegers, form } = current;
  const route = { id: model.id, current, rest, redirect: deps.calls.redirect };
  const sent = { model: current.model, bytes: current.bytes(), document, exactIntegers, ...(form ? { form } : {}) };
  return { ...sent, route };
}

// Uses the price of its submission. A request submitted under the workspace's own credential was held at no charge, so it
// never runs under the server's.
async function asSubmitted(
  { prices }: RunRequestDeps,
  request: ClaimedRequest,
  model: CatalogModel,
): Promise<CatalogModel> {
  if (model.isOwnCredential) return model;
  if (hasOwnCredential(request))
    throw new Fault(
      "forbidden",
      "The workspace's own credential that this request was submitted with has been removed.",
    );
  const price: Price | undefined =
    request.priceRecordId === null || request.priceRecordId === model.priceRecordId
      ? model.price
      : (await prices.get(trustedId(request.priceRecordId)))?.price;
  if (price === undefined) throw new Fault("internal_error", "The price of this request is lost. Nothing was charged.");
  return { ...model, price };
}

// A process that takes the call over must use the definition and the credential that the call was sent with.
async function renew(deps: RunRequestDeps, call: OwnedCall, request: ClaimedRequest, model: CatalogModel) {
  const isOwnNow = model.isOwnCredential ?? false;
  const { definitionVersion } = model;
  if (definitionVersion === request.definitionVersion && isOwnNow === hasOwnCredential(request)) return;
  const traceparent = storedTrace(request.context);
  const context = {
    ...requestContext,
    ...waitContext(storedWait(request.context)),
    ...keepContext(storedKeep(request.context)),
    ...(isOwnNow ? ownCredentialContext : {}),
    ...(traceparent === null ? {} : { traceparent }),
  };
  await deps.calls.renew(call, { definitionVersion, context });
}

// A process that was delayed before it sent has sent nothing, so the request waits again.
function lifecycleOf({ requests }: RunRequestDeps, putBack: () => void): CallLifecycle {
  return {
    ...requests.lifecycle,
    finish(ending, unkept) {
      if (ending.outcome !== "service_unavailable") return requests.lifecycle.finish(ending, unkept);
      putBack();
      return requests.putBack(ending.call);
    },
  };
}

async function refuse(deps: RunRequestDeps, call: OwnedCall, request: ClaimedRequest, cause: unknown): Promise<void> {
  if (isPassingFault(cause)) {
    deps.log.warn({ callId: call.id, err: cause }, "a request cannot run right now; it goes back to the queue");
    await deps.clock.sleep(passingPauseMs);
    await deps.requests.putBack(call);
    return;
  }
  const fault = asFault(cause);
  if (fault.code === "internal_error") deps.log.error({ callId: call.id, err: cause }, "a request could not be run");
  const answer = answerOf(fault, null);
  await deps.requests.lifecycle.finish({
    call,
    state: "finished",
    outcome: fault.code,
    charge: 0n,
    answer: null,
    sent: answer,
    usage: {
      requestId: request.requestId,
      apiKeyId: request.apiKeyId,
      subject: `model:${request.model}`,
      status: answer.status,
      totalMs: request.waitedMs,
      providerMs: null,
    },
  });
  if (!deps.bodies?.keeps(call.workspaceId)) return;
  const input = await deps.requests.bodyOf(request).catch(() => null);
  noteAnswer(deps, ownerOf(call, request, input), answer, call.id);
}
