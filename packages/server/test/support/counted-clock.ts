// A clock that is moved by hand and counts who went to sleep: a wait for files or a database takes its own time
// before they sleep, and a clock that was moved before that is moved in vain.
import { type HandClock, handClock } from "../../src/foundation/clock.ts";

export interface CountedClock extends HandClock {
  // Until there have been so many sleeps in all.
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
