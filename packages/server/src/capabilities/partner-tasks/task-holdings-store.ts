// The partner tasks of one workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const taskHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "partner-tasks",
      rows: (id, after, count) => sql`
        select id::text as position, id, partner, operation, state, body, created_at, ended_at
        from partner_tasks where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
  ],
  async countOpen(db, id) {
    const [row] = await db.query<{ tasks: number }>(sql`
      select count(*)::int as tasks from partner_tasks where workspace_id = ${id} and ended_at is null`);
    return { "partner task(s)": row?.tasks ?? 0 };
  },
  async release(tx, id) {
    return {
      tasks: await tx.execute(sql`delete from partner_tasks where workspace_id = ${id} and ended_at is not null`),
    };
  },
};
