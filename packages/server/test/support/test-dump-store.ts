// Every value of every table of a database as one text, bytes as hex: what a thief of the database would read.
import { type Database, identifier, sql } from "../../src/foundation/database/index.ts";

export async function dumpOf(database: Database): Promise<string> {
  const tables = await database.query<{ name: string }>(
    sql`select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace order by 1`,
  );
  const parts: string[] = [];
  for (const { name } of tables) {
    const rows = await database.query<{ row: unknown }>(sql`select to_jsonb(t) as row from ${identifier(name)} t`);
    parts.push(`${name}\n${rows.map(({ row }) => JSON.stringify(row)).join("\n")}`);
  }
  return parts.join("\n");
}
