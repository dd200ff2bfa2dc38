// A workspace's queued model calls, for export and deletion.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const requestHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "model-requests",
      rows: (id, after, count) => sql`
        select id::text as position, id, model, state, webhook_url, error_type, detail, credits_used::text as credits_used,
          created_at, started_at, completed_at
        from model_requests where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
  ],
  async countOpen(db, id) {
    const [row] = await db.query<{ requests: number }>(sql`
      select count(*)::int as requests from model_requests where workspace_id = ${id} and state <> 'completed'`);
    return { "model request(s)": row?.requests ?? 0 };
  },
  async release(tx, id) {
    return {
      requests: await tx.execute(sql`delete from model_requests where workspace_id = ${id} and state = 'completed'`),
    };
  },
};
