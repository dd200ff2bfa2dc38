// What backup and restore ask of PostgreSQL's catalog. Everything here works for the owner of the database; nothing needs
// a superuser.
import { identifier, joinSql, type Queryable, type Statement, sql, sqlText } from "../../foundation/database/index.ts";

export interface TableShape {
  readonly name: string;
  readonly columns: readonly string[];
}

// Tables with their stored columns; generated columns are recomputed. A partitioned table counts as one. Leaves out
// unlogged tables, which a crash may empty at any time, and those whose comment begins with "not in backups".
export async function listTables(db: Queryable): Promise<TableShape[]> {
  return db.query<TableShape>(sql`
    select class.relname::text as name, array_agg(attribute.attname::text order by attribute.attnum) as columns
    from pg_class as class
    join pg_attribute as attribute on attribute.attrelid = class.oid
    where class.relnamespace = current_schema()::regnamespace and class.relkind in ('r', 'p')
      and not class.relispartition and class.relname <> 'schema_migrations' and class.relpersistence <> 'u'
      and coalesce(obj_description(class.oid, 'pg_class'), '') not like 'not in backups%'
      and attribute.attnum > 0 and not attribute.attisdropped and attribute.attgenerated = ''
    group by class.oid, class.relname order by class.relname`);
}

export interface SequenceState {
  readonly name: string;
  readonly value: string;
  readonly used: boolean;
}

// Sequences are not part of a snapshot. Read after it was taken, they are never behind its rows.
export async function listSequences(db: Queryable): Promise<SequenceState[]> {
  return db.query<SequenceState>(sql`
    select sequencename::text as name, coalesce(last_value, start_value)::text as value, last_value is not null as used
    from pg_sequences where schemaname = current_schema() order by sequencename`);
}

export async function setSequence(db: Queryable, sequence: SequenceState): Promise<void> {
  await db.query(sql`
    select setval(format('%I', ${sequence.name}::text)::regclass, ${sequence.value}::bigint, ${sequence.used}::boolean)`);
}

export async function snapshotTime(db: Queryable): Promise<Date> {
  const [row] = await db.query<{ at: Date }>(sql`select now() as at`);
  return row?.at ?? new Date(Number.NaN);
}

// Uses a query, because a partitioned table cannot be copied by name.
export function copyOutStatement(table: TableShape): Statement {
  return sql`copy (select ${columnList(table)} from ${identifier(table.name)}) to stdout`;
}

export function copyInStatement(table: TableShape): Statement {
  return sql`copy ${identifier(table.name)} (${columnList(table)}) from stdin`;
}

function columnList(table: TableShape): Statement {
  return joinSql(table.columns.map(identifier), sql`, `);
}

// Tables with rows that no migration wrote: a migration's rows have the same transaction number as its record.
export async function tablesInUse(db: Queryable): Promise<string[]> {
  const leaves = await db.query<{ name: string }>(sql`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
    order by relname`);
  const used: string[] = [];
  for (const { name } of leaves) {
    const found = await db.query(sql`
      select 1 from ${identifier(name)} as line
      where line.xmin::text not in (select record.xmin::text from schema_migrations as record) limit 1`);
    if (found.length > 0) used.push(name);
  }
  return used;
}

export async function hasMigrations(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ present: boolean }>(
    sql`select to_regclass('schema_migrations') is not null as present`,
  );
  return row?.present ?? false;
}

// Deletes rows that migrations inserted, because the backup has them too.
export async function deleteSeeds(db: Queryable, table: TableShape): Promise<void> {
  const found = await db.query(sql`select 1 from ${identifier(table.name)} limit 1`);
  if (found.length > 0) await db.execute(sql`delete from ${identifier(table.name)}`);
}

export interface ForeignKey {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

export async function listForeignKeys(db: Queryable): Promise<ForeignKey[]> {
  return db.query<ForeignKey>(sql`
    select class.relname::text as table, foreign_key.conname::text as name,
      pg_get_constraintdef(foreign_key.oid) as definition
    from pg_constraint as foreign_key
    join pg_class as class on class.oid = foreign_key.conrelid
    where foreign_key.contype = 'f' and foreign_key.conparentid = 0
      and class.relnamespace = current_schema()::regnamespace
    order by class.relname, foreign_key.conname`);
}

export async function dropForeignKey(db: Queryable, key: ForeignKey): Promise<void> {
  await db.execute(sql`alter table ${identifier(key.table)} drop constraint ${identifier(key.name)}`);
}

export async function addForeignKey(db: Queryable, key: ForeignKey): Promise<void> {
  await db.execute(sql`
    alter table ${identifier(key.table)} add constraint ${identifier(key.name)} ${sqlText(key.definition)}`);
}

export interface Trigger {
  readonly table: string;
  readonly name: string;
  // PostgreSQL's letters: O ordinary, A always, R replica only, D disabled.
  readonly enabled: string;
}

export async function listTriggers(db: Queryable): Promise<Trigger[]> {
  return db.query<Trigger>(sql`
    select class.relname::text as table, found.tgname::text as name, found.tgenabled::text as enabled
    from pg_trigger as found join pg_class as class on class.oid = found.tgrelid
    where not found.tgisinternal and class.relnamespace = current_schema()::regnamespace and found.tgenabled <> 'D'
    order by class.relname, found.tgname`);
}

export async function disableTrigger(db: Queryable, trigger: Trigger): Promise<void> {
  await db.execute(sql`alter table ${identifier(trigger.table)} disable trigger ${identifier(trigger.name)}`);
}

const enableWords: Readonly<Record<string, Statement>> = {
  O: sql`enable trigger`,
  A: sql`enable always trigger`,
  R: sql`enable replica trigger`,
};

// Restores the previous mode, even if the trigger always fires.
export async function enableTrigger(db: Queryable, trigger: Trigger): Promise<void> {
  const words = enableWords[trigger.enabled] ?? sql`enable trigger`;
  await db.execute(sql`alter table ${identifier(trigger.table)} ${words} ${identifier(trigger.name)}`);
}

export async function analyse(db: Queryable): Promise<void> {
  await db.execute(sql`analyze`);
}

// How many rows break the rule, counted up to 1,000.
export async function countBroken(db: Queryable, rule: Statement): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from (select 1 from (${rule}) as broken limit 1000) as sample`);
  return row?.count ?? 0;
}

export async function databaseBytes(db: Queryable): Promise<number> {
  const [row] = await db.query<{ bytes: string }>(sql`select pg_database_size(current_database())::text as bytes`);
  return Number(row?.bytes ?? 0);
}
