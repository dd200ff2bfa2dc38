// Which badge applies to which client. The versions at which any row begins or ends cut the line of versions into
// buckets; within a bucket every client gets the same map, so there are as many answers as buckets and no more.
import { type AppVersion, compareVersions } from "./app-version.ts";
import { contains, type Platform, type ServedRow } from "./badge-row.ts";

export interface VersionBuckets<Row extends ServedRow> {
  // Sorted, distinct. Bucket i holds the versions below boundaries[i]; the last bucket has no upper end and is also
  // what the latest version sees.
  readonly boundaries: readonly AppVersion[];
  // One list per bucket, in the order of node ids.
  readonly rows: readonly (readonly Row[])[];
}

export function bucketsOf<Row extends ServedRow>(rows: readonly Row[], platform: Platform): VersionBuckets<Row> {
  const live = rows
    .filter((row) => !row.ended && row.platforms.includes(platform))
    .sort((one, other) => (one.nodeId < other.nodeId ? -1 : one.nodeId > other.nodeId ? 1 : 0));
  const boundaries = live
    .flatMap((row) => (row.untilVersion ? [row.fromVersion, row.untilVersion] : [row.fromVersion]))
    .sort(compareVersions)
    .filter((version, at, all) => at === 0 || compareVersions(version, all[at - 1] ?? version) !== 0);
  const first: AppVersion = [0, 0, 0];
  // Within a bucket nothing begins or ends, so its lowest version speaks for all of them.
  const lowest = [first, ...boundaries];
  return {
    boundaries,
    rows: lowest.map((version, bucket) =>
      // The first bucket is empty, without a version, when something begins at 0.0.0.
      live.filter((row) => contains(row, bucket === lowest.length - 1 ? "latest" : version)),
    ),
  };
}

// How many boundaries are at or below the version: by halving, without making anything.
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
