import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { migrationsDirectory, type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { startTestPostgres15 } from "../../../test/support/test-postgres-server.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { MigrationRefused, readMigrations } from "./migration-files.ts";
import { recordMigration } from "./migrations-store.ts";
import { sql } from "./sql.ts";

describe("migrations", () => {
  let empty: string;
  let directory: string;
  let db: TestDatabase;

  before(async () => {
    empty = await mkdtemp(join(tmpdir(), "atelier-migrations-"));
  });
  after(() => rm(empty, { recursive: true, force: true }));

  beforeEach(async (context) => {
    directory = await mkdtemp(join(tmpdir(), "atelier-migrations-"));
    const folder = directory;
    const made = await testDatabase({ migrations: empty });
    db = made;
    if ("after" in context) {
      context.after(async () => {
        await made.close();
        await rm(folder, { recursive: true, force: true });
      });
    }
  });

  const file = (name: string, text: string) => writeFile(join(directory, name), text);
  const run = (upTo?: number) => migrate({ connection: db.url, directory, ...(upTo === undefined ? {} : { upTo }) });
  const refused = (sentence: RegExp) => (error: unknown) =>
    error instanceof MigrationRefused && sentence.test(error.message);

  test("are applied once, in order, and later ones when they come", async () => {
    await file("0001_first.sql", "create table a (id int); insert into a values (1);");
    await file("0002_second.sql", "update a set id = id + 1;");
    assert.deepEqual(await pendingMigrations(db, directory), {
      version: 0,
      latest: 2,
      pending: [
        { number: 1, name: "first" },
        { number: 2, name: "second" },
      ],
    });
    assert.deepEqual(await run(1), { applied: [1], version: 1 });
    assert.deepEqual(await run(), { applied: [2], version: 2 });
    assert.deepEqual(await run(), { applied: [], version: 2 });
    await file("0003_third.sql", "update a set id = id * 10;");
    assert.deepEqual((await pendingMigrations(db, directory)).pending, [{ number: 3, name: "third" }]);
    await run();
    assert.deepEqual(await db.query(sql`select id from a`), [{ id: 20 }]);
  });

  test("are applied once when many processes start together", async () => {
    await file("0001_counter.sql", "create table counter (n int); insert into counter values (0);");
    await file("0002_count.sql", "update counter set n = n + 1;");
    const reports = await Promise.all([run(), run(), run(), run()]);
    assert.deepEqual(reports.flatMap((report) => report.applied).sort(), [1, 2]);
    assert.deepEqual(await db.query(sql`select n from counter`), [{ n: 1 }]);
  });

  test("that fail leave nothing of themselves behind, and those before them stay", async () => {
    await file("0001_good.sql", "create table good (id int);");
    await file("0002_bad.sql", "create table half (id int); select 1 / 0;");
    await assert.rejects(run(), refused(/0002_bad failed: division by zero/));
    assert.equal((await pendingMigrations(db, directory)).version, 1);
    assert.deepEqual(await db.query(sql`select to_regclass('half') as half`), [{ half: null }]);
  });

  test("that a killed process still commits are not applied again, and nothing fails", async () => {
    await file("0001_first.sql", "create table a (id int);");
    await run();
    await file("0002_second.sql", "create table b (id int);");
    await file("0003_third.sql", "create table c (id int);");
    const second = (await readMigrations(directory))[1];
    assert.ok(second);
    let racing: ReturnType<typeof run> | undefined;
    await db.transaction(async (tx) => {
      await tx.execute(sql`create table b (id int)`);
      await recordMigration(tx, second);
      racing = run();
      for (let waiting = 0; waiting === 0; )
        waiting = (
          await db.query(
            sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).length;
    });
    assert.deepEqual(await racing, { applied: [3], version: 3 });
  });

  test("may not change after they were applied", async () => {
    await file("0001_first.sql", "create table a (id int);");
    await run();
    await file("0001_first.sql", "create table a (id bigint);");
    await assert.rejects(run(), refused(/0001_first was changed after it was applied/));
    await assert.rejects(pendingMigrations(db, directory), refused(/0001_first/));
  });

  test("of a newer program are left alone by an older one", async () => {
    await file("0001_first.sql", "create table a (id int);");
    await file("0002_newer.sql", "create table b (id int);");
    await run();
    await rm(join(directory, "0002_newer.sql"));
    await assert.rejects(run(), refused(/at version 0002, but this program knows only 0001/));
  });

  test("marked so run outside a transaction", async () => {
    await file("0001_table.sql", "create table a (id int);");
    const text = "-- no-transaction\ndrop index if exists a_id;\ncreate index concurrently a_id on a (id);\n";
    await file("0002_index.sql", text);
    assert.deepEqual(await run(), { applied: [1, 2], version: 2 });
    assert.deepEqual(await db.query(sql`select to_regclass('a_id') is not null as made`), [{ made: true }]);
  });
});

test("the server's own migrations are all applied to a test database", async () => {
  const db = await testDatabase();
  try {
    const state = await pendingMigrations(db, migrationsDirectory);
    assert.deepEqual(state.pending, []);
  } finally {
    await db.close();
  }
});

test("the server's own migrations run on PostgreSQL 15", async (context) => {
  const server = await startTestPostgres15();
  if (!server) return context.skip("no PostgreSQL 15 here");
  try {
    const db = await testDatabase({ adminUrl: server.adminUrl });
    const [row] = await db.query<{ version: string }>(sql`select current_setting('server_version_num') as version`);
    assert.match(row?.version ?? "", /^15/);
    assert.deepEqual((await pendingMigrations(db, migrationsDirectory)).pending, []);
    await db.close();
  } finally {
    await server.stop();
  }
});
