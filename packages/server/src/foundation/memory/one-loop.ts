// Work that goes on for as long as there is something to do, one loop at a time. What arrives during a step needs no
// second loop: the condition is asked again after every step, and in the same turn in which the loop ends, so that
// nothing that was announced before its end is left behind. A caller that comes while it runs waits for the same end.
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
