// One AbortSignal for everything that can stop a piece of work from outside: its deadline, a client that left, our shutdown.
// The first one wins. The signal's reason is the Fault to answer with, so `throwIfAborted()` throws the right one.
import { assertNever } from "./assert.ts";
import type { Clock } from "./clock.ts";
import { Fault } from "./fault.ts";

export type StopReason = "deadline" | "disconnect" | "shutdown";

export interface Deadline {
  readonly signal: AbortSignal;
  // Null while the work is running.
  reason(): StopReason | null;
  // Never negative.
  remainingMs(): number;
  // Drops the timer and listeners. Call it when the work has ended, successfully or not.
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
  let reason: StopReason | null = null;
  let isReleased = false;

  const stop = (why: StopReason) => {
    if (isReleased) return;
    reason = why;
    release();
    work.abort(faultFor(why));
  };
  const onDisconnect = () => stop("disconnect");
  const onShutdown = () => stop("shutdown");
  const release = () => {
    isReleased = true;
    cancel();
    options.disconnect?.removeEventListener("abort", onDisconnect);
    options.shutdown?.removeEventListener("abort", onShutdown);
  };
  const cancel = clock.after(afterMs, () => stop("deadline"));
  if (options.disconnect?.aborted) onDisconnect();
  else options.disconnect?.addEventListener("abort", onDisconnect, { once: true });
  if (options.shutdown?.aborted) onShutdown();
  else if (!isReleased) options.shutdown?.addEventListener("abort", onShutdown, { once: true });

  return {
    signal: work.signal,
    reason: () => reason,
    remainingMs: () => Math.max(0, endsAtMs - clock.monotonicMs()),
    release,
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
