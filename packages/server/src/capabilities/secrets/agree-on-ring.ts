// Readiness check of decisions, section 7: does this process have the same key ring as the others? The first server of a
// database sets the ring; every later one must match or extend it.
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { compareRings, marksOf } from "./fingerprint.ts";
import {
  announceFingerprint,
  forgetAllFingerprints,
  forgetEndedFingerprints,
  listFingerprints,
  lockFingerprints,
} from "./fingerprint-store.ts";
import type { LiveKeyRing } from "./key-ring.ts";

export interface AgreeOnRingDeps {
  readonly database: Database;
  readonly ring: Pick<LiveKeyRing, "keys" | "further">;
  readonly clock: Clock;
}

// Null if the rings agree. Otherwise a sentence that says why this server is not ready.
export async function findRingDisagreement(deps: AgreeOnRingDeps): Promise<string | null> {
  // Usually there is nothing to announce, and a read without a lock is enough.
  const compare = (known: Awaited<ReturnType<typeof listFingerprints>>) =>
    compareRings(deps.ring.keys(), known, deps.clock.now(), deps.ring.further());
  const quick = compare(await listFingerprints(deps.database));
  if (!quick.agreed) return quick.reason;
  if (quick.announce.length === 0) return null;
  return deps.database.transaction(async (tx) => {
    await lockFingerprints(tx);
    const agreement = compare(await listFingerprints(tx));
    if (!agreement.agreed) return agreement.reason;
    for (const key of agreement.announce) await announceFingerprint(tx, key);
    await forgetEndedFingerprints(tx);
    return null;
  });
}

// For an operator whose ring is lost for good: from now on all servers must have this ring. Anything signed or sealed
// under the lost one stays unreadable.
export async function adoptRing(deps: AgreeOnRingDeps): Promise<void> {
  await deps.database.transaction(async (tx) => {
    await lockFingerprints(tx);
    await forgetAllFingerprints(tx);
    for (const key of marksOf(deps.ring.keys())) await announceFingerprint(tx, key);
  });
}
