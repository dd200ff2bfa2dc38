import type { Migration } from "./migration-files.ts";
import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

export interface AppliedMigration {
  readonly number: number;
  readonly name: string;
  readonly sha256: string;
}

// Held until the transaction ends, so it works with a pooler that switches connections between transactions. Only we use this
// number. It is part of the text because a statement with parameters would keep its snapshot while the transaction idles, and
// CREATE INDEX CONCURRENTLY would wait for that forever.
export async function lockMigrations(tx: Queryable): Promise<void> {
  await tx.query(sql`select pg_advisory_xact_lock(4157318846)`);
}

export async function ensureMigrationsTable(db: Queryable): Promise<void> {
  await db.execute(sql`
    create table if not exists schema_migrations (
      number integer primary key,
      name text not null,
      sha256 text not null,
      applied_at timestamptz not null default now()
    )`);
}

// Sorted by number. Empty if the database has never been migrated.
export async function appliedMigrations(db: Queryable): Promise<AppliedMigration[]> {
  const [table] = await db.query<{ present: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as present`,
  );
  if (!table?.present) return [];
  return db.query<AppliedMigration>(sql`select number, name, sha256 from schema_migrations order by number`);
}

export async function recordMigration(db: Queryable, migration: Migration): Promise<void> {
  await db.execute(sql`
    insert into schema_migrations (number, name, sha256)
    values (${migration.number}, ${migration.name}, ${migration.sha256})`);
}

// Tables with their indexes, in bytes, as far as they are in the schema of this database.
export async function tableSizes(db: Queryable): Promise<ReadonlyMap<string, number>> {
  const rows = await db.query<{ name: string; bytes: string }>(sql`
    select relname::text as name, pg_total_relation_size(oid)::text as bytes
    from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`);
  return new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
}
