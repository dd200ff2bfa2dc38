// Loopback receivers opened for development.
import type { Queryable } from "../../foundation/database/database.ts";
import { sql } from "../../foundation/database/sql.ts";

export async function listTargets(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ target: string }>(sql`select target from webhook_targets order by target`);
  return rows.map(({ target }) => target);
}

export async function replaceTargets(db: Queryable, targets: readonly string[], at: Date): Promise<void> {
  await db.query(sql`delete from webhook_targets where target <> all (${targets}::text[])`);
  await db.query(sql`
    insert into webhook_targets (target, opened_at)
    select target, ${at} from unnest(${targets}::text[]) as g (target)
    on conflict do nothing`);
}
