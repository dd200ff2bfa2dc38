// The limits an operator set for one workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const limitHoldings: WorkspaceHoldings = {
  async release(tx, id) {
    return { limits: await tx.execute(sql`delete from limit_overrides where workspace_id = ${id}`) };
  },
};
