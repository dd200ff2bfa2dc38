// A measurement that takes longer than it may is given up with a sentence, so that a run always ends. It looks at the time
// between two steps; every step has a limit of its own.
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
      if (performance.now() > until) throw new Error(`${what} took longer than ${seconds} s and was given up.`);
    },
  };
}
