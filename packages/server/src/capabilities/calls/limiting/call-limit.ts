// What a limit of calls is, which calls it concerns, and what it says to one.
import { Fault } from "../../../foundation/fault.ts";
import type { Id, KeyId } from "../../../foundation/ids.ts";
import { spend } from "../../limits/index.ts";

export type CallLimitId = Id<"call-limit">;

export interface CallLimit {
  // Calls that may begin in a minute. Null: any number.
  readonly perMinute: number | null;
  // Calls that may be open at once. Null: any number.
  readonly concurrency: number | null;
}

export interface LimitRule {
  readonly id: CallLimitId;
  readonly scope: "key" | "model";
  readonly subject: string;
}

export interface LimitedBy {
  readonly apiKeyId: KeyId | null;
  // What its token was made from.
  readonly ancestors: ReadonlySet<string>;
  // The model that is called; for a route also its targets, whichever of them answers.
  readonly models: readonly string[];
}

export function isLimitedBy({ scope, subject }: LimitRule, call: LimitedBy): boolean {
  if (scope === "model") return call.models.includes(subject);
  return call.apiKeyId === subject || call.ancestors.has(subject);
}

// A limit while its row is locked.
export interface LimitState extends CallLimit, LimitRule {
  // How far ahead of now its rate is spent.
  readonly aheadMs: number;
  readonly inFlight: number;
}

// The state with the call let in, or why it may not begin. `isAbove`: it is not the caller's own key, so no figures.
export function letIn(limit: LimitState, isAbove: boolean): LimitState | Fault {
  const { scope, subject, perMinute, concurrency, inFlight } = limit;
  const what = scope === "model" ? `The model ${subject}` : isAbove ? "What this token was made from" : "This key";
  if (concurrency !== null && inFlight >= concurrency) {
    const figure = isAbove ? "no more calls" : `at most ${concurrency} ${concurrency === 1 ? "call" : "calls"}`;
    return new Fault("concurrency_limit_exceeded", `${what} allows ${figure} at once. Wait for one to end.`, {
      retryAfterSeconds: 1,
      details: { limit: concurrency, current: inFlight, of: scope },
    });
  }
  if (perMinute === null) return { ...limit, inFlight: inFlight + 1 };
  const verdict = spend(limit.aheadMs, 0, { perMinute });
  if (verdict.admitted) return { ...limit, aheadMs: verdict.spentUntilMs, inFlight: inFlight + 1 };
  const { retryAfterSeconds } = verdict;
  const figure = isAbove ? "no more calls" : `${perMinute} ${perMinute === 1 ? "call" : "calls"}`;
  return new Fault(
    "rate_limited",
    `${what} allows ${figure} a minute. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? "second" : "seconds"}.`,
    { retryAfterSeconds, details: { limit: `${scope}_calls_per_minute`, ...(isAbove ? {} : { value: perMinute }) } },
  );
}
