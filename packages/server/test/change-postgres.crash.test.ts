// An embedded database of an older major version of PostgreSQL, moved to the one that this program brings, by the real command.
// The older one is Debian's, if it is installed.
import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, renameSync, watch } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { binariesIn, bundledMajor, majorOf } from "../src/foundation/database/index.ts";
import { type Figures, figuresOf, releasedHome, withDatabase } from "./released/released-home.fixture.ts";
import { runAtelier } from "./support/server-process.ts";

const debian = "/usr/lib/postgresql/15/bin";

async function atelier(home: string, words: readonly string[]) {
  const child = runAtelier(words, { ATELIER_HOME: home });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk) => {
      said += chunk;
    });
  const [code] = await once(child, "close");
  return { code, said };
}

const withoutVersion = ({ version: _, ...rest }: Figures) => rest;

test("a data folder of PostgreSQL 15 moves to this program's PostgreSQL, also if it is killed on the way", async (t) => {
  if (!existsSync(join(debian, "postgres"))) return t.skip("PostgreSQL 15 is not installed");
  const { home, remove } = await releasedHome("0.1.0", { binaries: binariesIn(debian, "15") });
  const dataDir = join(home, "postgres");
  try {
    const major = await bundledMajor(dataDir);
    const before = await withDatabase(home, { binaries: binariesIn(debian, "15") }, ({ database }) =>
      figuresOf(database),
    );
    const refused = await atelier(home, ["migrate"]);
    assert.notEqual(refused.code, 0);
    assert.match(
      refused.said,
      /was made by PostgreSQL 15, this program brings PostgreSQL \d+\. Run: atelier upgrade --postgres/,
    );
    const nowhere = await atelier(home, ["upgrade", "--postgres", "--old-postgres", "/nowhere"]);
    assert.equal(nowhere.code, 2);
    assert.match(nowhere.said, /PostgreSQL 15, which made this database, is not in \/nowhere\. Install it \(apt-get/);

    const begun = new Promise<void>((resolve) => {
      const watching = watch(home, (_event, name) => {
        if (!name?.startsWith("postgres.next")) return;
        watching.close();
        resolve();
      });
    });
    const killed = runAtelier(["upgrade", "--postgres"], { ATELIER_HOME: home });
    const ended = once(killed, "close");
    await begun;
    killed.kill("SIGKILL");
    await ended;
    assert.equal(await majorOf(dataDir), "15", "the old folder is still the one in use");

    const moved = await atelier(home, ["upgrade", "--postgres"]);
    assert.equal(moved.code, 0, moved.said);
    assert.match(moved.said, new RegExp(`moved from PostgreSQL 15 to ${major}; every invariant holds`));
    assert.equal(await majorOf(dataDir), major);
    const after = await withDatabase(home, {}, ({ database }) => figuresOf(database));
    assert.equal(after.version, before.version, "migrations are a matter of the next start");
    assert.deepEqual(withoutVersion(after), withoutVersion(before));
    assert.equal(
      readdirSync(home).filter((name) => name.startsWith("postgres-15-")).length,
      1,
      "the old folder is kept",
    );

    // As a kill between the last two renames leaves it.
    renameSync(dataDir, `${dataDir}.ready`);
    const finished = await withDatabase(home, {}, ({ database }) => figuresOf(database));
    assert.deepEqual(finished, after);
    const again = await atelier(home, ["upgrade", "--postgres"]);
    assert.match(again.said, /Nothing to do: the database is of PostgreSQL/);
  } finally {
    remove();
  }
});
