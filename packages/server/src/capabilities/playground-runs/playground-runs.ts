// Remembers what people ran in the playground, for each person in each workspace. A bounded number, for a bounded time.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { PlaygroundRun, PlaygroundRunId, RunOwner } from "./playground-run.ts";
import { deleteOldRuns, deleteRuns, deleteSurplusRuns, insertRun, listRuns } from "./playground-runs-store.ts";

export interface PlaygroundRuns {
  keep(run: Omit<PlaygroundRun, "at" | "id">): Promise<PlaygroundRun>;
  // Newest first.
  list(
    owner: RunOwner,
    page: { readonly model: string | null; readonly before: PlaygroundRunId | null; readonly count: number },
  ): Promise<readonly PlaygroundRun[]>;
  // Whether there was one.
  remove(owner: RunOwner, id: PlaygroundRunId): Promise<boolean>;
  clear(owner: RunOwner): Promise<void>;
  // Runs one round of deleting old ones.
  forget(): Promise<void>;
}

export const playgroundRunBounds = { days: 90, ownerRows: 200 };
const batchRows = 5_000;

export function createPlaygroundRuns({
  database,
  clock,
}: {
  readonly database: Database;
  readonly clock: Clock;
}): PlaygroundRuns {
  return {
    keep: (run) =>
      database.transaction(async (tx) => {
        const kept = await insertRun(tx, { ...run, id: newId(clock.now().getTime()) });
        await deleteSurplusRuns(tx, run, playgroundRunBounds.ownerRows);
        return kept;
      }),
    list: (owner, page) => listRuns(database, owner, page),
    remove: async (owner, id) => (await deleteRuns(database, owner, id)) > 0,
    clear: async (owner) => void (await deleteRuns(database, owner, null)),
    async forget() {
      while ((await deleteOldRuns(database, { days: playgroundRunBounds.days, batchRows })) === batchRows);
    },
  };
}
