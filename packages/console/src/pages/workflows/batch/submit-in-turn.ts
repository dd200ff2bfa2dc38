// Submits the jobs of a batch one after the other. The first goes alone in any case: if it is wrong, all are. What was submitted
// stays submitted; going on continues with the next, under the same keys.

export interface Turn {
  // How many have been submitted.
  readonly done: number;
  // Why it stopped; null at the end.
  readonly fault: unknown;
}

interface TurnOptions<T> {
  readonly from: number;
  submit(each: T): Promise<unknown>;
  // Milliseconds to wait before another try; null if trying again does not help.
  waitFor(thrown: unknown): number | null;
  pause(ms: number): Promise<void>;
  onDone(count: number): void;
}

const triesMax = 40;

export async function submitInTurn<T>(all: readonly T[], options: TurnOptions<T>): Promise<Turn> {
  let tries = 0;
  let at = options.from;
  while (at < all.length) {
    const each = all[at] as T;
    try {
      await options.submit(each);
      at++;
      tries = 0;
      options.onDone(at);
    } catch (thrown) {
      const ms = options.waitFor(thrown);
      if (ms === null || ++tries >= triesMax) return { done: at, fault: thrown };
      await options.pause(ms);
    }
  }
  return { done: at, fault: null };
}
