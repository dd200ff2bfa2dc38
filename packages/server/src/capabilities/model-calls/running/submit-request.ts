// Queues one model call: the same steps as a synchronous call, but with a waiting request in place of the slot (decisions,
// sections 3 and 10). Once begun it is held, committed and answered immediately; a process that has room runs it later.
import { BoundedMap } from "@atelier/engine/bounded-map";
import { Fault } from "../../../foundation/fault.ts";
import { newId, type WorkspaceId } from "../../../foundation/ids.ts";
import { beginPaidCall, type CallId, type KeyCaps, type PaidCall, type RecordedAnswer } from "../../calls/index.ts";
import { type ModelRequests, requestContext, type SeenRequest } from "../../model-requests/index.ts";
import { isCostly } from "../../prices/index.ts";
import type { InputVerdict } from "../input/check-input.ts";
import { waitContext } from "../input/wait-seconds.ts";
import {
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

export interface SubmitRequestDeps extends OpenCallDeps {
  readonly caps: Pick<KeyCaps, "neededFor" | "requireWithinCap" | "isLimited" | "giveBack">;
  readonly requests: Pick<ModelRequests, "begin" | "find">;
  // How many of the workspace's requests may wait.
  backlogOf(workspaceId: WorkspaceId): number | Promise<number>;
  // How long a request may wait.
  readonly queueSeconds: number;
  readonly judged: JudgedInputs;
}

// If the same process also runs the request, under the same definition, it need not check the input again.
export type JudgedInputs = BoundedMap<string, { readonly definition: object; readonly verdict: InputVerdict }>;

const judgedMax = 256;

export const judgedInputs = (): JudgedInputs => new BoundedMap(judgedMax);

export interface SubmitRequest extends ModelCall {
  readonly webhookUrl: string | null;
  // Anything wrong with the request besides its input.
  readonly refusal: Fault | null;
}

export interface Submitted {
  readonly request: Pick<SeenRequest, "id" | "model" | "state" | "queuePosition">;
  readonly isReplay: boolean;
}

const rememberedBytesMax = 32 * 1024;

export function submitRequest(deps: SubmitRequestDeps, submission: SubmitRequest): Promise<Submitted> {
  return countingRefusals(deps, submission, () => submit(deps, submission));
}

async function submit(deps: SubmitRequestDeps, submission: SubmitRequest): Promise<Submitted> {
  const startedMs = deps.clock.monotonicMs();
  const { caller } = submission;
  const judged = await judgeCall(deps, submission);
  const backlogMax = await deps.backlogOf(caller.workspaceId);
  const paid = await beginPaidCall(
    {
      clock: deps.clock,
      caps: deps.caps,
      calls: { begin: queueing(deps, submission, judged, backlogMax), replay },
    },
    paidRequest(deps, submission, judged),
  );
  const model = submission.model.id;
  if (paid.kind === "begun") {
    const { definition } = judged.model;
    if (submission.bytes.byteLength <= rememberedBytesMax && !judged.plan)
      deps.judged.set(paid.call.id, { definition, verdict: judged.verdict });
    return { request: { id: paid.call.id, model, state: "queued", queuePosition: paid.inFlight }, isReplay: false };
  }
  const known = await deps.requests.find({ workspaceId: caller.workspaceId, id: paid.callId, model });
  if (known === null) throw answerGone();
  recordReplay(deps, submission, { callId: paid.callId, status: 202, startedMs });
  return { request: known, isReplay: true };
}

// Writes call and request in one commit. If the request may not wait, the cap gets its reservation back.
function queueing(deps: SubmitRequestDeps, submission: SubmitRequest, { model, plan }: JudgedCall, backlogMax: number) {
  return async (given: Parameters<Parameters<typeof beginPaidCall>[0]["calls"]["begin"]>[0]) => {
    const opening = "id" in given ? given : { ...given, id: newId<"call">(deps.clock.now().getTime()) };
    const { workspaceId, apiKeyId = null, hold, id } = opening;
    try {
      return await deps.requests.begin(opening, {
        model: submission.model.id,
        bytes: submission.bytes,
        isCostly: plan?.isCostly ?? isCostly(model.price),
        longestRunSeconds: plan?.longestRunSeconds ?? model.definition.longest_run_seconds,
        webhookUrl: submission.webhookUrl,
        backlogMax,
      });
    } catch (error) {
      const isRefused = error instanceof Fault && error.code === "queue_backlog_full";
      const models = modelsOfCall(submission.model);
      if (isRefused) await deps.caps.giveBack({ workspaceId, apiKeyId, callId: id, hold, models });
      throw error;
    }
  };
}

function paidRequest(
  deps: SubmitRequestDeps,
  submission: SubmitRequest,
  judged: JudgedCall,
): PaidCall<true, object | null> {
  return {
    ...buildOpening(deps, submission, judged, {
      // It takes a slot when it runs.
      slots: { takesSlot: false, isCostly: false, slotsMax: 0, costlySlotsMax: 0 },
      // For the time it waits. The process that runs it sets the model's own value.
      longestRunSeconds: deps.queueSeconds,
      context: { ...requestContext, ...waitContext(submission.waitSeconds) },
      refusal: submission.refusal,
    }),
    // The answer is the request itself in its current state.
    replayed: () => true,
    joined: async () => true,
    words: {
      what: "call",
      mismatch: keyMismatch,
      answerGone,
      noSlot: () => new Fault("internal_error", "A request that needs no slot was refused a slot."),
    },
  };
}

// The recorded answer does not matter here.
async function replay(_id: CallId): Promise<RecordedAnswer> {
  return { status: 202, headers: {}, body: Buffer.alloc(0) };
}

function answerGone(): Fault {
  return new Fault("conflict", "The request for this Idempotency-Key is no longer stored. Use a new key.");
}
