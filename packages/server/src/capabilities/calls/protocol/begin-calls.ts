// Begin: the calls that arrive together share one statement, and each is told its own verdict.
import type { Clock } from "../../../foundation/clock.ts";
import { CommitUnknown, type Database, groupCommit, isUniqueViolation } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallOpening, Opened, OwnerId } from "../call/call-opening.ts";
import { findCalls } from "../call/call-store.ts";
import type { OpenCalls, OwnedCall } from "../call/open-calls.ts";
import { type ItemResult, runBatch, unwrap } from "../call/run-batch.ts";
import { beginBatch } from "./begin-batch.ts";
import { type BeginVerdict, ensureWallets } from "./begin-store.ts";

export type Begun =
  | { readonly kind: "begun"; readonly call: OwnedCall; readonly inFlight: number }
  | Exclude<Opened, { kind: "begun" }>;

// Without an id it is given one.
export type BeginCall = (opening: CallOpening | Omit<CallOpening, "id">) => Promise<Begun>;

export interface BeginDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly open: OpenCalls;
  readonly ownerId: OwnerId;
}

export const batchMax = 128;

export function callBeginner({ database, clock, open, ownerId }: BeginDeps): {
  readonly begin: BeginCall;
  close(): Promise<void>;
} {
  const beginning = groupCommit<CallOpening, ItemResult<BeginVerdict>>({
    maxBatch: batchMax,
    inFlight: 1,
    run: (openings) => runBatch(openings, (some) => beginOnce(database, some, ownerId)),
  });
  return {
    async begin(given) {
      const opening = "id" in given ? given : { ...given, id: newId<"call">(clock.now().getTime()) };
      // Taken once: a first attempt whose answer was lost may be the one that stands, and the quarantine counts from it.
      const started = open.moment();
      for (;;) {
        const verdict = unwrap(await beginning(opening));
        if (verdict.kind === "again") continue;
        if (verdict.kind === "no_wallet") {
          await ensureWallets(database, [opening.workspaceId]);
          continue;
        }
        if (verdict.kind !== "begun") return verdict;
        const call = open.own({ id: opening.id, workspaceId: opening.workspaceId, fence: 1 }, started);
        return { kind: "begun", call, inFlight: verdict.inFlight };
      }
    },
    close: () => beginning.close(),
  };
}

// A lost COMMIT answer is settled by reading the ids: what stands there under our name has begun, the rest has not.
// The lost statement may also come through after that look; then its row is in the way of the next attempt.
async function beginOnce(
  database: Database,
  openings: readonly CallOpening[],
  ownerId: OwnerId,
): Promise<BeginVerdict[]> {
  try {
    return await beginBatch(database, openings, ownerId);
  } catch (error) {
    const isLate = isUniqueViolation(error, "calls_pkey");
    // Of a batch the late one is not known yet: halved until it stands alone.
    if (isLate ? openings.length > 1 : !(error instanceof CommitUnknown)) throw error;
    const stored = await findCalls(
      database,
      openings.map((opening) => opening.id),
    );
    const begun = new Set(stored.filter((call) => call.ownerId === ownerId && call.fence === 1).map((call) => call.id));
    // Taken over before we learned that it had begun: it is not ours to send, and must not be begun beside it.
    if (isLate && begun.size < stored.length) throw new CommitUnknown(error);
    return openings.map((opening) => (begun.has(opening.id) ? { kind: "begun", inFlight: 0 } : { kind: "again" }));
  }
}
