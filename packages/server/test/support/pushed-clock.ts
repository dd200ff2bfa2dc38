// The system clock, pushed ahead by hand. An app's background work runs in real time, and an hour passes when the test
// says so. The clock never goes backwards.
import { type Clock, systemClock } from "../../src/foundation/clock.ts";

export interface PushedClock extends Clock {
  push(seconds: number): void;
  // How far it is ahead of the system clock.
  readonly aheadSeconds: number;
}

export function pushedClock(): PushedClock {
  let aheadSeconds = 0;
  return {
    ...systemClock,
    now: () => new Date(systemClock.now().getTime() + aheadSeconds * 1000),
    monotonicMs: () => systemClock.monotonicMs() + aheadSeconds * 1000,
    push(seconds) {
      aheadSeconds += seconds;
    },
    get aheadSeconds() {
      return aheadSeconds;
    },
  };
}
