// docs/PRIVACY.md names every table that names people, and no other, and everything that a workspace's retention deletes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { sql } from "../src/foundation/database/index.ts";
import { workspaceHoldings } from "../src/processes/workspace-holdings.ts";
import { type TestDatabase, testDatabase } from "./support/test-database.ts";

let db: TestDatabase;
before(async () => {
  db = await testDatabase();
});
after(() => db.close());

// The names that columns about people have here.
const personal =
  "^(email|address|user_agent|person_id|owner_id|created_by|created_by_id|actor_id|actor_name|reviewer|author|end_user)$";
// Their owner is a process or a deployment and no person.
const others = ["calls.owner_id"];

const page = readFileSync(join(import.meta.dirname, "../../../docs/PRIVACY.md"), "utf8");

test("the page names everything that a workspace's retention deletes, by its kind, and nothing else", () => {
  const aged = workspaceHoldings.flatMap(({ aged: all = [] }) => all.map(({ kind, name }) => `${kind}: ${name}`));
  const named = [...page.matchAll(/^\| (outputs|uploads|history) \| ([^|]+) \|/gm)].map(
    ([, kind, name]) => `${kind}: ${name}`,
  );
  assert.ok(named.length > 4);
  assert.deepEqual(named.toSorted(), aged.toSorted());
});

test("every table with a column about people is on the page, and every table on the page has one", async () => {
  const rows = await db.query<{ table: string; column: string }>(sql`
    select c.table_name as table, c.column_name as column
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE'
      and (c.column_name ~ ${personal} or exists (
        select from information_schema.key_column_usage k
        join information_schema.constraint_column_usage u on u.constraint_name = k.constraint_name
        where k.table_name = c.table_name and k.column_name = c.column_name and u.table_name = 'people'))`);
  const held = rows.filter(({ table, column }) => !others.includes(`${table}.${column}`)).map(({ table }) => table);
  const named = [...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, table]) => table);
  assert.ok(named.length > 15);
  assert.deepEqual(named.toSorted(), [...new Set(held)].toSorted());
});
