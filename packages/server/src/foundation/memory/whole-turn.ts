// A large body is read in one turn and judged in another, and others have theirs between.

// Reading and judging a body of this size together takes a millisecond or two.
export const oneTurnBytesMax = 16 * 1024;

// Two, because the first comes before whatever arrived meanwhile and before the timers that are due.
export function wholeTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
