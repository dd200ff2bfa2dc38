// Fills the badge table of a fresh installation. Once: the first change of the table, ours or an operator's, ends the
// time for it, so what an operator removed never comes back; of several processes that start together one does it.
import { canonicalBadge } from "../../capabilities/badge-proof/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/database.ts";
import { newId } from "../../foundation/ids.ts";
import { advanceRevision, findRevision, insertBadgeRow } from "./badge-store.ts";
import { type SeedBadge, seedBadgeList } from "./seed-badges.ts";

export interface SeedBadgesDeps {
  readonly database: Database;
  readonly clock: Clock;
}

// The number of rows written; 0 when the table has been written before.
export async function seedBadges(deps: SeedBadgesDeps): Promise<number> {
  if ((await findRevision(deps.database)) !== "0") return 0;
  return deps.database.transaction(async (tx) => {
    const revision = await advanceRevision(tx);
    if (revision !== "1") return 0;
    const now = deps.clock.now();
    for (const seed of seedBadgeList) await insertBadgeRow(tx, rowOf(seed, now));
    return seedBadgeList.length;
  });
}

function rowOf(seed: SeedBadge, now: Date) {
  const { badge, ...range } = seed;
  return {
    ...range,
    id: newId<"badge-row">(now.getTime()),
    badgeText: canonicalBadge(badge),
    priceRecord: null,
    createdAt: now,
    updatedAt: now,
  };
}
