// A workspace's deployments. An operator removes them; they are never deleted along with the workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const deploymentHoldings: WorkspaceHoldings = {
  async countOpen(db, id) {
    const [row] = await db.query<{ deployments: number }>(sql`
      select count(*)::int as deployments from deployments where workspace_id = ${id}`);
    return { "deployment(s)": row?.deployments ?? 0 };
  },
};
