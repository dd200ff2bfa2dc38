// The webhooks bench's database queries.
import type { Queryable } from "../packages/server/src/foundation/database/index.ts";
import { sql } from "../packages/server/src/foundation/database/sql.ts";
import type { WorkspaceId } from "../packages/server/src/foundation/ids.ts";

export async function countTaken(db: Queryable, workspaces: readonly WorkspaceId[]): Promise<number> {
  const [row] = await db.query<{ count: string }>(sql`
    select (select count(*) from webhook_deliveries where workspace_id = any(${workspaces}::uuid[]))
         - (select count(*) from webhook_queue where workspace_id = any(${workspaces}::uuid[])) as count`);
  return Number(row?.count ?? 0);
}
