// What the books say about the jobs of a test.
import { type Queryable, sql } from "../../src/foundation/database/index.ts";

export async function openCount(db: Queryable): Promise<number> {
  const [row] = await db.query<{ open: string }>(sql`
    select count(*) as open from jobs where state in ('queued', 'running', 'canceling')`);
  return Number(row?.open ?? 0);
}
