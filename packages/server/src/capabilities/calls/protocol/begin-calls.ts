// Begin, as its callers see it: each is told its own verdict, and what only needs another round gets it.
import type { Clock } from "../../../foundation/clock.ts";
import type { Database } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import type { CallOpening, Opened } from "../call/call-opening.ts";
import type { OpenCalls, OwnedCall } from "../call/open-calls.ts";
import { ensureWallets } from "./begin-store.ts";
import type { LedgerRounds } from "./ledger-rounds.ts";

export type Begun =
  | { readonly kind: "begun"; readonly call: OwnedCall; readonly inFlight: number }
  | Exclude<Opened, { kind: "begun" }>;

// Without an id it is given one.
export type BeginCall = (opening: CallOpening | Omit<CallOpening, "id">) => Promise<Begun>;

export interface BeginDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly open: OpenCalls;
  readonly rounds: Pick<LedgerRounds, "begin">;
}

export function callBeginner({ database, clock, open, rounds }: BeginDeps): BeginCall {
  return async (given) => {
    const opening = "id" in given ? given : { ...given, id: newId<"call">(clock.now().getTime()) };
    // Taken once: a first attempt whose answer was lost may be the one that stands, and the quarantine counts from it.
    const started = open.moment();
    for (;;) {
      const verdict = await rounds.begin(opening);
      if (verdict.kind === "again") continue;
      if (verdict.kind === "no_wallet") {
        await ensureWallets(database, [opening.workspaceId]);
        continue;
      }
      if (verdict.kind !== "begun") return verdict;
      const call = open.own({ id: opening.id, workspaceId: opening.workspaceId, fence: 1 }, started);
      return { kind: "begun", call, inFlight: verdict.inFlight };
    }
  };
}
