import type { Queryable } from "../database/queryable.ts";
import { sql } from "../database/sql.ts";

// Notifies all listeners. Alone in its transaction, so that no work waits for its lock.
export async function notifyChannel(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`);
}
