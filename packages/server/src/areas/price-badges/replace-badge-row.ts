import { Fault } from "../../foundation/fault.ts";
import { type Acting, auditedChange } from "./badge-audit.ts";
import type { BadgeRow, BadgeRowId } from "./badge-row.ts";
import { updateBadgeRow } from "./badge-store.ts";
import { type BadgeWriteDeps, changeBadges, proveInput, refuseOverlap, requireBadgeRow } from "./write-badge-row.ts";

export async function replaceBadgeRow(
  deps: BadgeWriteDeps,
  id: BadgeRowId | null,
  body: unknown,
  acting: Acting,
): Promise<BadgeRow> {
  // An unknown id is reported before the body is examined.
  await requireBadgeRow(deps.database, id);
  const proven = await proveInput(deps, body);
  return changeBadges(deps, async (tx) => {
    const before = await requireBadgeRow(tx, id);
    if (before.ended) throw new Fault("conflict", "This badge has ended and is kept as a record. Create a new one.");
    const after: BadgeRow = { ...before, ...proven, updatedAt: deps.clock.now() };
    await refuseOverlap(tx, after);
    await updateBadgeRow(tx, after);
    await deps.audit.append(tx, auditedChange(acting, "badge.replace", before, after));
    return after;
  });
}
