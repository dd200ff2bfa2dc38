// Holds the caller's connection while a call runs: until the answer, our deadline, or the caller's disconnect, whichever
// comes first (Spec, Router rule 5). The run itself continues in every case.

import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import { DrainOver } from "../../../foundation/http/area.ts";
import type { Log } from "../../../foundation/log.ts";
import type { RecordedAnswer } from "../../calls/index.ts";

export interface HoldDeps {
  readonly clock: Clock;
  readonly log: Log;
  // Runs that no connection waits for. The process waits for them before it exits.
  readonly detached: Set<Promise<unknown>>;
}

export interface HeldConnection {
  readonly model: { readonly id: string };
  readonly idempotencyKey: string | null;
  readonly signal: AbortSignal;
}

export function holdConnection(
  deps: HoldDeps,
  running: Promise<RecordedAnswer>,
  held: HeldConnection,
  endsAtMs: number,
): Promise<RecordedAnswer> {
  const { signal } = held;
  deps.detached.add(running);
  return new Promise((resolve, reject) => {
    const late = () => {
      leave();
      reject(lateFault(held));
    };
    const leave = () => {
      cancel();
      signal.removeEventListener("abort", late);
    };
    const cancel = deps.clock.after(Math.max(0, Math.ceil(endsAtMs - deps.clock.monotonicMs())), late);
    if (signal.aborted) late();
    else signal.addEventListener("abort", late, { once: true });
    const ended = () => {
      deps.detached.delete(running);
      leave();
    };
    running.then(
      (answer) => {
        ended();
        resolve(answer);
      },
      (error: unknown) => {
        ended();
        deps.log.error({ err: error, model: held.model.id }, "a call could not be ended");
        reject(error);
      },
    );
  });
}

// A shutdown that stops waiting is a deadline like ours: the next process follows the call (decisions, section 3), and a 504
// promises exactly that.
export function lateFault({ signal, idempotencyKey }: HeldConnection): Fault {
  const { aborted, reason } = signal;
  const isStop = aborted && reason instanceof DrainOver;
  if (aborted && !isStop) return new Fault("client_disconnected", "The client disconnected; the call keeps running.");
  const keyed = idempotencyKey !== null;
  const state = isStop ? "The server is stopping and the call is" : "The call is";
  const words = keyed
    ? `${state} still running. Retry with the same Idempotency-Key to get its result.`
    : `${state} still running and will be billed if it completes. Send an Idempotency-Key with future calls to be able to collect such results.`;
  return new Fault("deadline_exceeded", words, keyed ? { retryAfterSeconds: 5 } : {});
}
