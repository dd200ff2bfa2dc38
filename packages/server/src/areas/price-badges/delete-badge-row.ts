import { type Acting, auditedChange } from "./badge-audit.ts";
import type { BadgeRowId } from "./badge-row.ts";
import { removeBadgeRow } from "./badge-store.ts";
import { type BadgeWriteDeps, changeBadges, requireBadgeRow } from "./write-badge-row.ts";

export async function deleteBadgeRow(
  deps: Omit<BadgeWriteDeps, "proof">,
  id: BadgeRowId | null,
  acting: Acting,
): Promise<void> {
  await changeBadges(deps, async (tx) => {
    const before = await requireBadgeRow(tx, id);
    await removeBadgeRow(tx, before.id);
    await deps.audit.append(tx, auditedChange(acting, "badge.delete", before, null));
  });
}
