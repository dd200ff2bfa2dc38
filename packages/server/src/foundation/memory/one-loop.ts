// Runs a loop while there is something to do, only one at a time. Work that arrives during a step needs no second loop: the
// condition is checked again after every step, in the same turn in which the loop would end, so nothing announced before its
// end is missed. A caller that arrives while the loop runs waits for the same end.
export function oneLoop(isWanted: () => boolean, step: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  const run = async () => {
    try {
      do await step();
      while (isWanted());
    } finally {
      running = null;
    }
  };
  return () => {
    if (running === null && isWanted()) running = run();
    return running ?? Promise.resolve();
  };
}
