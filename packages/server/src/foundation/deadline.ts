// One AbortSignal for everything that can end a piece of work from outside: its deadline, a client that left, our own
// shutdown. The first one wins; the signal's reason is the Fault to answer with, so `throwIfAborted()` says it right.
import { assertNever } from "./assert.ts";
import type { Clock } from "./clock.ts";
import { Fault } from "./fault.ts";

export type StopReason = "deadline" | "disconnect" | "shutdown";

export interface Deadline {
  readonly signal: AbortSignal;
  // null: still going.
  reason(): StopReason | null;
  // Never negative.
  remainingMs(): number;
  // Drops timer and listeners. Call it when the work is done, whatever its end.
  release(): void;
}

export interface DeadlineOptions {
  readonly clock: Clock;
  readonly afterMs: number;
  readonly disconnect?: AbortSignal;
  readonly shutdown?: AbortSignal;
}

export function startDeadline(options: DeadlineOptions): Deadline {
  const { clock, afterMs } = options;
  const endsAtMs = clock.monotonicMs() + afterMs;
  const work = new AbortController();
  const released = new AbortController();
  let reason: StopReason | null = null;

  const stop = (why: StopReason) => {
    if (reason !== null || released.signal.aborted) return;
    reason = why;
    released.abort();
    work.abort(faultFor(why));
  };
  const follow = (source: AbortSignal | undefined, why: StopReason) => {
    if (source?.aborted) stop(why);
    else source?.addEventListener("abort", () => stop(why), { once: true, signal: released.signal });
  };
  follow(options.disconnect, "disconnect");
  follow(options.shutdown, "shutdown");
  clock.sleep(afterMs, released.signal).then(() => stop("deadline"));

  return {
    signal: work.signal,
    reason: () => reason,
    remainingMs: () => Math.max(0, endsAtMs - clock.monotonicMs()),
    release: () => released.abort(),
  };
}

function faultFor(reason: StopReason): Fault {
  switch (reason) {
    case "deadline":
      return new Fault("deadline_exceeded", "The server's deadline for this request was reached.");
    case "disconnect":
      return new Fault("client_disconnected", "The client closed the connection.");
    case "shutdown":
      return new Fault("service_unavailable", "The server is restarting. Try again shortly.", { retryAfterSeconds: 2 });
    default:
      return assertNever(reason);
  }
}
