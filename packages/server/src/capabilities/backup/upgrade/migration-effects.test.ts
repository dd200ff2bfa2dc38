import assert from "node:assert/strict";
import { test } from "node:test";
import { readMigrations } from "../../../foundation/database/index.ts";
import { migrationsDirectory } from "../../../foundation/database/opening/migrations-directory.ts";
import { inShort, migrationEffect } from "./migration-effects.ts";

const MiB = 1024 ** 2;
const bytesOf = new Map([
  ["calls", 500 * MiB],
  ["jobs", 50 * MiB],
]);
const effectOf = (text: string) => migrationEffect({ number: 7, name: "x", text }, bytesOf);

test("a statement over a whole table takes as long as the table is large", () => {
  const seconds = (text: string) => Math.round(effectOf(text).seconds);
  assert.equal(seconds("create table calls_of_jobs (id uuid);"), 0);
  assert.equal(seconds("alter table calls add column note text not null default '';"), 0);
  assert.equal(seconds("create unique index concurrently if not exists calls_by_note on calls (note);"), 20);
  assert.equal(seconds("update jobs set note = '';\ndelete from calls where note = '';"), 22);
  assert.equal(seconds("alter table calls alter column note set not null;"), 20);
  assert.equal(seconds("-- update calls set nothing\nselect 1;"), 0, "a comment does nothing");
});

test("every migration that ships says in its first comment what it brings", async () => {
  for (const migration of await readMigrations(migrationsDirectory)) {
    const { brings, needsStop } = migrationEffect(migration, bytesOf);
    assert.ok(brings.length > 10, `${migration.number}_${migration.name}`);
    assert.ok(inShort(brings).length <= 90);
    assert.equal(needsStop, migration.number === 35, migration.name);
  }
});

test("a migration that says so needs a stop", () => {
  assert.equal(effectOf("-- no-transaction\n-- New books. It needs a stop of all servers.\nselect 1;").needsStop, true);
});
