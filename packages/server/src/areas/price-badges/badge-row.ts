// One stored badge: for which node, on which platforms, for which versions (decisions, section 2).
import type { Id } from "../../foundation/ids.ts";
import { type AppVersion, compareVersions, versionText } from "./app-version.ts";

export type BadgeRowId = Id<"badge-row">;

export const platforms = ["cloud", "local"] as const;
export type Platform = (typeof platforms)[number];

export interface BadgeRow {
  readonly id: BadgeRowId;
  readonly nodeId: string;
  readonly platforms: readonly Platform[];
  readonly fromVersion: AppVersion;
  // Exclusive. Null means open-ended, which the latest version sees.
  readonly untilVersion: AppVersion | null;
  // Canonical JSON of the badge, exactly as served.
  readonly badgeText: string;
  // Ended for everyone, whatever the range says.
  readonly ended: boolean;
  // The price record whose charge this badge announces. Null while there is none.
  readonly priceRecord: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

// What clients are answered with. For an ended row, only that it exists.
export type ServedRow = Pick<BadgeRow, "nodeId" | "platforms" | "fromVersion" | "untilVersion" | "badgeText" | "ended">;

export type BadgeRange = Pick<BadgeRow, "nodeId" | "platforms" | "fromVersion" | "untilVersion">;

export function isPlatform(text: string): text is Platform {
  return text === "cloud" || text === "local";
}

export function contains(range: BadgeRange, version: AppVersion | "latest"): boolean {
  if (version === "latest") return range.untilVersion === null;
  return (
    compareVersions(range.fromVersion, version) <= 0 &&
    (range.untilVersion === null || compareVersions(version, range.untilVersion) < 0)
  );
}

// Two rows overlap if there is a client that both would answer.
export function overlap(one: BadgeRange, other: BadgeRange): boolean {
  return (
    one.nodeId === other.nodeId &&
    one.platforms.some((platform) => other.platforms.includes(platform)) &&
    begins(one, other) &&
    begins(other, one)
  );
}

export function rangeText(range: BadgeRange): string {
  const until = range.untilVersion === null ? "open" : versionText(range.untilVersion);
  return `${versionText(range.fromVersion)} to ${until} on ${range.platforms.join(" and ")}`;
}

function begins(one: BadgeRange, other: BadgeRange): boolean {
  return other.untilVersion === null || compareVersions(one.fromVersion, other.untilVersion) < 0;
}
