// The calls that this process owns. A call that is open in the database under our name but missing here was begun by a
// statement whose answer got lost: we know that we never sent it, so it can be given back.
import type { Clock } from "../../foundation/clock.ts";
import type { CallId, OpenCall } from "./call-opening.ts";

export interface OwnedCall extends OpenCall {
  // Facts, reliability 3.1 rule 2: a process that slept between intent and sending must not send any more.
  maySend(): boolean;
}

export const sendWithinMs = 15_000;

export interface OpenCalls {
  own(call: OpenCall, begunMonotonicMs: number): OwnedCall;
  forget(id: CallId): void;
  has(id: CallId): boolean;
  readonly size: number;
}

export function createOpenCalls(clock: Pick<Clock, "monotonicMs">): OpenCalls {
  const owned = new Set<CallId>();
  return {
    own(call, begunMonotonicMs) {
      owned.add(call.id);
      return { ...call, maySend: () => clock.monotonicMs() - begunMonotonicMs <= sendWithinMs };
    },
    forget: (id) => void owned.delete(id),
    has: (id) => owned.has(id),
    get size() {
      return owned.size;
    },
  };
}
