// Long work that an operator starts and does not wait for. One of each kind runs at a time, and all of it stops with the
// process.
import type { Log } from "../../foundation/log.ts";

export interface Upkeep {
  begin(name: string, task: (signal: AbortSignal) => Promise<unknown>): void;
  run(signal: AbortSignal): Promise<void>;
}

export function createUpkeep(log: Pick<Log, "warn">): Upkeep {
  const running = new Map<string, Promise<unknown>>();
  const ending = new AbortController();
  return {
    begin(name, task) {
      if (running.has(name) || ending.signal.aborted) return;
      const done = task(ending.signal)
        .catch((thrown: unknown) => log.warn({ err: thrown, work: name }, "work on the registry failed"))
        .finally(() => running.delete(name));
      running.set(name, done);
    },
    async run(signal) {
      if (!signal.aborted) await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
      ending.abort();
      await Promise.all(running.values());
    },
  };
}
