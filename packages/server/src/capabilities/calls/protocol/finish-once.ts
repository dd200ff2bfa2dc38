// A batch of endings whose answer may get lost on the way: what stands in the rows tells then.
import { CommitUnknown, type Database } from "../../../foundation/database/index.ts";
import type { CallEnding } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import { finishCalls } from "./finish-store.ts";

// One ending at a time decides: that a neighbour was ended by another process says nothing about the rest of the batch.
export async function finishOnce(
  database: Database,
  endings: readonly CallEnding[],
): Promise<(boolean | CommitUnknown)[]> {
  try {
    const done = await finishCalls(database, endings);
    return endings.map((_, index) => done.has(index));
  } catch (error) {
    if (!(error instanceof CommitUnknown)) throw error;
    return lostEndings(database, endings, error);
  }
}

// What is still open under our fence is undecided: the lost statement may come through yet.
export async function lostEndings(
  database: Database,
  endings: readonly CallEnding[],
  error: CommitUnknown,
): Promise<(boolean | CommitUnknown)[]> {
  const stored = await findCalls(
    database,
    endings.map((ending) => ending.call.id),
  );
  const byId = new Map(stored.map((call) => [call.id, call]));
  return endings.map(({ call }) => {
    const found = byId.get(call.id);
    if (found?.fence !== call.fence) return false;
    return found.state === "open" ? error : true;
  });
}
