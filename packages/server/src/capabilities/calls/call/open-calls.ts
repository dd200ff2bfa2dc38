// The calls that this process owns. A call that is open in the database under our name but missing here was begun by a
// statement whose answer got lost: we know that we never sent it, so it can be given back.
import type { Clock } from "../../../foundation/clock.ts";
import type { CallId, OpenCall } from "./call-opening.ts";

export interface OwnedCall extends OpenCall {
  // A process that slept between intent and sending must not send any more: its call may have been given up meanwhile.
  maySend(): boolean;
}

const defaultSendWithinMs = 15_000;

// Both clocks: the monotonic one never jumps but stands still while a machine sleeps; the wall clock goes on.
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export interface OpenCalls {
  moment(): Moment;
  // `begun`: before the intent was written.
  own(call: OpenCall, begun: Moment): OwnedCall;
  forget(id: CallId): void;
  has(id: CallId): boolean;
  // Those of this moment.
  ids(): ReadonlySet<CallId>;
  readonly size: number;
}

export function createOpenCalls(
  clock: Pick<Clock, "monotonicMs" | "now">,
  sendWithinMs: number = defaultSendWithinMs,
): OpenCalls {
  const owned = new Set<CallId>();
  const moment = (): Moment => ({ monotonicMs: clock.monotonicMs(), wallMs: clock.now().getTime() });
  return {
    moment,
    own(call, begun) {
      owned.add(call.id);
      const maySend = () => {
        const now = moment();
        return now.monotonicMs - begun.monotonicMs <= sendWithinMs && now.wallMs - begun.wallMs <= sendWithinMs;
      };
      return { ...call, maySend };
    },
    forget: (id) => void owned.delete(id),
    has: (id) => owned.has(id),
    ids: () => new Set(owned),
    get size() {
      return owned.size;
    },
  };
}
