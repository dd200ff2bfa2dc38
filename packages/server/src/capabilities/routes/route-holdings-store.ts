// A workspace's routes.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const routeHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "routes",
      rows: (id, after, count) => sql`
        select name as position, id, name, definition, version, created_at, updated_at from model_routes
        where workspace_id = ${id} and name > ${after} order by 1 limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into model_routes (id, workspace_id, name, definition, version, created_at, updated_at)
            select id, ${workspaceId}::uuid, name, definition::json::text, version, created_at, updated_at
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, name text, definition text, version int,
              created_at timestamptz, updated_at timestamptz)`),
      },
    },
  ],
  async release(tx, id) {
    return { routes: await tx.execute(sql`delete from model_routes where workspace_id = ${id}`) };
  },
};
