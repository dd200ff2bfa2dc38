// PostgreSQL itself counts the users of the embedded server: each of our processes keeps one connection open under a known
// name. The kernel closes it on kill -9, so a dead process is never counted.
import type { Queryable } from "../queryable.ts";
import { identifier, sql } from "../sql.ts";

export const holderName = "atelier-holder";
const leaverName = "atelier-leaver";
const lockKey = 4_157_318_847;

// Waits while another holder decides whether to stop the server: either it sees us, or it stops the server and this connection
// breaks. When this returns, we are counted.
export async function enterAsHolder(db: Queryable): Promise<void> {
  await db.query(sql`select pg_advisory_lock_shared(${lockKey}::bigint)`);
  await db.query(sql`select pg_advisory_unlock_shared(${lockKey}::bigint)`);
}

// Removes us from the count and returns how many others remain. No other process can enter or leave until this connection ends.
// The name changes first, because a closing connection releases its lock a moment before it disappears from the list.
export async function leaveAsHolder(db: Queryable): Promise<number> {
  await db.query(sql`select pg_advisory_lock(${lockKey}::bigint)`);
  await db.query(sql`select set_config('application_name', ${leaverName}, false)`);
  const [row] = await db.query<{ count: number }>(
    sql`select count(*)::int as count from pg_stat_activity where application_name = ${holderName}`,
  );
  return row?.count ?? 0;
}

async function databaseExists(db: Queryable, name: string): Promise<boolean> {
  return (await db.query(sql`select 1 from pg_database where datname = ${name}`)).length > 0;
}

// Another process may have created it in the meantime.
export async function ensureDatabase(db: Queryable, name: string): Promise<void> {
  if (await databaseExists(db, name)) return;
  try {
    await db.execute(sql`create database ${identifier(name)}`);
  } catch (error) {
    if (!(await databaseExists(db, name))) throw error;
  }
}
