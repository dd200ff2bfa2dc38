// Databases that exist only while a backup is restored into them. Each has a comment, and only one with that comment is ever
// dropped.
import { identifier, type Queryable, sql } from "../../foundation/database/index.ts";

// Names the database that is verified, so installations on one PostgreSQL leave each other's alone.
export async function scratchPrefix(db: Queryable): Promise<string> {
  const [row] = await db.query<{ prefix: string }>(
    sql`select 'atelier_verify_' || left(md5(current_database()), 8) || '_' as prefix`,
  );
  return row?.prefix ?? "";
}

export async function createScratch(db: Queryable, name: string): Promise<void> {
  await db.execute(sql`create database ${identifier(name)} template template0`);
  await db.execute(sql`
    comment on database ${identifier(name)} is 'atelier: a backup is verified here; it may be dropped'`);
}

export async function dropScratch(db: Queryable, name: string): Promise<void> {
  await db.execute(sql`drop database if exists ${identifier(name)} with (force)`);
}

// Left by killed processes.
export async function listScratch(db: Queryable, prefix: string): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select datname::text as name from pg_database
    where starts_with(datname::text, ${prefix})
      and shobj_description(oid, 'pg_database') = 'atelier: a backup is verified here; it may be dropped'`);
  return rows.map(({ name }) => name);
}
