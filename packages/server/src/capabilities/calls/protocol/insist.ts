// Storing what must not be lost: the provider has answered and may have charged us, so giving up would lose money. A
// database or a disk that is away is waited for, however long; what is refused for what is in it is tried a few times.
import type { Clock } from "../../../foundation/clock.ts";
import { errorCode } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import type { OpenCall } from "../call/call-opening.ts";

// `what`: the words of the log while it does not succeed.
export type Insist = <T>(what: string, call: OpenCall, store: () => Promise<T>) => Promise<T>;

const refusalsMax = 5;

// Only the signal ends the trying before.
export function insisting(deps: { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }): Insist {
  const { clock, log, stopping } = deps;
  return async (what, call, store) => {
    let refusals = 0;
    for (let waitMs = 100; ; waitMs = Math.min(2_000, waitMs * 2)) {
      try {
        return await store();
      } catch (error) {
        if (stopping.aborted) throw error;
        // A sick server mends; what it refuses for what is in it is refused every time.
        if (!isPassing(error)) refusals += 1;
        if (refusals === refusalsMax) throw error;
        log.warn({ callId: call.id, err: error }, what);
        await clock.sleep(waitMs, stopping);
      }
    }
  };
}

// Faults say themselves that another time may be better. Of PostgreSQL's own errors those about the server and not about
// the statement pass (53 resources, 55 locks, 57 an operator, 58 the system, XX the server itself), as do a file
// system's while it is full or away.
function isPassing(error: unknown): boolean {
  if (error instanceof Fault) return true;
  const code = errorCode(error) ?? "";
  return /^(?:08|40|53|55|57|58|XX)[0-9A-Z]{3}$/.test(code) || /^E[A-Z]{2,}$/.test(code);
}
