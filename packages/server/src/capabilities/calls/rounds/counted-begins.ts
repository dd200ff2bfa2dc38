// Begins calls that count against budgets in one statement for each workspace. They have their own line, so the rounds of calls
// without budgets are as they were. Whatever the statement does not cover is left to the way that reserves first.
import { CommitUnknown, type Database, groupCommit } from "../../../foundation/database/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { CountedOpening, OwnerId } from "../call/call-opening.ts";
import { readVerdicts } from "./begin-batch.ts";
import { beginCountedCalls } from "./begin-counted-store.ts";
import type { BeginVerdict } from "./begin-verdict.ts";
import { lostBegins } from "./lost-answers.ts";

// Nothing was written: reserve, and begin with the exact statement.
export interface Uncounted {
  readonly kind: "uncounted";
}

export interface CountedBegins {
  begin(opening: CountedOpening): Promise<BeginVerdict | Uncounted>;
  close(): Promise<void>;
}

const batchMax = 128;
const uncounted: Uncounted = { kind: "uncounted" };

export function createCountedBegins(deps: { readonly database: Database; readonly ownerId: OwnerId }): CountedBegins {
  const line = groupCommit<CountedOpening, BeginVerdict | Uncounted>({
    maxBatch: batchMax,
    inFlight: 1,
    run: (openings) => beginSeveral(deps, openings),
  });
  return { begin: line, close: () => line.close() };
}

interface Deps {
  readonly database: Database;
  readonly ownerId: OwnerId;
}

async function beginSeveral(deps: Deps, openings: readonly CountedOpening[]): Promise<(BeginVerdict | Uncounted)[]> {
  const verdicts = new Map<CountedOpening, BeginVerdict | Uncounted>();
  const ofWorkspace = Map.groupBy(openings, ({ workspaceId }) => workspaceId);
  await Promise.all(
    [...ofWorkspace.values()].map(async (all) => {
      const some = underDifferentKeys(all);
      const answers = await beginOfOne(deps, some);
      for (const [index, opening] of some.entries()) verdicts.set(opening, answers[index] ?? uncounted);
    }),
  );
  return openings.map((opening) => verdicts.get(opening) ?? uncounted);
}

// The second call under a key waits for the first, which the exact statement does.
function underDifferentKeys(openings: readonly CountedOpening[]): readonly CountedOpening[] {
  const keys = new Set<string>();
  return openings.filter(({ idempotencyKey }) => {
    if (idempotencyKey === null) return true;
    const isFirst = !keys.has(idempotencyKey);
    keys.add(idempotencyKey);
    return isFirst;
  });
}

async function beginOfOne(deps: Deps, openings: readonly CountedOpening[]): Promise<(BeginVerdict | Uncounted)[]> {
  const { database, ownerId } = deps;
  const [first] = openings;
  if (!first) return [];
  const keys = openings.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
  try {
    const answer = await beginCountedCalls(database, { workspaceId: first.workspaceId, keys, openings, ownerId });
    return await readVerdicts<Uncounted, CountedOpening>(answer, openings, {
      exactly: async () => openings.map(() => uncounted),
      others: (some) => beginOfOne(deps, some),
    });
  } catch (error) {
    if (error instanceof CommitUnknown) {
      // The lost statement may still go through. Then its rows block what the exact way writes under the same id.
      const verdicts = await lostBegins(database, openings, ownerId);
      return verdicts.map((verdict) => (verdict.kind === "begun" ? verdict : uncounted));
    }
    if (error instanceof Fault) throw error;
    // Nothing was written: another process took one of the keys meanwhile, or a value is not as it should be. The exact way finds out
    // which call it is.
    return openings.map(() => uncounted);
  }
}
