import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MigrationRefused, readMigrations, splitStatements } from "./migration-files.ts";

async function withFiles(files: Record<string, string>, run: (directory: string) => Promise<void>): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), "atelier-migrations-"));
  try {
    for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
    await run(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

test("files come in order of their numbers; other files are not migrations", async () => {
  await withFiles({ "0002_b.sql": "b", "0001_a.sql": "a", "README.md": "" }, async (directory) => {
    const found = await readMigrations(directory);
    assert.deepEqual(
      found.map(({ number, name, text }) => [number, name, text]),
      [
        [1, "a", "a"],
        [2, "b", "b"],
      ],
    );
  });
});

test("a gap, a number that occurs twice and a bad name are refused by name", async () => {
  const refused: [Record<string, string>, RegExp][] = [
    [{ "0001_a.sql": "", "0003_c.sql": "" }, /0002 is missing.*0003_c/],
    [{ "0002_b.sql": "" }, /0001 is missing/],
    [{ "0001_a.sql": "", "0001_b.sql": "" }, /two migrations with number 0001/],
    [{ "1_a.sql": "" }, /1_a\.sql is not named/],
    [{ "0001_A.sql": "" }, /not named/],
  ];
  for (const [files, sentence] of refused) {
    await withFiles(files, async (directory) => {
      await assert.rejects(readMigrations(directory), (error: Error) => {
        assert.ok(error instanceof MigrationRefused);
        assert.match(error.message, sentence);
        return true;
      });
    });
  }
});

test("line ends of another system do not change a file's hash", async () => {
  await withFiles({ "0001_a.sql": "x\ny\n" }, async (unix) => {
    await withFiles({ "0001_a.sql": "x\r\ny\r\n" }, async (windows) => {
      assert.deepEqual(await readMigrations(windows), await readMigrations(unix));
    });
  });
});

test("only a first line of its own puts a file outside a transaction", async () => {
  await withFiles(
    { "0001_a.sql": "-- no-transaction\nx", "0002_b.sql": "x\n-- no-transaction\n" },
    async (directory) => {
      const found = await readMigrations(directory);
      assert.deepEqual(
        found.map((migration) => migration.outsideTransaction),
        [true, false],
      );
    },
  );
});

test("statements outside a transaction end with a semicolon at a line's end", () => {
  assert.deepEqual(
    splitStatements("-- no-transaction\ndrop index if exists a;\ncreate index concurrently a\n  on t (';');\n"),
    ["-- no-transaction\ndrop index if exists a", "create index concurrently a\n  on t (';')"],
  );
  assert.deepEqual(splitStatements("-- nothing here;\n"), []);
});
