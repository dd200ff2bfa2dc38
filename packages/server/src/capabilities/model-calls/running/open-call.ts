// What direct calls and queued requests share before they begin: whose credential is used, what is wrong with the input, the
// most it can cost, and the entry that opens the call (decisions, sections 3 and 10). A refusal before the call begins
// leaves a usage row, so the request id leads to it. Nodes of graphs retry on their own and are not counted.

import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { RequestLine } from "../../../foundation/http/request-fingerprint.ts";
import type { RequestId } from "../../../foundation/ids.ts";
import type { Labels } from "../../../foundation/json/labels.ts";
import { type Tracer, withTrace } from "../../../foundation/tracing/index.ts";
import { type CallId, type PaidCall, replayUsage, type Usage } from "../../calls/index.ts";
import type { Principal } from "../../identity/index.ts";
import { aboveLimit, holdBound, pricedInput } from "../../prices/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { requireModelOfToken } from "../catalog/token-models.ts";
import { keepContext } from "../endings/keep-outputs.ts";
import { outcomeOf } from "../endings/router-answer.ts";
import type { CheckedInput } from "../input/input-checker.ts";
import { routeContext } from "../routes/follow-targets.ts";
import { type PlanDeps, planRoute, type RoutePlan } from "../routes/plan-route.ts";
import { type BodyNoteDeps, type BodyOwner, noteRefusal } from "./note-bodies.ts";

export interface OpenCallDeps extends BodyNoteDeps, PlanDeps {
  readonly clock: Clock;
  readonly usage: Pick<Usage, "recordUsage">;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
  // Null if an answer of any size could be recorded now. Checked before anything is sent to a provider.
  recordingProblem(): Promise<Fault | null>;
}

export interface ModelCall {
  readonly caller: Principal;
  readonly requestId: RequestId;
  readonly model: CatalogModel;
  readonly bytes: Buffer;
  readonly idempotencyKey: string | null;
  // The most it may cost, in micro-credits. Absent or null if the caller set no limit.
  readonly maxCredits?: bigint | null;
  // How long it may wait for its provider's rate limit. Absent or null if the caller did not say.
  readonly waitSeconds?: number | null;
  // Whether its outputs are copied to the workspace. Absent or null: as the definition says.
  readonly keepsOutputs?: boolean | null;
  readonly request: RequestLine;
  // What it is counted under.
  readonly labels?: Labels;
}

export interface JudgedCall extends CheckedInput {
  // For a route: the target that is asked first.
  readonly model: CatalogModel;
  // Present if a route was called, and may be.
  readonly plan?: RoutePlan;
  readonly hold: bigint;
  // The most that it can cost. More than the hold if a job holds the rest.
  readonly highest: bigint;
}

type Judging = Pick<ModelCall, "caller" | "model" | "bytes" | "idempotencyKey" | "request" | "maxCredits">;

export async function judgeCall(deps: PlanDeps, call: Judging): Promise<JudgedCall> {
  const { workspaceId } = call.caller;
  // Whichever entrance the call came through. Nodes of a work run as the work, so a token need not name their models.
  requireModelOfToken(call.caller, call.model.id);
  const found = deps.underOwnCredential(call.model, workspaceId);
  const model = found instanceof Promise ? await found : found;
  const request = { ...call.request, bytes: call.bytes };
  const checked = deps.inputs.check(model, request, call.idempotencyKey !== null, workspaceId);
  const { verdict, fingerprint } = checked instanceof Promise ? await checked : checked;
  if (model.route) return judgeRoute(deps, call, { verdict, fingerprint });
  const hold = verdict.ok ? holdBound(model.price, verdict.document) : 0n;
  const isLimited = verdict.ok && (call.maxCredits ?? null) !== null;
  const asked = { workspaceId, apiKeyId: call.caller.keyId, body: call.bytes };
  const highest = model.runner && isLimited ? (await model.runner.quote(asked)).highest : hold;
  return { model, verdict, fingerprint, hold, highest };
}

// A plan that no target can carry out is what is wrong with the input.
async function judgeRoute(deps: PlanDeps, call: Judging, checked: CheckedInput): Promise<JudgedCall> {
  const { model, bytes, maxCredits: limit = null } = call;
  const nothing = { ...checked, model, hold: 0n, highest: 0n };
  const { verdict } = checked;
  const { route } = model;
  if (!verdict.ok || !route) return nothing;
  const request = { ...call.request, bytes };
  const { workspaceId } = call.caller;
  const plan = await planRoute(deps, { model: { ...model, route }, workspaceId, request, verdict, limit });
  if (plan instanceof Fault) return { ...nothing, verdict: { ok: false, fault: plan } };
  const { first, hold } = plan;
  return {
    ...nothing,
    verdict: { ...verdict, document: first.document },
    model: first.model,
    hold,
    highest: hold,
    plan,
  };
}

// Stored with the call, so that a process that takes it over uses the same credential.
export const ownCredentialContext = { own_credential: true };

export function hasOwnCredential({ context }: { readonly context: unknown }): boolean {
  return typeof context === "object" && context !== null && Reflect.get(context, "own_credential") === true;
}

// Where the two differ: a call takes a slot immediately, a request waits in a row.
export interface OpeningPart {
  readonly slots: Pick<PaidCall<unknown, unknown>["opening"], "takesSlot" | "isCostly" | "slotsMax" | "costlySlotsMax">;
  readonly longestRunSeconds: number;
  readonly context: object | null;
  // Anything wrong with the request besides its input and price.
  readonly refusal?: Fault | null;
}

export function buildOpening(
  deps: OpenCallDeps,
  call: ModelCall,
  { model, plan, verdict, fingerprint, hold, highest }: JudgedCall,
  part: OpeningPart,
) {
  const isOwn = model.isOwnCredential ?? false;
  const kept = keepContext(call.keepsOutputs);
  const context =
    isOwn || plan || "keep_outputs" in kept
      ? { ...part.context, ...kept, ...(isOwn ? ownCredentialContext : {}), ...(plan ? routeContext(plan.first) : {}) }
      : part.context;
  const limit = call.maxCredits ?? null;
  return {
    opening: {
      workspaceId: call.caller.workspaceId,
      subject: `model:${call.model.id}`,
      idempotencyKey: call.idempotencyKey,
      fingerprint,
      hold,
      priceRecordId: model.priceRecordId,
      pricedInput: verdict.ok ? pricedInput(model.definition.price, verdict.document) : null,
      ...part.slots,
      recovery: model.definition.recovery,
      longestRunSeconds: part.longestRunSeconds,
      apiKeyId: call.caller.keyId,
      requestId: call.requestId,
      ...(call.labels ? { labels: call.labels } : {}),
      definitionVersion: model.definitionVersion,
    },
    models: modelsOfCall(call.model),
    context: () => withTrace(deps.tracer, context),
    refusal: part.refusal ?? (verdict.ok ? aboveLimit("call", { highest, limit }) : verdict.fault),
    hindrance: () => deps.recordingProblem(),
  };
}

// What limits of models concern: of a route also every target, whichever of them answers.
export function modelsOfCall({ id, route }: Pick<CatalogModel, "id" | "route">): readonly string[] {
  return route ? [id, ...route.targets.map(({ model }) => model.id)] : [id];
}

export function keyMismatch(): Fault {
  return new Fault("conflict", "This Idempotency-Key was used for another request. Use a new key for a new call.");
}

export async function countingRefusals<Begun>(
  deps: Pick<OpenCallDeps, "clock" | "usage" | "bodies">,
  call: Pick<ModelCall, "caller" | "requestId" | "model" | "bytes" | "labels">,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  const { caller, requestId, model, labels } = call;
  const startedMs = deps.clock.monotonicMs();
  try {
    return await begin();
  } catch (thrown) {
    if (thrown instanceof Fault) {
      deps.usage.recordUsage({
        workspaceId: caller.workspaceId,
        requestId,
        callId: null,
        apiKeyId: caller.keyId,
        subject: `model:${model.id}`,
        outcome: outcomeOf(thrown.code),
        status: thrown.status,
        isReplay: false,
        labels,
        totalMs: deps.clock.monotonicMs() - startedMs,
      });
      noteRefusal(deps, bodyOwner(call), thrown);
    }
    throw thrown;
  }
}

export function bodyOwner({ caller, requestId, bytes }: Pick<ModelCall, "caller" | "requestId" | "bytes">): BodyOwner {
  return { workspaceId: caller.workspaceId, requestId, bytes };
}

// The usage row of a request that an earlier call answered.
export function recordReplay(
  deps: Pick<OpenCallDeps, "clock" | "usage">,
  { caller, requestId, model, labels }: Pick<ModelCall, "caller" | "requestId" | "model" | "labels">,
  { callId, status, startedMs }: { readonly callId: CallId; readonly status: number; readonly startedMs: number },
): void {
  const { workspaceId, keyId: apiKeyId } = caller;
  const source = { workspaceId, requestId, apiKeyId, subject: `model:${model.id}`, labels };
  const totalMs = deps.clock.monotonicMs() - startedMs;
  deps.usage.recordUsage(replayUsage(source, { callId, status, totalMs }));
}
