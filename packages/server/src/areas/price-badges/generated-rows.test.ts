// Badge rows that do not overlap, for the tests beside this one.
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { newId } from "../../foundation/ids.ts";
import { type AppVersion, compareVersions } from "./app-version.ts";
import { type BadgeRow, overlap, type Platform } from "./badge-row.ts";

export const anyVersion: fc.Arbitrary<AppVersion> = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3));

export const anyRange = fc
  .record({
    nodeId: fc.constantFrom("ANode", "BNode", "CNode", 'Zoë "quoted"', "123", "hasOwn"),
    platforms: fc.constantFrom<readonly Platform[]>(["cloud"], ["local"], ["cloud", "local"]),
    fromVersion: anyVersion,
    untilVersion: fc.option(anyVersion, { freq: 2 }),
    price: fc.nat(99),
    ended: fc.boolean(),
  })
  .filter(({ fromVersion, untilVersion }) => untilVersion === null || compareVersions(fromVersion, untilVersion) < 0);

export function badgeRow(row: Partial<BadgeRow>): BadgeRow {
  return {
    id: newId(),
    nodeId: "ANode",
    platforms: ["cloud", "local"],
    fromVersion: [0, 0, 0],
    untilVersion: null,
    badgeText: `{"engine":"jsonata"}`,
    ended: false,
    priceRecord: null,
    createdAt: new Date(0),
    updatedAt: new Date(0),
    ...row,
  };
}

export const anyRows: fc.Arbitrary<readonly BadgeRow[]> = fc
  .array(anyRange, { maxLength: 25, size: "max" })
  .map((drafts) => {
    const rows: BadgeRow[] = [];
    for (const { price, ...draft } of drafts) {
      const row = badgeRow({ ...draft, badgeText: `{"engine":"jsonata","price":${price}}` });
      if (row.ended || !rows.some((other) => !other.ended && overlap(other, row))) rows.push(row);
    }
    return rows;
  });

test("generated rows never overlap, and some of them end", () => {
  let ends = 0;
  fc.assert(
    fc.property(anyRows, (rows) => {
      const live = rows.filter((row) => !row.ended);
      for (const one of live) assert.ok(live.every((other) => other === one || !overlap(one, other)));
      ends += live.filter((row) => row.untilVersion !== null).length;
    }),
  );
  assert.ok(ends > 10);
});
