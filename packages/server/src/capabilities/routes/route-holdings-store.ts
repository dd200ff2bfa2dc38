// A workspace's routes.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const routeHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "routes",
      rows: (id, after, count) => sql`
        select name as position, name, definition, version, created_at, updated_at from model_routes
        where workspace_id = ${id} and name > ${after} order by 1 limit ${count}`,
    },
  ],
  async release(tx, id) {
    return { routes: await tx.execute(sql`delete from model_routes where workspace_id = ${id}`) };
  },
};
