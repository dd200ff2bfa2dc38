// Stores what must not be lost: the provider has answered and may have charged us, so giving up would lose money. We wait
// for a missing database or disk however long it takes. If the content itself is refused, we try only a few times.
import type { Clock } from "../../../foundation/clock.ts";
import { errorCode } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { Log } from "../../../foundation/log.ts";
import type { OpenCall } from "../call/call-opening.ts";

// `what` is the log message while it fails.
export type Insist = <T>(what: string, call: OpenCall, store: () => Promise<T>) => Promise<T>;

const refusalsMax = 5;

// Retries until it succeeds, the signal fires, or the content was refused `refusalsMax` times.
export function insisting(deps: { readonly clock: Clock; readonly log: Log; readonly stopping: AbortSignal }): Insist {
  const { clock, log, stopping } = deps;
  return async (what, call, store) => {
    let refusals = 0;
    for (let waitMs = 100; ; waitMs = Math.min(2_000, waitMs * 2)) {
      try {
        return await store();
      } catch (error) {
        if (stopping.aborted) throw error;
        // A sick server recovers, but content it refuses is refused every time.
        if (!isPassing(error)) refusals += 1;
        if (refusals === refusalsMax) throw error;
        log.warn({ callId: call.id, err: error }, what);
        await clock.sleep(waitMs, stopping);
      }
    }
  };
}

// A Fault means that trying again may help. Of PostgreSQL's errors, those about the server rather than the statement are
// temporary (53 resources, 55 locks, 57 an operator, 58 the system, XX the server itself), and so are a file system's errors
// while it is full or away.
function isPassing(error: unknown): boolean {
  if (error instanceof Fault) return true;
  const code = errorCode(error) ?? "";
  return /^(?:08|40|53|55|57|58|XX)[0-9A-Z]{3}$/.test(code) || /^E[A-Z]{2,}$/.test(code);
}
