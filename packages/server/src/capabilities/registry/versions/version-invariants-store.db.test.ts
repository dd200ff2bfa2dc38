import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type TestDatabase, testDatabase } from "../../../../test/support/test-database.ts";
import { sql } from "../../../foundation/database/index.ts";
import { newId } from "../../../foundation/ids.ts";
import { createNodeIn } from "../nodes/change-node.ts";
import { versionInvariants } from "./version-invariants-store.ts";
import { insertVersion } from "./version-write-store.ts";

let database: TestDatabase;
before(async () => {
  database = await testDatabase();
});
after(() => database.close());

async function broken(): Promise<string[]> {
  const found: string[] = [];
  for (const { name, statement } of versionInvariants) {
    if ((await database.query(statement)).length > 0) found.push(name.slice(0, 3));
  }
  return found;
}

test("planted faults are found", async () => {
  const id = newId<"node-version">();
  const now = new Date();
  const nodeRowId = await createNodeIn(database, { id: "planted", name: "Planted" }, { publisher: null, now });
  const rest = { changelog: null, dependencies: [], tags: [], supportedOs: null, supportedAccelerators: null };
  const fields = { ...rest, supportedAppVersion: null, supportedAppFrontendVersion: null };
  await insertVersion(database, { ...fields, id, nodeRowId, version: "1.0.0", now });
  assert.deepEqual(await broken(), []);
  await database.execute(sql`update nodes set latest_version_id = ${id}`);
  assert.deepEqual(await broken(), ["I61"]);
  await database.execute(sql`update nodes set latest_version_id = null`);
  await database.execute(sql`
    update node_versions set status = 'NodeVersionStatusActive', archive_hash = decode(repeat('ab', 32), 'hex'),
      archive_size = 1, uploaded_at = now()`);
  assert.deepEqual(await broken(), ["I60", "I62", "I63"]);
  await database.execute(sql`
    insert into registry_upstream_archives (version_id, node_id_folded, version, state, hash, size)
    values (${newId()}, 'theirs', '1.0.0', 'kept', decode(repeat('cd', 32), 'hex'), 1)`);
  assert.deepEqual(await broken(), ["I60", "I62", "I63", "I64"]);
});
