// How long to wait for the embedded server to start. A server that recovers from a kill says so and gets longer: the more it
// has to replay and the busier the machine, the longer it takes. Recovery continues even after we stop waiting.
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";

export const startSecondsMax = 120;
export const recoverySecondsMax = 600;
// Every start reports "not ready" for a moment.
const sayAfterSeconds = 5;

export interface Patience {
  isOver(): boolean;
  // Called when the server answers that it is not ready yet.
  recovers(): void;
  // Seconds since it first said so. Null if it never did.
  recoveringSeconds(): number | null;
}

export function startPatience(clock: Pick<Clock, "monotonicMs">, log: Pick<Log, "warn">): Patience {
  const began = clock.monotonicMs();
  const secondsSince = (ms: number) => (clock.monotonicMs() - ms) / 1000;
  let first: number | undefined;
  let last: number | undefined;
  let isSaid = false;
  return {
    isOver: () =>
      secondsSince(began) >= recoverySecondsMax ||
      (secondsSince(began) >= startSecondsMax && (last === undefined || secondsSince(last) >= startSecondsMax)),
    recovers() {
      last = clock.monotonicMs();
      first ??= last;
      if (isSaid || secondsSince(first) < sayAfterSeconds) return;
      isSaid = true;
      log.warn({ secondsMax: recoverySecondsMax }, "the embedded database is recovering; waiting until it is ready");
    },
    recoveringSeconds: () => (first === undefined ? null : Math.round(secondsSince(first))),
  };
}
