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
      restore: {
        stays: { why: "model calls that had not completed", test: ({ state }) => state !== "completed" },
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into model_requests (id, workspace_id, model, state, is_costly, hold, credits_used, longest_run_seconds,
              created_at, started_at, completed_at, error_type, detail)
            select id, ${workspaceId}::uuid, model, state, false, coalesce(credits_used, 0), credits_used, 1, created_at,
              started_at, completed_at, error_type, detail
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, model text, state text, credits_used bigint,
              created_at timestamptz, started_at timestamptz, completed_at timestamptz, error_type text, detail jsonb)`),
      },
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
