import type { Queryable } from "./queryable.ts";
import { sql } from "./sql.ts";

// Whether the database answers at all, and what it is.
export async function serverVersionOf(db: Queryable): Promise<string> {
  const [row] = await db.query<{ version: string }>(sql`select current_setting('server_version') as version`);
  return row?.version ?? "unknown";
}

// Our clock against the database's, in milliseconds: leases and expiries are decided there.
export async function clockSkewMs(db: Queryable, now: Date): Promise<number> {
  const [row] = await db.query<{ at: Date }>(sql`select clock_timestamp() as at`);
  return row ? now.getTime() - row.at.getTime() : 0;
}
