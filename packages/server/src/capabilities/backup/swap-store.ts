// A restored database takes the name of the one that is in use: both renames are one transaction, so at any moment exactly one
// database has the name.
import { identifier, type Queryable, sql } from "../../foundation/database/index.ts";

export async function currentName(db: Queryable): Promise<string> {
  const [row] = await db.query<{ name: string }>(sql`select current_database()::text as name`);
  return row?.name ?? "";
}

export async function createEmpty(db: Queryable, name: string): Promise<void> {
  await db.execute(sql`create database ${identifier(name)} template template0`);
}

export async function dropDatabase(db: Queryable, name: string): Promise<void> {
  await db.execute(sql`drop database if exists ${identifier(name)} with (force)`);
}

export async function renameDatabase(tx: Queryable, from: string, to: string): Promise<void> {
  await tx.execute(sql`alter database ${identifier(from)} rename to ${identifier(to)}`);
}

// Sessions of others, by the names that they give themselves.
export async function sessionsOf(db: Queryable, name: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select distinct coalesce(nullif(application_name, ''), 'unnamed') as name from pg_stat_activity
    where datname = ${name} and pid <> pg_backend_pid() order by 1`);
  return rows.map((row) => row.name);
}

export async function countRows(db: Queryable, table: string): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`select count(*)::text as count from ${identifier(table)}`);
  return Number(row?.count ?? 0);
}

// What a killed process left of a way back.
export async function listLeft(db: Queryable, name: string): Promise<string[]> {
  const prefix = `${name}_back_`;
  const rows = await db.query<{ name: string }>(sql`
    select datname::text as name from pg_database
    where starts_with(datname::text, ${prefix})
      and substr(datname::text, length(${prefix}::text) + 1) ~ '^[0-9a-f]{8}(_old)?$'`);
  return rows.map((row) => row.name);
}
