import type { Queryable } from "../database/queryable.ts";
import { sql } from "../database/sql.ts";

// Rings the bell of everybody who listens. Alone in its transaction, so that nobody waits for its lock with work in hand.
export async function notifyChannel(db: Queryable, channel: string, payload: string): Promise<void> {
  await db.execute(sql`select pg_notify(${channel}, ${payload})`);
}
