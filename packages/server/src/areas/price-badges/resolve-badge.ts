// Decides which badge applies to which client. The versions at which rows begin or end divide all versions into buckets. Within
// a bucket every client gets the same map, so there are exactly as many answers as buckets.
import { type AppVersion, compareVersions } from "./app-version.ts";
import { contains, type Platform, type ServedRow } from "./badge-row.ts";

export interface VersionBuckets<Row extends ServedRow> {
  // Sorted and distinct. Bucket i holds the versions below boundaries[i]. The last bucket has no upper end, and is also what
  // the latest version sees.
  readonly boundaries: readonly AppVersion[];
  // One list per bucket, sorted by node id.
  readonly rows: readonly (readonly Row[])[];
}

export function groupByVersion<Row extends ServedRow>(rows: readonly Row[], platform: Platform): VersionBuckets<Row> {
  const live = rows
    .filter((row) => !row.ended && row.platforms.includes(platform))
    .sort((one, other) => (one.nodeId < other.nodeId ? -1 : one.nodeId > other.nodeId ? 1 : 0));
  const boundaries = live
    .flatMap((row) => (row.untilVersion ? [row.fromVersion, row.untilVersion] : [row.fromVersion]))
    .sort(compareVersions)
    .filter((version, at, all) => at === 0 || compareVersions(version, all[at - 1] ?? version) !== 0);
  const first: AppVersion = [0, 0, 0];
  // Within a bucket nothing begins or ends, so its lowest version represents all of them.
  const lowest = [first, ...boundaries];
  return {
    boundaries,
    rows: lowest.map((version, bucket) =>
      // If something begins at 0.0.0, the first bucket is empty: no version falls into it.
      live.filter((row) => contains(row, bucket === lowest.length - 1 ? "latest" : version)),
    ),
  };
}

// How many boundaries are at or below the version. A binary search that allocates nothing.
export function bucketIndex(boundaries: readonly AppVersion[], version: AppVersion | "latest"): number {
  let low = 0;
  let high = boundaries.length;
  if (version === "latest") return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const boundary = boundaries[middle];
    if (boundary && compareVersions(boundary, version) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
