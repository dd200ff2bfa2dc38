import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { checkUpgrade } from "../src/capabilities/backup/index.ts";
import { type Config, readConfig } from "../src/config.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { sql } from "../src/foundation/database/index.ts";
import { openStorage } from "../src/foundation/database/opening/open-storage.ts";
import { createLifecycle } from "../src/foundation/lifecycle.ts";
import { silentLog } from "../src/foundation/log.ts";
import { migrationsDirectory, type TestDatabase, testDatabase } from "./support/test-database.ts";

let work: string;
before(async () => {
  work = await mkdtemp(join(tmpdir(), "atelier-check-"));
});
after(() => rm(work, { recursive: true, force: true }));

// A database at that version, asked as an operator's own.
async function check(version: number, change: (database: TestDatabase) => Promise<unknown> = async () => undefined) {
  const migrations = join(work, `migrations-${version}`);
  for (const file of (await readdir(migrationsDirectory)).filter((name) => Number(name.slice(0, 4)) <= version))
    await cp(join(migrationsDirectory, file), join(migrations, file));
  const database = await testDatabase({ migrations });
  const home = join(work, "home");
  const { values: config } = readConfig({
    flags: {},
    env: { ATELIER_HOME: home, DATABASE_URL: database.url },
    file: {},
  });
  const life = createLifecycle({ log: silentLog, clock: systemClock });
  try {
    await change(database);
    const storage = await openStorage({ config: config as Config, life, log: silentLog });
    return await checkUpgrade(storage, config as Config, "0.2.0");
  } finally {
    await life.stop("test");
    await database.close();
  }
}

const textOf = ({ text }: Awaited<ReturnType<typeof check>>): string => String(text);

test("for an own PostgreSQL the check says what to run, and whether processes must stop", async () => {
  const newer = textOf(await check(40));
  assert.match(newer, /The database is at version 40, this program .* 0041_/s);
  assert.match(newer, /Stop: no\. Run atelier migrate while the older version serves/);
  assert.match(newer, /Backup: none by itself with DATABASE_URL/);
  const older = textOf(await check(30));
  assert.match(older, /Stop: yes, because of 0035_one_line_per_call\./);
});

test("a current database has nothing to do, and one that is ahead is refused with words", async () => {
  const latest = (await readdir(migrationsDirectory)).filter((name) => name.endsWith(".sql")).length;
  assert.match(textOf(await check(latest)), /^Nothing to do: the database is at version/);
  const ahead = (database: TestDatabase) =>
    database.execute(sql`insert into schema_migrations (number, name, sha256) values (${latest + 1}, 'later', '')`);
  await assert.rejects(
    check(latest, ahead),
    /this program knows only \d+\. Run the newer program, or restore a backup/,
  );
});
