// Queues one model call: the order of steps of the synchronous call, with a request that waits in place of the slot (decisions,
// sections 3 and 10). What has begun is held, committed and answered at once; a process that has room runs it later.
import { BoundedMap } from "@atelier/engine/bounded-map";
import {
  beginPaidCall,
  type CallId,
  type KeyCaps,
  type PaidCall,
  type RecordedAnswer,
  replayUsage,
  type Usage,
} from "../../capabilities/calls/index.ts";
import type { Principal } from "../../capabilities/identity/index.ts";
import { type ModelRequests, requestContext, type SeenRequest } from "../../capabilities/model-requests/index.ts";
import { isCostly, pricedInput } from "../../capabilities/prices/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import type { RequestLine } from "../../foundation/http/request-fingerprint.ts";
import { newId, type RequestId, type WorkspaceId } from "../../foundation/ids.ts";
import { type Tracer, withTrace } from "../../foundation/tracing/index.ts";
import type { CatalogModel } from "./catalog.ts";
import type { InputVerdict } from "./check-input.ts";
import { countingRefusals } from "./count-refusals.ts";
import { type JudgeDeps, judgeInput, ownCredentialContext } from "./invoke-model.ts";
import { refusalAbove } from "./require-within-limit.ts";

export interface SubmitRequestDeps extends JudgeDeps {
  readonly clock: Clock;
  readonly caps: Pick<KeyCaps, "requireWithinCap" | "giveBack">;
  readonly usage: Pick<Usage, "recordUsage">;
  recordingProblem(): Promise<Fault | null>;
  readonly requests: Pick<ModelRequests, "begin" | "find">;
  // How many requests of the workspace may wait.
  backlogOf(workspaceId: WorkspaceId): number | Promise<number>;
  // How long one may wait.
  readonly queueSeconds: number;
  readonly judged: JudgedInputs;
  // Null or absent: no traces.
  readonly tracer?: Tracer | null;
}

// What was judged here a moment ago need not be read again where it is also run, by the same definition.
export type JudgedInputs = BoundedMap<string, { readonly definition: object; readonly verdict: InputVerdict }>;

const judgedMax = 256;

export const judgedInputs = (): JudgedInputs => new BoundedMap(judgedMax);

export interface SubmitRequest {
  readonly caller: Principal;
  readonly requestId: RequestId;
  readonly model: CatalogModel;
  readonly bytes: Buffer;
  readonly idempotencyKey: string | null;
  readonly request: RequestLine;
  readonly webhookUrl: string | null;
  // The most it may cost, in micro-credits; null: no limit was sent.
  readonly maxCredits: bigint | null;
  // What is wrong with the request besides its input.
  readonly refusal: Fault | null;
}

export interface Submitted {
  readonly request: Pick<SeenRequest, "id" | "model" | "state" | "queuePosition">;
  readonly isReplay: boolean;
}

const rememberedBytesMax = 32 * 1024;

export function submitRequest(deps: SubmitRequestDeps, submission: SubmitRequest): Promise<Submitted> {
  return countingRefusals(deps, { ...submission, countsRefusals: true }, () => submit(deps, submission));
}

async function submit(deps: SubmitRequestDeps, submission: SubmitRequest): Promise<Submitted> {
  const startedMs = deps.clock.monotonicMs();
  const { caller } = submission;
  const judged = await judgeInput(deps, submission);
  const backlogMax = await deps.backlogOf(caller.workspaceId);
  const paid = await beginPaidCall(
    {
      clock: deps.clock,
      caps: deps.caps,
      calls: { begin: queueing(deps, submission, judged.model, backlogMax), replay },
    },
    paidRequest(deps, submission, judged),
  );
  const model = judged.model.id;
  if (paid.kind === "begun") {
    const { definition } = judged.model;
    if (submission.bytes.byteLength <= rememberedBytesMax)
      deps.judged.set(paid.call.id, { definition, verdict: judged.verdict });
    return { request: { id: paid.call.id, model, state: "queued", queuePosition: paid.inFlight }, isReplay: false };
  }
  const { workspaceId, keyId } = caller;
  const known = await deps.requests.find({ workspaceId, id: paid.callId, model });
  if (known === null) throw answerGone();
  const source = { workspaceId, requestId: submission.requestId, apiKeyId: keyId, subject: `model:${model}` };
  const totalMs = deps.clock.monotonicMs() - startedMs;
  deps.usage.recordUsage(replayUsage(source, { callId: paid.callId, status: 202, totalMs }));
  return { request: known, isReplay: true };
}

// Call and request in one commit. What the cap had reserved for one that may not wait is given back.
function queueing(deps: SubmitRequestDeps, submission: SubmitRequest, model: CatalogModel, backlogMax: number) {
  return async (given: Parameters<Parameters<typeof beginPaidCall>[0]["calls"]["begin"]>[0]) => {
    const opening = "id" in given ? given : { ...given, id: newId<"call">(deps.clock.now().getTime()) };
    const { apiKeyId, hold, id } = opening;
    try {
      return await deps.requests.begin(opening, {
        model: model.id,
        bytes: submission.bytes,
        isCostly: isCostly(model.price),
        longestRunSeconds: model.definition.longest_run_seconds,
        webhookUrl: submission.webhookUrl,
        backlogMax,
      });
    } catch (error) {
      const isRefused = error instanceof Fault && error.code === "queue_backlog_full";
      if (isRefused && apiKeyId && hold > 0n) await deps.caps.giveBack({ apiKeyId, callId: id });
      throw error;
    }
  };
}

function paidRequest(
  deps: SubmitRequestDeps,
  submission: SubmitRequest,
  { model, verdict, fingerprint, hold }: Awaited<ReturnType<typeof judgeInput>>,
): PaidCall<true, object> {
  const { caller } = submission;
  return {
    opening: {
      workspaceId: caller.workspaceId,
      subject: `model:${model.id}`,
      idempotencyKey: submission.idempotencyKey,
      fingerprint,
      hold,
      priceRecordId: model.priceRecordId,
      pricedInput: verdict.ok ? pricedInput(model.definition.price, verdict.document) : null,
      // It takes one when it runs.
      takesSlot: false,
      isCostly: false,
      slotsMax: 0,
      costlySlotsMax: 0,
      recovery: model.definition.recovery,
      // While it waits: the process that runs it counts anew, by the model.
      longestRunSeconds: deps.queueSeconds,
      apiKeyId: caller.keyId,
      requestId: submission.requestId,
      definitionVersion: model.definitionVersion,
    },
    context: () =>
      withTrace(deps.tracer, { ...requestContext, ...(model.isOwnCredential ? ownCredentialContext : {}) }),
    refusal: submission.refusal ?? (verdict.ok ? refusalAbove(submission.maxCredits, hold) : verdict.fault),
    hindrance: () => deps.recordingProblem(),
    // The request itself is the answer, as it stands now.
    replayed: () => true,
    joined: async () => true,
    words: {
      what: "call",
      mismatch: () =>
        new Fault("conflict", "This Idempotency-Key was used for another request. Use a new key for a new call."),
      answerGone,
      noSlot: () => new Fault("internal_error", "A request that takes no slot was refused one."),
    },
  };
}

// What was answered is of no interest here.
async function replay(_id: CallId): Promise<RecordedAnswer> {
  return { status: 202, headers: {}, body: Buffer.alloc(0) };
}

function answerGone(): Fault {
  return new Fault("conflict", "The request of this Idempotency-Key is gone. Use a new key.");
}
