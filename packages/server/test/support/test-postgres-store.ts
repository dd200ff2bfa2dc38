// Tests' queries about the server as a whole: databases made from a migrated template, and the leftovers of killed runs.
import { identifier, type Queryable, sql } from "../../src/foundation/database/index.ts";

const templateLock = 4_157_318_848;

export async function lockTemplates(admin: Queryable): Promise<void> {
  await admin.query(sql`select pg_advisory_lock(${templateLock}::bigint)`);
}

export async function unlockTemplates(admin: Queryable): Promise<void> {
  await admin.query(sql`select pg_advisory_unlock(${templateLock}::bigint)`);
}

// Oldest first.
export async function databaseNames(admin: Queryable, prefix: string): Promise<string[]> {
  const rows = await admin.query<{ datname: string }>(
    sql`select datname from pg_database where starts_with(datname, ${prefix}) order by oid`,
  );
  return rows.map((row) => row.datname);
}

export async function createDatabase(admin: Queryable, name: string): Promise<void> {
  await admin.execute(sql`create database ${identifier(name)}`);
}

// On a server that does not wait for its disk, copying files is far faster than logging every block (30 against 130 ms).
export async function copyDatabase(admin: Queryable, name: string, template: string): Promise<void> {
  await admin.execute(sql`create database ${identifier(name)} template ${identifier(template)} strategy file_copy`);
}

export async function renameDatabase(admin: Queryable, name: string, newName: string): Promise<void> {
  await admin.execute(sql`alter database ${identifier(name)} rename to ${identifier(newName)}`);
}

export async function dropDatabase(admin: Queryable, name: string): Promise<void> {
  await admin.execute(sql`drop database if exists ${identifier(name)} with (force)`);
}
