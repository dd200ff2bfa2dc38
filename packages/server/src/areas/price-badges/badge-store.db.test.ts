import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { errorCode } from "../../foundation/database/database-errors.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { BadgeRow } from "./badge-row.ts";
import {
  advanceRevision,
  findBadgeRow,
  findRevision,
  findSnapshot,
  insertBadgeRow,
  listBadgeRowsBy,
  removeBadgeRow,
  updateBadgeRow,
} from "./badge-store.ts";
import { badgeRow } from "./generated-rows.test.ts";

describe("stored badges", () => {
  let database: TestDatabase;
  before(async () => {
    database = await testDatabase();
  });
  after(() => database.close());
  beforeEach(async () => {
    await database.execute(sql`delete from price_badge_rows`);
    await database.execute(sql`delete from price_badge_revision`);
  });

  test("a row comes back as it was written", async () => {
    const row = badgeRow({
      nodeId: 'Zoë "quoted" {,}\\',
      platforms: ["local"],
      fromVersion: [1, 20, 300],
      untilVersion: [999999999, 0, 0],
      badgeText: '{"expr":"\\u0000 ü 💰"}',
      priceRecord: "sandbox/image-1",
      createdAt: new Date("2026-01-01T00:00:00.123Z"),
    });
    await insertBadgeRow(database, row);
    assert.deepEqual(await findBadgeRow(database, row.id), row);
    const changed: BadgeRow = { ...row, untilVersion: null, platforms: ["cloud", "local"], ended: true };
    await updateBadgeRow(database, changed);
    assert.deepEqual(await findBadgeRow(database, row.id), changed);
    await removeBadgeRow(database, row.id);
    assert.equal(await findBadgeRow(database, row.id), null);
  });

  describe("the database itself refuses two rows for one client", () => {
    const first = badgeRow({ fromVersion: [1, 0, 0], untilVersion: [1, 10, 0], platforms: ["cloud"] });
    const overlapping: readonly [string, Partial<BadgeRow>][] = [
      ["the same range", {}],
      ["a range within", { fromVersion: [1, 2, 0], untilVersion: [1, 9, 0] }],
      ["an open range", { fromVersion: [1, 9, 999], untilVersion: null }],
      ["both platforms", { platforms: ["cloud", "local"] }],
    ];
    for (const [what, change] of overlapping) {
      test(what, async () => {
        await insertBadgeRow(database, first);
        await assert.rejects(
          insertBadgeRow(database, { ...badgeRow({}), ...first, ...change, id: badgeRow({}).id }),
          (thrown) => {
            assert.equal(errorCode(thrown), "23P01");
            return true;
          },
        );
      });
    }
    const beside: readonly [string, Partial<BadgeRow>][] = [
      ["the other platform", { platforms: ["local"] }],
      ["another node", { nodeId: "ANodeB" }],
      ["a range that begins where it ends", { fromVersion: [1, 10, 0], untilVersion: null }],
      ["a range that ends where it begins", { fromVersion: [0, 0, 0], untilVersion: [1, 0, 0] }],
      ["an ended row", { ended: true }],
    ];
    for (const [what, change] of beside) {
      test(`${what} is no overlap`, async () => {
        await insertBadgeRow(database, first);
        await insertBadgeRow(database, { ...first, ...change, id: badgeRow({}).id });
      });
    }
  });

  test("of many who write the same range at once exactly one wins, also past the writers' lock", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, (_, at) =>
        insertBadgeRow(
          database,
          badgeRow({ fromVersion: [0, 0, at], platforms: at % 2 ? ["cloud"] : ["cloud", "local"] }),
        ),
      ),
    );
    assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  });

  test("the revision counts from nothing and never loses a step", async () => {
    assert.equal(await findRevision(database), "0");
    await Promise.all(Array.from({ length: 8 }, () => database.transaction((tx) => advanceRevision(tx))));
    assert.equal(await findRevision(database), "8");
  });

  test("a change that is rolled back moves nothing", async () => {
    const failing = database.transaction(async (tx) => {
      await advanceRevision(tx);
      await insertBadgeRow(tx, badgeRow({}));
      throw new Error("changed my mind");
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await findSnapshot(database), { revision: "0", rows: [] });
  });

  test("a snapshot has every live row and the revision, also when there is no row, and of ended rows that they are there", async () => {
    await database.transaction((tx) => advanceRevision(tx));
    assert.deepEqual(await findSnapshot(database), { revision: "1", rows: [] });
    const row = badgeRow({});
    await insertBadgeRow(database, row);
    const ended = badgeRow({ ended: true });
    await insertBadgeRow(database, ended);
    const { revision, rows } = await findSnapshot(database);
    assert.equal(revision, "1");
    assert.deepEqual(
      rows.toSorted((one, other) => Number(one.ended) - Number(other.ended)),
      [row, { ...ended, badgeText: "" }],
    );
  });

  test("a list follows node id and version, and goes on behind any row", async () => {
    const names = ["b", "B", "ä", "a", "Z"];
    for (const nodeId of names) {
      await insertBadgeRow(database, badgeRow({ nodeId, fromVersion: [10, 0, 0] }));
      await insertBadgeRow(database, badgeRow({ nodeId, fromVersion: [9, 0, 0], untilVersion: [10, 0, 0] }));
    }
    const all = { nodeId: null, platform: null, ended: null, after: null };
    const whole = await listBadgeRowsBy(database, { ...all, count: 100 });
    assert.deepEqual(
      whole.map((row) => `${row.nodeId} ${row.fromVersion[0]}`),
      ["B 9", "B 10", "Z 9", "Z 10", "a 9", "a 10", "b 9", "b 10", "ä 9", "ä 10"],
    );
    const walked: BadgeRow[] = [];
    for (let after: BadgeRow["id"] | null = null; ; ) {
      const page: readonly BadgeRow[] = await listBadgeRowsBy(database, { ...all, after, count: 3 });
      walked.push(...page);
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
    }
    assert.deepEqual(walked, whole);
  });
});
