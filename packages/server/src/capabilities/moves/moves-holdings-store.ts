// Where a workspace went says nothing at its new place, so it is not exported. It ends with the workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const moveHoldings: WorkspaceHoldings = {
  async release(tx, id) {
    await tx.execute(sql`delete from workspace_moves where workspace_id = ${id}`);
    return {};
  },
};
