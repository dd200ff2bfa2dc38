// On a PostgreSQL without pg_trgm, where the migration's other branch is used.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrationsDirectory, type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql, sqlText } from "../../../foundation/database/index.ts";
import { createNodeIn } from "../nodes/change-node.ts";
import { nobody } from "../readers/reader.ts";
import { searchNodes } from "./search-nodes.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
  const migration = readFileSync(join(migrationsDirectory, "0016_registry.sql"), "utf8");
  const other = /else\s+(create function registry_near_words[\s\S]*?\$near\$;)\s+end if/.exec(migration)?.[1];
  assert.ok(other, "the migration has a branch for servers without the extension");
  await database.execute(sql`drop function registry_near_words`);
  await database.execute(sql`drop extension pg_trgm cascade`);
  await database.execute(sqlText(other));
  const now = new Date();
  for (const [id, name] of [
    ["controlnet-aux", "ControlNet Auxiliary"],
    ["other", "Other"],
  ] as const)
    await database.transaction((tx) => createNodeIn(tx, { id, name }, { publisher: null, now }));
});
after(() => database.close());

test("without trigrams several slips in one word are still led to the right one", async () => {
  const filter = { reader: nobody, statuses: ["NodeStatusActive"] } as const;
  for (const text of ["contrlnet auxilary", "cotnrlnet auxilairy", "controlnet"]) {
    const { nodes } = await searchNodes(database, filter, text, { limit: 10, offset: 0 });
    assert.equal(nodes[0]?.nodeId, "controlnet-aux", text);
  }
});
