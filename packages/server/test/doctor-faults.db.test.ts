// The faults on doctor's list that only a database shows.
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { lookAtRing, newRingText } from "../src/capabilities/secrets/index.ts";
import { type Config, readConfig } from "../src/config.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { sql } from "../src/foundation/database/index.ts";
import { migrationsDirectory } from "../src/foundation/database/opening/migrations-directory.ts";
import { handClock } from "../src/foundation/hand-clock.fixture.ts";
import { newId } from "../src/foundation/ids.ts";
import { lookAtInvariants, lookAtSchema } from "../src/foundation/looks/database-looks.ts";
import { lookAtDatabase } from "../src/processes/doctor/doctor-database.ts";
import { allInvariants } from "../src/processes/invariants.ts";
import { freePort } from "./support/free-port.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";

let home: string;
let database: TestDatabase;
before(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-faults-"));
  database = await testDatabase();
});
after(async () => {
  await database.close();
  await rm(home, { recursive: true, force: true });
});

function configOf(env: Record<string, string> = {}): Config {
  const { values, problems } = readConfig({ flags: {}, env: { ATELIER_HOME: home, ...env }, file: {} });
  assert.deepEqual(problems, []);
  return values;
}

test("a database that is down is reported with host, port and name", async () => {
  const port = await freePort();
  const [found] = await lookAtDatabase(configOf({ DATABASE_URL: `postgres://atelier:hidden@127.0.0.1:${port}/books` }));
  assert.equal(found?.state, "problem");
  assert.match(found?.message ?? "", new RegExp(`\\(127\\.0\\.0\\.1:${port}/books, ECONNREFUSED\\)$`));
  assert.equal(found?.mend, "check DATABASE_URL, and that the database server is running");
});

test("a wrong database name is reported in words", async () => {
  const url = database.url.replace(/atelier_test_[^?]+/, "no_such_books");
  const [found] = await lookAtDatabase(configOf({ DATABASE_URL: url }));
  assert.match(found?.message ?? "", /database "no_such_books" does not exist\)$/);
  assert.match(found?.mend ?? "", /^create it \(createdb\)/);
});

test("pending migrations are counted, with the command that applies them", async () => {
  const none = join(home, "no-migrations");
  await mkdir(none);
  const empty = await testDatabase({ migrations: none });
  try {
    const { findings, isCurrent } = await lookAtSchema({ database: empty, isEmbedded: false }, migrationsDirectory);
    assert.equal(isCurrent, false);
    const found = findings.find(({ name }) => name === "migrations");
    assert.match(found?.message ?? "", /^\d+ pending$/);
    assert.deepEqual([found?.state, found?.mend], ["problem", "run: atelier migrate"]);
    const inside = await lookAtDatabase(configOf({ DATABASE_URL: empty.url }));
    const notAsked = inside.find(({ name }) => name === "invariants");
    assert.deepEqual(
      [notAsked?.state, notAsked?.message],
      ["warning", "not checked: migrations are pending"],
      "what was not asked is not silently well",
    );
  } finally {
    await empty.close();
    await rm(none, { recursive: true });
  }
});

test("a broken invariant is a problem, and a long-expired lease gets its own advice", async () => {
  await database.execute(sql`
    insert into job_leases (job_id, attempt, worker_id, pool_id, workspace_id, lease_until)
    values (${newId()}, 1, ${newId()}, ${newId()}, ${newId()}, now() - interval '3 hours')`);
  const found = (await lookAtInvariants(database, allInvariants)).filter(({ state }) => state === "problem");
  const of = (name: string) => found.find(({ message }) => message.startsWith(name));
  assert.equal(found.length, 2);
  assert.equal(of("I16 ")?.message, "I16 no lease is more than a minute past: 1 row(s)");
  assert.match(of("I16 ")?.mend ?? "", /^start a server with the role background/);
  assert.equal(of("I13 ")?.mend, "restore a backup, or report a bug with this line");
  await database.execute(sql`delete from job_leases`);
});

test("a clock ten minutes ahead is reported in milliseconds, with what depends on it", async () => {
  const ahead = handClock(new Date(systemClock.now().getTime() + 600_000));
  const { findings } = await lookAtSchema({ database, isEmbedded: false }, migrationsDirectory, ahead);
  const found = findings.find(({ name }) => name === "clock");
  assert.deepEqual(
    [found?.state, found?.mend],
    ["warning", "synchronize the clocks (NTP); leases and expiries use the database's"],
  );
  const [, ms = "0"] = /^(\d+) ms off the database's clock$/.exec(found?.message ?? "") ?? [];
  assert.ok(Number(ms) > 500_000);
});

test("a key ring that is missing, readable by others or different is reported as such, with its path", async () => {
  const ringFile = join(home, "secrets.json");
  const look = () => lookAtRing(configOf(), database, systemClock);
  const missing = await look();
  assert.deepEqual([missing.state, missing.message], ["problem", `not found at ${ringFile}`]);
  assert.deepEqual(await readdir(home), []);
  await writeFile(ringFile, newRingText(systemClock.now()));
  await chmod(ringFile, 0o644);
  const open = await look();
  assert.equal(open.state, "problem");
  assert.match(open.message, /secrets\.json.*(0?644|others|600)/);
  await chmod(ringFile, 0o600);
  assert.equal((await look()).state, "ok");
  await writeFile(ringFile, newRingText(systemClock.now()));
  const other = await look();
  assert.deepEqual([other.state, /another|not|differ/.test(other.message)], ["problem", true]);
  assert.match(other.mend ?? "", /^restore the matching secrets\.json, or run: atelier secrets adopt --yes/);
});
