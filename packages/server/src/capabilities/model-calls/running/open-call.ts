// What direct calls and queued requests share before they begin: whose credential is used, what is wrong with the input, the
// most it can cost, and the entry that opens the call (decisions, sections 3 and 10). A refusal before the call begins
// leaves a usage row, so the request id leads to it. Nodes of graphs retry on their own and are not counted.

import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { RequestLine } from "../../../foundation/http/request-fingerprint.ts";
import type { RequestId, WorkspaceId } from "../../../foundation/ids.ts";
import { type Tracer, withTrace } from "../../../foundation/tracing/index.ts";
import { type CallId, type PaidCall, replayUsage, type Usage } from "../../calls/index.ts";
import type { Principal } from "../../identity/index.ts";
import { aboveLimit, holdBound, pricedInput } from "../../prices/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import { outcomeOf } from "../endings/router-answer.ts";
import type { CheckedInput, InputChecker } from "../input/input-checker.ts";
import { type BodyNoteDeps, type BodyOwner, noteRefusal } from "./note-bodies.ts";

export interface OpenCallDeps extends BodyNoteDeps {
  readonly clock: Clock;
  readonly inputs: Pick<InputChecker, "check">;
  readonly usage: Pick<Usage, "recordUsage">;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
  // The model under the workspace's own credential, free of charge, if the workspace has one.
  underOwnCredential(model: CatalogModel, workspaceId: WorkspaceId): CatalogModel | Promise<CatalogModel>;
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
  readonly request: RequestLine;
}

export interface JudgedCall extends CheckedInput {
  readonly model: CatalogModel;
  readonly hold: bigint;
  // The most that it can cost. More than the hold if a job holds the rest.
  readonly highest: bigint;
}

export async function judgeCall(
  deps: Pick<OpenCallDeps, "inputs" | "underOwnCredential">,
  call: Pick<ModelCall, "caller" | "model" | "bytes" | "idempotencyKey" | "request" | "maxCredits">,
): Promise<JudgedCall> {
  const { workspaceId } = call.caller;
  const found = deps.underOwnCredential(call.model, workspaceId);
  const model = found instanceof Promise ? await found : found;
  const request = { ...call.request, bytes: call.bytes };
  const { verdict, fingerprint } = await deps.inputs.check(model, request, call.idempotencyKey !== null, workspaceId);
  const hold = verdict.ok ? holdBound(model.price, verdict.document) : 0n;
  const isLimited = verdict.ok && (call.maxCredits ?? null) !== null;
  const asked = { workspaceId, apiKeyId: call.caller.keyId, body: call.bytes };
  const highest = model.runner && isLimited ? (await model.runner.quote(asked)).highest : hold;
  return { model, verdict, fingerprint, hold, highest };
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
  { model, verdict, fingerprint, hold, highest }: JudgedCall,
  part: OpeningPart,
) {
  const isOwn = model.isOwnCredential ?? false;
  const context = isOwn ? { ...part.context, ...ownCredentialContext } : part.context;
  const limit = call.maxCredits ?? null;
  return {
    opening: {
      workspaceId: call.caller.workspaceId,
      subject: `model:${model.id}`,
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
      definitionVersion: model.definitionVersion,
    },
    context: () => withTrace(deps.tracer, context),
    refusal: part.refusal ?? (verdict.ok ? aboveLimit("call", { highest, limit }) : verdict.fault),
    hindrance: () => deps.recordingProblem(),
  };
}

export function keyMismatch(): Fault {
  return new Fault("conflict", "This Idempotency-Key was used for another request. Use a new key for a new call.");
}

export async function countingRefusals<Begun>(
  deps: Pick<OpenCallDeps, "clock" | "usage" | "bodies">,
  call: Pick<ModelCall, "caller" | "requestId" | "model" | "bytes">,
  begin: () => Promise<Begun>,
): Promise<Begun> {
  const { caller, requestId, model } = call;
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
  { caller, requestId, model }: Pick<ModelCall, "caller" | "requestId" | "model">,
  { callId, status, startedMs }: { readonly callId: CallId; readonly status: number; readonly startedMs: number },
): void {
  const source = { workspaceId: caller.workspaceId, requestId, apiKeyId: caller.keyId, subject: `model:${model.id}` };
  const totalMs = deps.clock.monotonicMs() - startedMs;
  deps.usage.recordUsage(replayUsage(source, { callId, status, totalMs }));
}
