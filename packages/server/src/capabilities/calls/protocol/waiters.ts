// Requests that wait for another request's call with the same key. In the owner's process we wake them directly; elsewhere
// the bus wakes them, and polling makes up for lost messages. Waiters take no slot, and each process allows at most eight
// per call (decisions, section 3).

import type { Bus } from "../../../foundation/bus/bus.ts";
import { sharedTopic } from "../../../foundation/bus/shared-topic.ts";
import type { Clock } from "../../../foundation/clock.ts";
import type { CallId } from "../call/call-opening.ts";

const waitersPerCallMax = 8;
// Carries the ids of calls as they end.
export const callEndedTopic = "calls.ended";

export interface Waiters {
  // Calls `look` now and whenever the call may have ended, until it finds something; undefined means not yet. `look` also
  // decides what a fired signal means. Null if there are already too many waiters.
  until<Found>(
    callId: CallId,
    signal: AbortSignal,
    look: () => Promise<Found | undefined>,
  ): Promise<{ readonly found: Found } | null>;
  ended(callId: CallId): void;
}

const firstPollMs = 50;
const longestPollMs = 1_000;

export function createWaiters(deps: { clock: Clock; bus: Bus }): Waiters {
  const waiting = new Map<CallId, Set<() => void>>();
  const wake = (callId: CallId) => {
    for (const resolve of waiting.get(callId) ?? []) resolve();
  };
  const endings = sharedTopic(deps.bus, callEndedTopic, (ids) => {
    for (const id of ids) wake(id as CallId);
  });

  // Null if there are too many waiters. Otherwise a function that resolves when the call may have ended.
  function wait(callId: CallId, signal: AbortSignal): (() => Promise<void>) | null {
    const set = waiting.get(callId) ?? new Set();
    if (set.size >= waitersPerCallMax) return null;
    waiting.set(callId, set);
    let pollMs = firstPollMs;
    let resolveNow: () => void = () => undefined;
    const waiter = () => resolveNow();
    set.add(waiter);
    const attended = endings.attend(callId);
    const leave = () => {
      attended();
      set.delete(waiter);
      if (set.size === 0) waiting.delete(callId);
    };
    signal.addEventListener("abort", leave, { once: true });
    return async () => {
      const woken = new AbortController();
      resolveNow = () => woken.abort();
      await deps.clock.sleep(pollMs, AbortSignal.any([woken.signal, signal]));
      pollMs = Math.min(longestPollMs, pollMs * 2);
    };
  }

  return {
    async until(callId, signal, look) {
      const leaving = new AbortController();
      const next = wait(callId, AbortSignal.any([signal, leaving.signal]));
      if (next === null) return null;
      try {
        for (;;) {
          const found = await look();
          if (found !== undefined) return { found };
          await next();
        }
      } finally {
        leaving.abort();
      }
    },
    ended(callId) {
      wake(callId);
      endings.publish([callId]);
    },
  };
}
