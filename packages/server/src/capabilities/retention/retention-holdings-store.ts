// A workspace's retention leaves and is deleted with it.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const retentionHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "retention",
      rows: (id, after, count) => sql`
        select workspace_id::text as position, outputs_days, uploads_days, history_days, changed_at, applies_at
        from retention_rules where workspace_id = ${id} and workspace_id::text > ${after} limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into retention_rules (workspace_id, outputs_days, uploads_days, history_days, changed_at, applies_at)
            select ${workspaceId}::uuid, outputs_days, uploads_days, history_days, changed_at, applies_at
            from jsonb_to_recordset(${json}::jsonb) as r (outputs_days int, uploads_days int, history_days int,
              changed_at timestamptz, applies_at timestamptz)`),
      },
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from retention_rules where workspace_id = ${id}`);
    return {};
  },
};
