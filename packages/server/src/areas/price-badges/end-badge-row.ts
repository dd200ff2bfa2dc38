// Ends a badge: from a version on, so that its key is absent for newer clients; or immediately and for everyone.
import { Fault } from "../../foundation/fault.ts";
import { isRecord } from "../../foundation/json/json-record.ts";
import { type AppVersion, compareVersions, versionText } from "./app-version.ts";
import { type Acting, auditedChange } from "./badge-audit.ts";
import type { BadgeRow, BadgeRowId } from "./badge-row.ts";
import { updateBadgeRow } from "./badge-store.ts";
import { versionIn } from "./read-row-input.ts";
import { type BadgeWriteDeps, changeBadges, requireBadgeRow } from "./write-badge-row.ts";

export async function endBadgeRow(
  deps: Omit<BadgeWriteDeps, "proof">,
  id: BadgeRowId | null,
  body: unknown,
  acting: Acting,
): Promise<BadgeRow> {
  const untilVersion = readUntilVersion(body);
  return changeBadges(deps, async (tx) => {
    const before = await requireBadgeRow(tx, id);
    // Ending a badge that has already ended for everyone changes nothing, so a repeated request gets the same answer.
    if (before.ended && untilVersion === null) return before;
    const change = untilVersion === null ? { ended: true } : { untilVersion: earlierEnd(before, untilVersion) };
    const after: BadgeRow = { ...before, ...change, updatedAt: deps.clock.now() };
    await updateBadgeRow(tx, after);
    await deps.audit.append(tx, auditedChange(acting, "badge.end", before, after));
    return after;
  });
}

// Only ever earlier: a later end could run into another row. To extend it, replace it.
function earlierEnd(row: BadgeRow, untilVersion: AppVersion): AppVersion {
  if (row.ended) throw new Fault("conflict", "This badge has already ended for every version.");
  if (compareVersions(untilVersion, row.fromVersion) <= 0) {
    const from = versionText(row.fromVersion);
    throw new Fault("invalid_request", `until_version must be above ${from}, where the badge starts.`);
  }
  if (row.untilVersion && compareVersions(untilVersion, row.untilVersion) > 0) {
    throw new Fault("conflict", `This badge already ends at ${versionText(row.untilVersion)}.`);
  }
  return untilVersion;
}

function readUntilVersion(body: unknown): AppVersion | null {
  if (body === undefined || (isRecord(body) && body["until_version"] === undefined)) return null;
  const version = isRecord(body) ? versionIn(body["until_version"]) : undefined;
  if (!version) throw new Fault("invalid_request", "until_version must be a version such as 1.4.0, or absent.");
  return version;
}
