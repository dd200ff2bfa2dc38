// The calls this process owns. If a call is open in the database under our id but missing here, it was begun by a statement
// whose answer got lost. We know we never sent it, so we can give it back.
import type { Clock } from "../../../foundation/clock.ts";
import type { CallId, OpenCall } from "./call-opening.ts";

export interface OwnedCall extends OpenCall {
  // A process that slept between writing the intent and sending must not send any more: its call may have been given up in
  // the meantime.
  maySend(): boolean;
}

const defaultSendWithinMs = 15_000;

// We need both clocks. The monotonic one never jumps but stops while the machine sleeps; the wall clock keeps running.
export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export interface OpenCalls {
  moment(): Moment;
  // `begun`: a moment taken before the intent was written.
  own(call: OpenCall, begun: Moment): OwnedCall;
  forget(id: CallId): void;
  has(id: CallId): boolean;
  // A snapshot.
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
