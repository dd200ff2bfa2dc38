// Everything that costs credits or has an idempotency key passes through here before it may run. The order is the policy
// (decisions, section 3; Spec, Router rule 8):
//   0. count      A call that counts against budgets alone is begun by a statement that counts it. If they are nearly used up, on with 1.
//   1. cap        A key with a cap, and a call with budgets or limits, reserves the hold and its place. A refusal is kept back for now, so that a retry still gets its
//                 answer when the cap is reached.
//   2. begin      One committed transaction writes key, hold, slot and intent. A request that may not begin is passed as
//                 invalid: a known key is replayed, joined or refused before we look at validity, slots or balance.
//   3. give back  If the call did not begin, the cap gets its reservation back.
//   4. known key  A recorded answer is replayed, a running call is joined. If the key became free meanwhile, back to 1.
// Nothing runs here. A call that has begun is open, its hold counts, and this process owns it. The caller must then
// immediately do one of three things:
//   - run and finish it (the model router);
//   - write its own row and park the call in the same statement (`parking`). The process that later works on the row ends
//     the call in the transaction that ends the row (`finishWithin`). Tasks at partners do this;
//   - finish it unsent.
// If the process is killed in between, the follower picks the call up: its subject and context say how to ask about it.
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallId, CallOpening, RecordedAnswer } from "../call/call-opening.ts";
import type { OwnedCall } from "../call/open-calls.ts";
import type { KeyCaps, LimitedCall } from "../credits/credits-caps.ts";
import { notEnoughCredits } from "../ledger/not-enough-credits.ts";
import type { Begun, Calls } from "../protocol/calls.ts";
import type { FreeUsage } from "../usage/usage-store.ts";

export interface PaidCallDeps {
  readonly clock: Clock;
  // Without `beginCounted`, calls with budgets reserve first.
  readonly calls: Pick<Calls, "begin" | "replay"> & Partial<Pick<Calls, "beginCounted">>;
  readonly caps: Pick<KeyCaps, "neededFor" | "requireWithinCap" | "giveBack">;
}

export interface PaidCall<Known, Context> {
  readonly opening: Omit<CallOpening, "id" | "isValid" | "context">;
  // What a successor needs to know about a call that begins now.
  context(at: Date): Context;
  // The model that is called; for a route also its targets. Limits of models concern them.
  readonly models?: readonly string[];
  // What is wrong with the request itself. The caller hears it only if the key is unknown.
  readonly refusal: Fault | null;
  // Why no call may begin right now, however valid it is. Null if one may.
  hindrance?(): Promise<Fault | null>;
  // Turns a recorded answer into what this caller returns.
  replayed(callId: CallId, answer: RecordedAnswer): Known;
  // Turns a running call into what this caller returns, right away or once it has ended. Null if its key became free, so
  // this request may begin.
  joined(callId: CallId): Promise<Known | null>;
  readonly words: PaidCallWords;
}

// How the area phrases refusals. The ones that are the same everywhere are phrased here.
export interface PaidCallWords {
  readonly what: "call" | "task" | "job";
  // The key was used for another request.
  mismatch(): Fault;
  // The key is known, but its answer no longer exists.
  answerGone(): Fault;
  noSlot(inFlight: number): Fault;
}

export type PaidCallBegun<Known, Context> =
  | { readonly kind: "begun"; readonly call: OwnedCall; readonly inFlight: number; readonly context: Context }
  | { readonly kind: "known"; readonly callId: CallId; readonly known: Known };

export async function beginPaidCall<Known, Context>(
  deps: PaidCallDeps,
  paid: PaidCall<Known, Context>,
): Promise<PaidCallBegun<Known, Context>> {
  const { calls } = deps;
  const { opening, words } = paid;
  for (;;) {
    const at = deps.clock.now();
    const id = newId<"call">(at.getTime());
    const hindered = paid.refusal ?? (await paid.hindrance?.()) ?? null;
    const context = paid.context(at);
    const { begun, refusal, isReserved } = await begin(deps, paid, { ...opening, id, context }, hindered);
    if (begun.kind === "begun") return { kind: "begun", call: begun.call, inFlight: begun.inFlight, context };
    if (isReserved) await giveBackCap(deps, id, paid);
    switch (begun.kind) {
      case "replay": {
        const answer = await calls.replay(begun.callId, begun.answeredAt);
        if (answer === null) throw words.answerGone();
        return { kind: "known", callId: begun.callId, known: paid.replayed(begun.callId, answer) };
      }
      case "join": {
        const known = await paid.joined(begun.callId);
        if (known === null) continue;
        return { kind: "known", callId: begun.callId, known };
      }
      case "mismatch":
        throw words.mismatch();
      case "invalid":
        throw refusal ?? new Fault("internal_error", "A valid request was judged invalid.");
      case "no_slot":
        throw words.noSlot(begun.inFlight);
      case "no_credit":
        throw notEnoughCredits(words.what, opening.hold, begun.available);
    }
  }
}

interface Beginning {
  readonly begun: Begun;
  // Why it may not begin. Only said if its key is unknown.
  readonly refusal: Fault | null;
  // Whether it reserved in a transaction of its own before.
  readonly isReserved: boolean;
}

async function begin(
  deps: PaidCallDeps,
  paid: Capped,
  opening: Omit<CallOpening, "isValid">,
  hindered: Fault | null,
): Promise<Beginning> {
  const { calls, caps } = deps;
  const unreserved = { refusal: hindered, isReserved: false };
  if (hindered !== null) return { ...unreserved, begun: await calls.begin({ ...opening, isValid: false }) };
  const needed = await caps.neededFor(limitedCall(opening.id, paid));
  if (needed.kind === "nothing") return { ...unreserved, begun: await calls.begin({ ...opening, isValid: true }) };
  if (needed.kind === "counting") {
    const { budgetIds } = needed;
    const begun = (await calls.beginCounted?.({ ...opening, isValid: true, budgetIds })) ?? null;
    if (begun !== null) return { ...unreserved, begun };
  }
  const refusal = await refusalOfCap(deps, opening.id, paid);
  const isValid = refusal === null;
  return { begun: await calls.begin({ ...opening, isValid }), refusal, isReserved: isValid };
}

interface Capped {
  readonly opening: Pick<CallOpening, "workspaceId" | "apiKeyId" | "hold" | "labels">;
  readonly models?: readonly string[];
}

const refusing: ReadonlySet<string> = new Set(["insufficient_credits", "rate_limited", "concurrency_limit_exceeded"]);

// Null if a call with this key may begin. It then counts against the key's cap, budgets and limits, if there are any.
async function refusalOfCap({ caps }: PaidCallDeps, callId: CallId, paid: Capped): Promise<Fault | null> {
  try {
    await caps.requireWithinCap(limitedCall(callId, paid));
    return null;
  } catch (error) {
    if (error instanceof Fault && refusing.has(error.code)) return error;
    throw error;
  }
}

function limitedCall(callId: CallId, { opening, models }: Capped): LimitedCall {
  const { workspaceId, apiKeyId = null, hold, labels } = opening;
  return { workspaceId, apiKeyId, callId, hold, labels, models };
}

async function giveBackCap({ caps }: PaidCallDeps, callId: CallId, { opening, models }: Capped): Promise<void> {
  const { workspaceId, apiKeyId = null, hold } = opening;
  await caps.giveBack({ workspaceId, apiKeyId, callId, hold, models });
}

// The usage row of a request that an earlier call answered: it ran nothing and costs nothing.
export function replayUsage(
  source: Pick<FreeUsage, "workspaceId" | "requestId" | "apiKeyId" | "subject" | "labels">,
  replay: { readonly callId: CallId; readonly status: number; readonly totalMs: number },
): FreeUsage {
  const { workspaceId, requestId, apiKeyId, subject, labels } = source;
  return { workspaceId, requestId, apiKeyId, subject, labels, ...replay, outcome: "replayed", isReplay: true };
}
