// What tasks leave behind: ended ones whose time is over, and callbacks that no window lets in any more.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Log } from "../../foundation/log.ts";
import { forgetCallbacks } from "./callback-store.ts";
import { forgetTasks } from "./task-store.ts";
import { callbackWindowSeconds } from "./verify-callback.ts";

const batchRows = 1_000;
const everyMs = 10 * 60_000;

export function createTaskHousekeeping(deps: {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  readonly keepDays: number;
}): { once(): Promise<void>; run(signal: AbortSignal): Promise<void> } {
  const { database, clock, log, keepDays } = deps;
  async function once(): Promise<void> {
    while ((await forgetTasks(database, { keepDays, batchRows })) === batchRows);
    await forgetCallbacks(database, 4 * callbackWindowSeconds);
  }
  return {
    once,
    async run(signal) {
      while (!signal.aborted) {
        await once().catch((error: unknown) => log.warn({ err: error }, "old partner tasks could not be removed"));
        await clock.sleep(everyMs, signal);
      }
    },
  };
}
