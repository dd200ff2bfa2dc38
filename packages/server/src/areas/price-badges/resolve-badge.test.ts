import assert from "node:assert/strict";
import { describe, test } from "node:test";
import fc from "fast-check";
import type { AppVersion } from "./app-version.ts";
import { type BadgeRow, contains, overlap, type Platform, rangeText } from "./badge-row.ts";
import { anyRange, anyRows, anyVersion, badgeRow } from "./generated-rows.test.ts";
import { bucketIndex, groupByVersion } from "./resolve-badge.ts";

function resolved(rows: readonly BadgeRow[], platform: Platform, version: AppVersion | "latest"): readonly BadgeRow[] {
  const buckets = groupByVersion(rows, platform);
  return buckets.rows[bucketIndex(buckets.boundaries, version)] ?? [];
}

// The rule word for word: the row whose range contains the version; latest is the open end; ended rows do not count.
function naive(rows: readonly BadgeRow[], platform: Platform, version: AppVersion | "latest"): readonly BadgeRow[] {
  return rows
    .filter((row) => !row.ended && row.platforms.includes(platform))
    .filter(({ fromVersion: [a, b, c], untilVersion }) => {
      const number = ([x, y, z]: AppVersion) => x * 1e6 + y * 1e3 + z;
      if (version === "latest") return untilVersion === null;
      return number([a, b, c]) <= number(version) && (!untilVersion || number(version) < number(untilVersion));
    });
}

const byNode = (rows: readonly BadgeRow[]) => rows.map(({ nodeId, id }) => `${nodeId} ${id}`).sort();

test("the buckets give every client what the rule gives it", () => {
  fc.assert(
    fc.property(
      anyRows,
      fc.constantFrom<Platform>("cloud", "local"),
      fc.oneof(fc.constant("latest" as const), anyVersion),
      (rows, platform, version) => {
        assert.deepEqual(byNode(resolved(rows, platform, version)), byNode(naive(rows, platform, version)));
      },
    ),
    { numRuns: 2000 },
  );
});

test("a node is named at most once, and nodes stand in the order of their ids", () => {
  fc.assert(
    fc.property(anyRows, anyVersion, (rows, version) => {
      const ids = resolved(rows, "local", version).map(({ nodeId }) => nodeId);
      assert.deepEqual(ids, [...new Set(ids)].sort());
    }),
  );
});

describe("ends and beginnings", () => {
  const row = badgeRow({ fromVersion: [1, 2, 0], untilVersion: [1, 3, 0], platforms: ["local"] });
  const seen: readonly [AppVersion | "latest", Platform, boolean][] = [
    [[1, 1, 999], "local", false],
    [[1, 2, 0], "local", true],
    [[1, 2, 999_999_999], "local", true],
    [[1, 3, 0], "local", false],
    ["latest", "local", false],
    [[1, 2, 0], "cloud", false],
  ];
  for (const [version, platform, isThere] of seen) {
    test(`${rangeText(row)}: ${version} on ${platform} ${isThere ? "sees it" : "does not"}`, () =>
      assert.equal(resolved([row], platform, version).length === 1, isThere));
  }
  test("an ended row is seen by nobody", () =>
    assert.deepEqual(resolved([badgeRow({ ended: true })], "cloud", "latest"), []));
  test("a version above every boundary and latest see the same", () => {
    const rows = [row, badgeRow({ nodeId: "B", fromVersion: [9, 0, 0] })];
    assert.equal(resolved(rows, "local", "latest").length, 1);
    assert.deepEqual(resolved(rows, "local", [1_000_000_000, 0, 0]), resolved(rows, "local", "latest"));
  });
});

test("two rows overlap exactly when some client would get both", () => {
  let overlaps = 0;
  fc.assert(
    fc.property(anyRange, anyRange, (left, right) => {
      const [one, other] = [badgeRow({ ...left, nodeId: "A" }), badgeRow({ ...right, nodeId: "A" })];
      const shared = one.platforms.some((platform) => other.platforms.includes(platform));
      // If two ranges overlap, the start of one of them is in both.
      const both = [one.fromVersion, other.fromVersion].some(
        (version) => contains(one, version) && contains(other, version),
      );
      assert.equal(overlap(one, other), shared && both);
      assert.equal(overlap(one, badgeRow({ ...right, nodeId: "B" })), false);
      if (shared && both) overlaps++;
    }),
    { numRuns: 1000 },
  );
  assert.ok(overlaps > 50);
});
