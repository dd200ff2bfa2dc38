// Gives up a measurement that takes too long, with a message, so that a run always ends. It checks the time between two steps;
// every step has its own limit.
export interface PhaseLimit {
  // Throws when the time is over.
  check(): void;
  readonly isOver: boolean;
}

export function phaseLimit(what: string, seconds: number): PhaseLimit {
  const until = performance.now() + seconds * 1000;
  return {
    get isOver() {
      return performance.now() > until;
    },
    check() {
      if (performance.now() > until) throw new Error(`${what} took longer than ${seconds} s and was stopped.`);
    },
  };
}
