// Looks after every open event stream from time to time: one timer for thousands of them, since a timer, a promise and a
// signal for each would take more memory than the stream itself. A second has its own group, so that not all are looked
// after in the same moment; each is after every five.
import type { Clock } from "../../clock.ts";

export interface Patient {
  // Every five seconds, the first time within five.
  lookAfter(nowMs: number): void;
}

export interface Rounds {
  add(patient: Patient): () => void;
}

const groupMs = 1_000;
const groupCount = 5;

// One for each clock, so for each process; tests have clocks of their own.
const all = new WeakMap<Clock, Rounds>();

export function roundsOf(clock: Clock): Rounds {
  let rounds = all.get(clock);
  if (!rounds) {
    rounds = createRounds(clock);
    all.set(clock, rounds);
  }
  return rounds;
}

export function createRounds(clock: Clock): Rounds {
  const groups = Array.from({ length: groupCount }, () => new Set<Patient>());
  let turn = 0;
  let size = 0;
  // Null while there is none.
  let cancel: (() => void) | null = null;

  function next(): void {
    cancel = clock.after(groupMs, () => {
      next();
      turn = (turn + 1) % groupCount;
      const nowMs = clock.monotonicMs();
      for (const patient of groups[turn] ?? []) patient.lookAfter(nowMs);
    });
  }

  return {
    add(patient) {
      // The group whose turn has just been: the first look comes in five seconds or a little less.
      const group = groups[turn];
      group?.add(patient);
      size += 1;
      if (cancel === null) next();
      return () => {
        if (!group?.delete(patient)) return;
        size -= 1;
        if (size > 0) return;
        cancel?.();
        cancel = null;
      };
    },
  };
}
