import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { sql, withConnection } from "../../foundation/database/index.ts";
import { newId } from "../../foundation/ids.ts";
import {
  endAbandoned,
  endBackup,
  findFirstStart,
  findLastGood,
  findNewest,
  hasHistory,
  insertBackup,
  listBackups,
  noteKept,
  tryLock,
} from "./backup-history-store.ts";
import { createScratch, dropScratch, listScratch, scratchPrefix } from "./scratch-store.ts";
import {
  countRows,
  createEmpty,
  currentName,
  dropDatabase,
  listLeft,
  renameDatabase,
  sessionsOf,
} from "./swap-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());
beforeEach(() => database.execute(sql`delete from backups`));

const at = (hour: number) => new Date(Date.UTC(2026, 10, 18, hour));

async function begin(
  hour: number,
  location = "/mnt/backups",
): Promise<{ id: ReturnType<typeof newId<"backup">>; name: string }> {
  const id = newId<"backup">();
  const name = `at-${hour}`;
  await insertBackup(database, { id, name, location, startedAt: at(hour), everySeconds: 3_600 });
  return { id, name };
}

const facts = { schemaVersion: 71, rows: 10, bytes: 5_000_000_000, blobs: 2 };
const good = (hour: number) =>
  ({ state: "done", endedAt: at(hour), verifiedAt: at(hour), problem: null, facts }) as const;
const bad = (hour: number) =>
  ({ state: "failed", endedAt: at(hour), verifiedAt: null, problem: "full", facts: null }) as const;

test("an attempt ends once, and the last good one is the newest that was verified and is still there", async () => {
  assert.equal(await hasHistory(database), true);
  assert.equal(await findFirstStart(database), null);
  const [one, two, three] = [await begin(1), await begin(2), await begin(3)];
  await endBackup(database, one.id, good(1));
  await endBackup(database, two.id, good(2));
  await endBackup(database, three.id, bad(3));
  await endBackup(database, three.id, good(4));
  assert.deepEqual(
    (await listBackups(database, 10)).map(({ name, state }) => `${name} ${state}`),
    ["at-3 failed", "at-2 done", "at-1 done"],
  );
  assert.equal((await findNewest(database, "/mnt/backups"))?.problem, "full");
  assert.equal(await findNewest(database, "elsewhere"), null);
  assert.equal((await findLastGood(database))?.bytes, 5_000_000_000);
  assert.deepEqual(await findFirstStart(database), at(1));
  await noteKept(database, { location: "/mnt/backups", names: ["at-1"], now: at(5), linesMax: 10 });
  assert.equal((await findLastGood(database))?.name, "at-1");
});

test("what a killed process left running is ended, and old lines are forgotten but those of kept backups", async () => {
  const kept = await begin(1);
  await endBackup(database, kept.id, good(1));
  for (const hour of [2, 3, 4]) await endBackup(database, (await begin(hour)).id, bad(hour));
  await begin(5);
  assert.equal(await endAbandoned(database, at(6)), 1);
  assert.match((await listBackups(database, 1))[0]?.problem ?? "", /process that made it ended/);
  await noteKept(database, { location: "/mnt/backups", names: ["at-1"], now: at(6), linesMax: 2 });
  assert.deepEqual(
    (await listBackups(database, 10)).map(({ name }) => name),
    ["at-5", "at-4", "at-1"],
  );
});

test("the lock is one connection's, and ends with it", async () => {
  await withConnection({ connection: database.url }, async (one) => {
    assert.equal(await tryLock(one), true);
    await withConnection({ connection: database.url }, async (other) => assert.equal(await tryLock(other), false));
  });
  await withConnection({ connection: database.url }, async (other) => assert.equal(await tryLock(other), true));
});

test("a scratch database is recognised by its name and its comment", async () => {
  const prefix = await scratchPrefix(database);
  await withConnection({ connection: database.url }, async (db) => {
    await createScratch(db, `${prefix}one`);
    await createEmpty(db, `${prefix}other`);
    try {
      assert.deepEqual(await listScratch(db, prefix), [`${prefix}one`]);
    } finally {
      await dropScratch(db, `${prefix}one`);
      await dropDatabase(db, `${prefix}other`);
    }
  });
});

test("a database changes its name only as a whole, and what was left is found", async () => {
  await withConnection({ connection: database.url }, async (db) => {
    const name = await currentName(db);
    const made = `${name.slice(0, 40)}_back_0123abcd`;
    await createEmpty(db, made);
    try {
      assert.deepEqual(await listLeft(db, name.slice(0, 40)), [made]);
      const failed = db.inTransaction("read write", async () => {
        await renameDatabase(db, made, `${made}_old`);
        await renameDatabase(db, "no_such_database", made);
      });
      await assert.rejects(failed, /no_such_database/);
      assert.deepEqual(await listLeft(db, name.slice(0, 40)), [made]);
    } finally {
      await dropDatabase(db, made);
    }
    assert.ok((await sessionsOf(db, name)).includes("atelier-test"));
    assert.ok((await countRows(db, "schema_migrations")) >= 68);
  });
});
