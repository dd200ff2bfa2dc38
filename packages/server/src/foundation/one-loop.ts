// Work that goes on for as long as there is something to do, one loop at a time. What arrives during a step needs no
// second loop: the condition is asked again after every step, and in the same turn in which the loop ends, so that
// nothing that was announced before its end is left behind.
export function oneLoop(isWanted: () => boolean, step: () => Promise<void>): () => Promise<void> {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      while (isWanted()) await step();
    } finally {
      isRunning = false;
    }
  };
}
