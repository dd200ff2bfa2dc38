// How long a start of the embedded server is waited for. One that recovers from a kill says so, and has longer: the more it
// has to replay and the busier the machine, the longer it takes. It goes on by itself also when the start was given up.
import type { Clock } from "../../clock.ts";
import type { Log } from "../../log.ts";

export const startSecondsMax = 120;
export const recoverySecondsMax = 600;
// Every start says for a moment that it is not ready.
const sayAfterSeconds = 5;

export interface Patience {
  isOver(): boolean;
  // The server answers that it is not ready yet.
  recovers(): void;
  // Seconds since it said so first; null when it never did.
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
