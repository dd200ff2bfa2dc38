import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import { newId } from "../../foundation/ids.ts";
import { charge } from "./price.ts";
import type { PriceDefinition } from "./price-definition.ts";
import { createPrices, type Prices } from "./prices.ts";
import type { Subject } from "./subject.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

const open = (creditsPerUsd = 211) => createPrices({ database, clock: handClock(), creditsPerUsd });
const ensure = (prices: Prices, subject: Subject, definition: PriceDefinition) =>
  database.transaction((tx) => prices.ensure(tx, { subject, definition, createdBy: "test" }));

const perSecond = (each: string): PriceDefinition => ({
  usd: { kind: "per_second", seconds: { from: "/duration", default: 5, most: 10 }, each },
});

describe("a price record", () => {
  test("comes back as it was written, and charges", async () => {
    const prices = open();
    const { record, isNew } = await ensure(prices, "model:sandbox/video-1", perSecond("0.05"));
    assert.equal(isNew, true);
    assert.equal(record.version, 1);
    assert.equal(record.createdBy, "test");
    assert.deepEqual(record.price.definition, perSecond("0.05"));
    const read = await prices.get(record.id);
    assert.ok(read);
    assert.equal(charge(read.price, { duration: 2 }), 21_100_000n);
  });

  test("is written again only when it differs, whatever the order of its keys", async () => {
    const prices = open();
    const subject = "model:sandbox/image-2";
    const { record } = await ensure(prices, subject, { usd: "0.11", format: { suffix: "/Image", note: "1K" } });
    const again = await ensure(prices, subject, { format: { note: "1K", suffix: "/Image" }, usd: "0.11" });
    assert.equal(again.isNew, false);
    assert.equal(again.record.id, record.id);
    const changed = await ensure(prices, subject, { usd: "0.12" });
    assert.equal(changed.record.version, 2);
    const back = await ensure(prices, subject, { usd: "0.11", format: { suffix: "/Image", note: "1K" } });
    assert.equal(back.record.version, 3);
  });

  test("keeps the rate of its time: another rate is another version", async () => {
    const subject = "partner:partner-a/image-relight";
    const { record } = await ensure(open(), subject, { usd: "0.11" });
    const { record: dearer } = await ensure(open(300), subject, { usd: "0.11" });
    assert.equal(dearer.version, 2);
    const frozen = await open(300).get(record.id);
    assert.equal(frozen && charge(frozen.price, {}), 23_210_000n);
  });

  test("cannot be changed or deleted by any statement", async () => {
    await ensure(open(), "node:Fixed", { usd: "1" });
    const statements = [
      sql`update price_records set version = version + 1`,
      sql`delete from price_records`,
      sql`truncate price_records`,
    ];
    for (const statement of statements) await assert.rejects(database.execute(statement), /never changes/);
  });

  test("that is invalid is refused with its problems, and nothing is stored", async () => {
    const prices = open();
    const wrong = ensure(prices, "node:Wrong", { usd: "1", format: { note: "\0" } });
    await assert.rejects(wrong, (thrown) => thrown instanceof Fault && thrown.code === "invalid_request");
    assert.equal(await prices.current("node:Wrong"), null);
  });

  test("that only a newer version understands is never taken for free", async () => {
    await database.execute(sql`
      insert into price_records (id, subject, version, price, created_by)
      values (${newId()}, 'node:Newer', 1, '{"definition": {"usd": {"kind": "auction"}}, "credits_per_usd": 211}', 'test')`);
    await assert.rejects(async () => open().current("node:Newer"), /This version cannot read price record/);
  });
});

describe("racing writers", () => {
  test("of one price make one version", async () => {
    const subject = "model:sandbox/raced";
    const all = await Promise.all(Array.from({ length: 24 }, () => ensure(open(), subject, perSecond("0.07"))));
    assert.equal(all.filter(({ isNew }) => isNew).length, 1);
    assert.equal(new Set(all.map(({ record }) => record.id)).size, 1);
  });

  test("of different prices make versions without gaps, and none is lost", async () => {
    const subject = "model:sandbox/quarrelled";
    const each = Array.from({ length: 16 }, (_, at) => `0.${at + 10}`);
    const all = await Promise.all(each.map((usd) => ensure(open(), subject, { usd })));
    assert.deepEqual(
      all.map(({ record }) => record.version).toSorted((a, b) => a - b),
      each.map((_, at) => at + 1),
    );
  });

  test("of several prices in opposite orders do not wait for one another in a circle", async () => {
    const subjects = ["node:One", "node:Two", "node:Three"] as const;
    const writeAll = (order: readonly Subject[], usd: string) =>
      database.transaction(async (tx) => {
        for (const subject of order) await open().ensure(tx, { subject, definition: { usd }, createdBy: "test" });
      });
    await Promise.all([writeAll(subjects, "1"), writeAll(subjects.toReversed(), "2"), writeAll(subjects, "3")]);
    for (const subject of subjects) assert.equal((await open().history({ subject, count: 10 })).length, 3);
  });
});

describe("the current price", () => {
  test("changed elsewhere is seen after five seconds at most, changed here at once", async () => {
    const clock = handClock();
    const prices = createPrices({ database, clock, creditsPerUsd: 211 });
    const subject = "model:sandbox/moving";
    const version = async () => (await prices.current(subject))?.version ?? 0;
    assert.equal(await version(), 0);
    await ensure(open(), subject, { usd: "1" });
    assert.equal(await version(), 0);
    await clock.advance(5000);
    assert.equal(await version(), 1);
    await ensure(prices, subject, { usd: "2" });
    prices.drop(subject);
    assert.equal(await version(), 2);
  });

  test("of a rolled-back transaction is never used", async () => {
    const prices = open();
    const subject = "node:RolledBack";
    const writing = database.transaction(async (tx) => {
      await prices.ensure(tx, { subject, definition: { usd: "1" }, createdBy: "test" });
      throw new Error("changed our mind");
    });
    await assert.rejects(writing, /changed our mind/);
    assert.equal(await prices.current(subject), null);
  });

  test("an id that does not exist has no price", async () => {
    assert.equal(await open().get(newId()), null);
  });
});

test("lists hold the current price of each subject, page by page; the history of one holds all of them", async () => {
  const prices = open();
  for (const name of ["c", "a", "b"] as const) {
    await ensure(prices, `partner:listed/${name}`, { usd: "1" });
    await ensure(prices, `partner:listed/${name}`, { usd: "2" });
  }
  const first = await prices.list({ prefix: "partner:listed/", count: 2 });
  const rest = await prices.list({ prefix: "partner:listed/", after: first.at(-1)?.subject ?? null, count: 2 });
  assert.deepEqual(
    [...first, ...rest].map(({ subject, version }) => [subject, version]),
    [
      ["partner:listed/a", 2],
      ["partner:listed/b", 2],
      ["partner:listed/c", 2],
    ],
  );
  const subject = "partner:listed/a";
  const versions = async (beforeVersion: number | null) =>
    (await prices.history({ subject, beforeVersion, count: 5 })).map(({ version }) => version);
  assert.deepEqual(await versions(null), [2, 1]);
  assert.deepEqual(await versions(2), [1]);
});
