// What an attempt's outcome means for its delivery. 2xx means accepted; 410 means never again; everything else, including
// a redirect and silence, is a failure that goes back to the schedule until that ends. A manual attempt is a single
// attempt and leaves the schedule alone. All failures without an answer read the same: the difference between "refused",
// "closed" and "silent" would let callers map networks through us.
import type { GuardedOutcome } from "../../foundation/http/outgoing/guarded-client.ts";
import type { ClaimedDelivery, ScheduleStatus } from "./delivery.ts";
import { readRetryAfter, retryDelayMs } from "./retry-schedule.ts";

export interface Settlement {
  readonly delivery: ClaimedDelivery;
  readonly state: ScheduleStatus;
  readonly step: number;
  // When it is due again. Null if it leaves the queue.
  readonly dueAt: Date | null;
  readonly at: Date;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: string | null;
  // What it says about the receiver. Manual attempts can prove that it works, never that it does not.
  readonly receiver: "works" | "fails" | "unsaid";
}

// Not sent, and never will be on its schedule: its endpoint was paused or deleted since it was queued.
export interface Withheld {
  readonly kind: "withheld";
  readonly reason: string;
}

export const unreachedText = "The receiver could not be reached or did not answer in time.";

export function settleAttempt(
  delivery: ClaimedDelivery,
  outcome: GuardedOutcome | Withheld,
  when: { readonly startedAt: Date; readonly now: Date; readonly random: number },
): Settlement {
  const status = outcome.kind === "answered" ? outcome.status : null;
  const attempt = {
    delivery,
    at: when.startedAt,
    durationMs: Math.max(0, when.now.getTime() - when.startedAt.getTime()),
    status,
    error: errorOf(status),
  };
  if (outcome.kind === "withheld") {
    const state = delivery.state === "pending" ? "dead" : delivery.state;
    return { ...attempt, error: outcome.reason, state, step: delivery.step, dueAt: null, receiver: "unsaid" };
  }
  if (status !== null && status >= 200 && status < 300) {
    return { ...attempt, state: "delivered", step: delivery.step, dueAt: null, receiver: "works" };
  }
  if (delivery.isManual) {
    const dueAt = delivery.state === "pending" ? latest(delivery.nextAttemptAt, when.now) : null;
    return { ...attempt, state: delivery.state, step: delivery.step, dueAt, receiver: "unsaid" };
  }
  // It answered, so the receiver itself is not failing.
  if (status === 410) return { ...attempt, state: "gone", step: delivery.step, dueAt: null, receiver: "unsaid" };
  const done = delivery.step + 1;
  const retryAfterSeconds =
    outcome.kind === "answered" ? readRetryAfter(singleHeader(outcome.headers["retry-after"]), when.now) : null;
  const delayMs = retryDelayMs({ done, retryAfterSeconds, random: when.random });
  if (delayMs === null) return { ...attempt, state: "dead", step: delivery.step, dueAt: null, receiver: "fails" };
  return {
    ...attempt,
    state: "pending",
    step: done,
    dueAt: new Date(when.now.getTime() + delayMs),
    receiver: "fails",
  };
}

function errorOf(status: number | null): string | null {
  if (status === null) return unreachedText;
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400)
    return `The receiver answered ${status}. Redirects are not followed; use the final URL.`;
  if (status === 410) return "The receiver answered 410: nothing more is sent about this.";
  return `The receiver answered ${status}.`;
}

function latest(planned: Date | null, now: Date): Date {
  return planned !== null && planned > now ? planned : now;
}

function singleHeader(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : value?.[0];
}
