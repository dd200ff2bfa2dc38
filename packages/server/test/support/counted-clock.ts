// A clock that is moved by hand and counts sleepers. Code may wait for files or the database before it goes to sleep, and
// moving the clock before then has no effect.
import { type HandClock, handClock } from "../../src/foundation/hand-clock.fixture.ts";

export interface CountedClock extends HandClock {
  // Resolves after this many sleeps in all.
  slept(times: number): Promise<void>;
}

export function countedClock(): CountedClock {
  const clock = handClock();
  let sleeps = 0;
  return {
    ...clock,
    sleep(ms, signal) {
      sleeps += 1;
      return clock.sleep(ms, signal);
    },
    async slept(times) {
      while (sleeps < times) await new Promise((resolve) => setTimeout(resolve, 5));
    },
  };
}
