import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

// Checks that the database answers, and returns its version.
export async function serverVersionOf(db: Queryable): Promise<string> {
  const [row] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`);
  return row?.version ?? "unknown";
}

// The difference between our clock and the database's, in milliseconds. The database's clock decides leases and expiries.
export async function clockSkewMs(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  return row ? now.getTime() - row.at.getTime() : 0;
}
