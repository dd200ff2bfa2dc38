// A large body is parsed in one turn and validated in another, so that other work runs in between.

// Parsing and validating a body of this size in one turn takes a millisecond or two.
export const oneTurnBytesMax = 16 * 1024;

// Two, because the first runs before events that arrived in the meantime and before due timers.
export function wholeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
