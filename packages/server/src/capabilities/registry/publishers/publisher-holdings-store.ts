// A workspace's publishers outlive it, because others use what they published.

import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
export async function countPublishersOf(db: Queryable, workspaceId: WorkspaceId): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from publishers where workspace_id = ${workspaceId}`);
  return row?.count ?? 0;
}
