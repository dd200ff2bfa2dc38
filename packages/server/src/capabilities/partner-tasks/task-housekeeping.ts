// Deletes ended tasks past their retention, and callbacks that no window would accept any more.
import type { Background } from "../../foundation/background.ts";
import type { Database } from "../../foundation/database/index.ts";
import { forgetCallbacks } from "./callback-store.ts";
import { forgetTasks } from "./task-store.ts";
import { callbackWindowSeconds } from "./verify-callback.ts";

const batchRows = 1_000;
const everyMs = 10 * 60_000;

export function createTaskHousekeeping(deps: { readonly database: Database; readonly keepDays: number }): {
  once(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
} {
  const { database, keepDays } = deps;
  async function once(): Promise<void> {
    while ((await forgetTasks(database, { keepDays, batchRows })) === batchRows);
    await forgetCallbacks(database, 4 * callbackWindowSeconds);
  }
  return {
    once,
    run: (background, signal) =>
      background.run({ name: "partner tasks: remove old ones", role: "background", everyMs, round: once }, signal),
  };
}
