// The faults of doctor's list that only a database shows.
import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { newRingText } from "../src/capabilities/secrets/index.ts";
import { type Config, readConfig } from "../src/config.ts";
import { handClock, systemClock } from "../src/foundation/clock.ts";
import { lookAtDatabase, lookAtRing } from "../src/processes/doctor/doctor-database.ts";
import { lookAtSchema } from "../src/processes/doctor/doctor-looks.ts";
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

test("a database that is down is told with host, port and name", async () => {
  const port = await freePort();
  const [found] = await lookAtDatabase(configOf({ DATABASE_URL: `postgres://atelier:hidden@127.0.0.1:${port}/books` }));
  assert.equal(found?.state, "problem");
  assert.match(found?.message ?? "", new RegExp(`\\(127\\.0\\.0\\.1:${port}/books, ECONNREFUSED\\)$`));
  assert.equal(found?.mend, "check DATABASE_URL and that the database server is up");
});

test("a database whose name is wrong is told in words", async () => {
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
    const { findings, isCurrent } = await lookAtSchema({ database: empty, isEmbedded: false });
    assert.equal(isCurrent, false);
    const found = findings.find(({ name }) => name === "migrations");
    assert.match(found?.message ?? "", /^\d+ pending$/);
    assert.deepEqual([found?.state, found?.mend], ["problem", "run: atelier migrate"]);
  } finally {
    await empty.close();
    await rm(none, { recursive: true });
  }
});

test("a clock ten minutes ahead is told in milliseconds, with what goes by it", async () => {
  const ahead = handClock(new Date(systemClock.now().getTime() + 600_000));
  const { findings } = await lookAtSchema({ database, isEmbedded: false }, ahead);
  const found = findings.find(({ name }) => name === "clock");
  assert.deepEqual(
    [found?.state, found?.mend],
    ["warning", "set the clocks (NTP); leases and expiries go by the database's"],
  );
  const [, ms = "0"] = /^(\d+) ms from the database's$/.exec(found?.message ?? "") ?? [];
  assert.ok(Number(ms) > 500_000);
});

test("a key ring that is missing, readable by others or another one is told as that, with its path", async () => {
  const ringFile = join(home, "secrets.json");
  const look = () => lookAtRing(configOf(), { storage: { database } });
  const missing = await look();
  assert.deepEqual([missing.state, missing.message], ["problem", `there is none at ${ringFile}`]);
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
  assert.match(other.mend ?? "", /^restore the right secrets\.json, or: atelier secrets adopt --yes/);
});
