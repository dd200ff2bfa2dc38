// The limits an operator set for one workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const limitHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "limits",
      rows: (id, after, count) => sql`
        select name as position, name, value::text as value, changed_at from limit_overrides
        where workspace_id = ${id} and name > ${after} order by name limit ${count}`,
      restore: "the operator of each server sets them",
    },
  ],
  async release(tx, id) {
    return { limits: await tx.execute(sql`delete from limit_overrides where workspace_id = ${id}`) };
  },
};
