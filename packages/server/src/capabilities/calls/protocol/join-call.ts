// Waits for a call that another request runs under the same key, in this or another process.
import type { Database } from "../../../foundation/database/index.ts";
import type { RecordedAnswers } from "../answers/recorded-answers.ts";
import type { CallId, RecordedAnswer } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import { isUnknowable } from "../call/follow-call.ts";
import type { Waiters } from "./waiters.ts";

export type Joined =
  | { readonly kind: "answered"; readonly answer: RecordedAnswer }
  // The key was released: the provider was never asked. The waiter may begin the call itself.
  | { readonly kind: "released" }
  | { readonly kind: "too_many_waiters" }
  // The waiter's own signal fired first.
  | { readonly kind: "gave_up" }
  // Only for callers that asked for it: we will never know how the call ended.
  | { readonly kind: "unknowable" };

export interface JoinOptions {
  // Do not wait out the quarantine of a call whose end cannot be found out.
  readonly leavesUnknowable: boolean;
}

export interface JoinDeps {
  readonly database: Database;
  readonly waiters: Waiters;
  readonly answers: RecordedAnswers;
}

export async function joinCall(
  { database, waiters, answers }: JoinDeps,
  callId: CallId,
  signal: AbortSignal,
  options?: JoinOptions,
): Promise<Joined> {
  const joined = await waiters.until<Joined>(callId, signal, async () => {
    const [call] = await findCalls(database, [callId]);
    if (!call) return { kind: "released" };
    if (call.state !== "open" && call.answeredAt !== null) {
      const answer = await answers.find(callId, call.answeredAt);
      return answer === null ? { kind: "released" } : { kind: "answered", answer };
    }
    if (signal.aborted) return { kind: "gave_up" };
    return options?.leavesUnknowable && isUnknowable(call) ? { kind: "unknowable" } : undefined;
  });
  return joined?.found ?? { kind: "too_many_waiters" };
}
