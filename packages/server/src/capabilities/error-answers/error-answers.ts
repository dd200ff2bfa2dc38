// Stores every error that a known workspace was answered, by the request id in the answer, so that a caller who logged
// the id can find what was said. Rows are written in batches after the answer, so no request waits for them. In a flood
// only some are stored and the rest are counted: refused requests cost their caller nothing and must not fill the
// database.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import { type Database, groupCommit } from "../../foundation/database/index.ts";
import type { AnsweredError } from "../../foundation/http/answered-error.ts";
import type { RequestId, WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { type Allowance, spent } from "../../foundation/memory/allowance.ts";
import { deleteOldErrors, deleteSurplusErrors, findError, insertErrors, listErrors } from "./error-answers-store.ts";
import type { ErrorFilter, StoredError } from "./stored-error.ts";

export interface ErrorAnswers {
  // Best effort: lost with the process, while the database is down, and beyond the allowance.
  note(error: AnsweredError): void;
  find(wanted: { readonly workspaceId: WorkspaceId; readonly requestId: RequestId }): Promise<StoredError | null>;
  // Newest first.
  list(
    filter: ErrorFilter,
    page: { readonly before: RequestId | null; readonly count: number },
  ): Promise<readonly StoredError[]>;
  // Runs one round of deleting old errors.
  forget(): Promise<void>;
  // Resolves when everything noted so far is written or given up.
  close(): Promise<void>;
}

export interface ErrorAnswersDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  // Called for each error that is not stored.
  readonly onUnkept?: () => void;
}

export const errorAnswerBounds = { days: 30, listWorkspaceRows: 10_000 };
const ofWorkspace: Allowance = { atOnce: 300, perSecond: 1 };
const ofAll: Allowance = { atOnce: 3_000, perSecond: 30 };
const workspacesMax = 10_000;
const batchMax = 256;
const batchRows = 5_000;

export function createErrorAnswers(deps: ErrorAnswersDeps): ErrorAnswers {
  const { database, clock, log } = deps;
  const spentBy = new BoundedMap<WorkspaceId, number>(workspacesMax);
  let spentByAll = 0;

  const writing = groupCommit<AnsweredError, boolean>({
    maxBatch: batchMax,
    inFlight: 1,
    async run(errors) {
      const isWritten = await insertErrors(database, errors).then(
        () => true,
        (err: unknown) => {
          log.warn({ err, count: errors.length }, "errors of callers could not be kept");
          return false;
        },
      );
      return errors.map(() => isWritten);
    },
  });

  function isAllowed(workspaceId: WorkspaceId): boolean {
    const nowMs = clock.monotonicMs();
    const afterOne = spent(spentBy.get(workspaceId) ?? nowMs, nowMs, ofWorkspace);
    const afterAll = afterOne === null ? null : spent(spentByAll, nowMs, ofAll);
    if (afterOne === null || afterAll === null) return false;
    spentBy.set(workspaceId, afterOne);
    spentByAll = afterAll;
    return true;
  }

  return {
    note(error) {
      if (!isAllowed(error.workspaceId)) deps.onUnkept?.();
      else void writing(error).catch(() => undefined);
    },
    find: (wanted) => findError(database, wanted),
    list: (filter, page) => listErrors(database, filter, page),
    async forget() {
      while ((await deleteOldErrors(database, { days: errorAnswerBounds.days, batchRows })) === batchRows);
      await deleteSurplusErrors(database, errorAnswerBounds.listWorkspaceRows);
    },
    close: () => writing.close(),
  };
}
