// The system's clock, pushed ahead by hand: what an app does of itself goes on in real time, and an hour passes when the
// test says so. It is never turned back.
import { type Clock, systemClock } from "../../src/foundation/clock.ts";

export interface PushedClock extends Clock {
  push(seconds: number): void;
  // How far it is ahead of everybody else's.
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
