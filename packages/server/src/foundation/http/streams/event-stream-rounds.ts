// Checks every open event stream periodically. One timer serves thousands of streams, since a timer, a promise and a signal for
// each would take more memory than the stream itself. Streams are divided into groups, one per second, so that they are not all
// checked at the same moment; each is checked every five seconds.
import type { Clock } from "../../clock.ts";

export interface Patient {
  // Called every five seconds, the first time within five.
  lookAfter(nowMs: number): void;
}

export interface Rounds {
  add(patient: Patient): () => void;
}

const groupMs = 1_000;
const groupCount = 5;

// One per clock, and so one per process; tests have their own clocks.
const all = new WeakMap<Clock, Rounds>();

export function roundsFor(clock: Clock): Rounds {
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
  // Null while no timer is running.
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
      // Join the group that was just checked, so that the first check comes in five seconds or slightly less.
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
