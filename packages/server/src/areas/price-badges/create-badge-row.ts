import { newId } from "../../foundation/ids.ts";
import { type Acting, auditedChange } from "./badge-audit.ts";
import type { BadgeRow } from "./badge-row.ts";
import { insertBadgeRow } from "./badge-store.ts";
import { type BadgeWriteDeps, changeBadges, proveInput, refuseOverlap } from "./write-badge-row.ts";

export async function createBadgeRow(deps: BadgeWriteDeps, body: unknown, acting: Acting): Promise<BadgeRow> {
  const proven = await proveInput(deps, body);
  const now = deps.clock.now();
  const row: BadgeRow = {
    id: newId(now.getTime()),
    ...proven,
    ended: false,
    priceRecord: null,
    createdAt: now,
    updatedAt: now,
  };
  return changeBadges(deps, async (tx) => {
    await refuseOverlap(tx, row);
    await insertBadgeRow(tx, row);
    await deps.audit.append(tx, auditedChange(acting, "badge.create", null, row));
    return row;
  });
}
