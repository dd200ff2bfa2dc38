// Shows the input of a direct call to the safety hook, and judges a replacement as the input itself was judged.
import type { Fault } from "../../../foundation/fault.ts";
import type { CallLifecycle, Calls, OwnedCall } from "../../calls/index.ts";
import { aboveLimit } from "../../prices/index.ts";
import type { CatalogModel } from "../catalog/catalog.ts";
import type { PlanDeps, RoutePlan } from "../routes/plan-route.ts";
import { isScreened, type ScreenDeps, type Screened, screenInput } from "../safety/screen-input.ts";
import { heldTooLittle, sentRedirection } from "../safety/sent-redirection.ts";
import { type JudgedCall, judgeCall, type ModelCall } from "./open-call.ts";

export type ValidInput = Extract<JudgedCall["verdict"], { ok: true }>;

export interface ScreenCallDeps extends PlanDeps, ScreenDeps {
  // Those that are stored.
  readonly calls: Calls;
}

// What is sent, and at which price.
export interface SentCall {
  readonly model: CatalogModel;
  readonly plan: RoutePlan | undefined;
  readonly verdict: ValidInput;
  readonly bytes: Buffer;
}

export interface BegunCall {
  readonly calls: CallLifecycle;
  readonly call: OwnedCall;
  readonly hold: bigint;
}

// The called model, and those that it may go on to.
export function modelsOf(called: { readonly id: string }, { model, plan }: Pick<SentCall, "model" | "plan">): string[] {
  const targets = plan ? [plan.first, ...plan.rest].map((each) => each.model.id) : [model.id];
  return [called.id, ...targets];
}

// Null if the hook is not asked about it.
export function screenCall(
  deps: ScreenCallDeps,
  invocation: ModelCall,
  sent: SentCall,
  { calls, call, hold }: BegunCall,
): Promise<Screened<SentCall>> | null {
  const models = modelsOf(invocation.model, sent);
  if (!isScreened(deps, models)) return null;
  const { requestId, labels, bytes, model: called } = invocation;
  return screenInput<SentCall>(deps, {
    screened: { call, model: called.id, models, requestId, labels, bytes },
    prepared: sent,
    prepareAgain: (replaced) => judgeAgain(deps, invocation, replaced, hold),
    // A passing call is not stored, so there is nothing to change.
    async commit({ model, plan, verdict }, context) {
      if (calls !== deps.calls) return call;
      const { priceRecordId } = model;
      const now = { model, document: verdict.document, priceRecordId, target: plan?.first };
      return deps.calls.redirect(call, sentRedirection(now, context));
    },
  });
}

async function judgeAgain(deps: ScreenCallDeps, invocation: ModelCall, bytes: Buffer, hold: bigint): Promise<SentCall> {
  const { maxCredits: limit = null, model: called } = invocation;
  // A route leaves out the targets that could cost more than is held.
  const within = called.route && (limit === null || hold < limit) ? hold : limit;
  const judged = await judgeCall(deps, { ...invocation, bytes, maxCredits: within });
  const { verdict, model, plan } = judged;
  const refusal: Fault | null = verdict.ok ? aboveLimit("call", { highest: judged.highest, limit }) : verdict.fault;
  if (!verdict.ok || refusal !== null) throw refusal ?? heldTooLittle();
  if (judged.hold > hold) throw heldTooLittle();
  return { model, plan, verdict, bytes };
}
