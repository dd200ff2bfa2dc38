// The partner tasks of one workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const taskHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "partner-tasks",
      rows: (id, after, count) => sql`
        select id::text as position, id, partner, partner_task_id, operation, state, sequence, echo::text as echo, body, first_body,
          longest_run_seconds, created_at, ended_at
        from partner_tasks where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      // The old server has sent their webhooks. A repeated request is new here, because exports do not contain request fingerprints.
      restore: {
        stays: { why: "tasks that had not ended", test: (row) => row["ended_at"] === null },
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into partner_tasks (id, workspace_id, partner, operation, partner_task_id, state, sequence, echo, body,
              first_body, retry_key, answered_at, shard, longest_run_seconds, created_at, ended_at)
            select id, ${workspaceId}::uuid, partner, operation, partner_task_id, state, sequence, echo::jsonb, body, first_body,
              sha256(convert_to('moved ' || id, 'UTF8')), ended_at, ('x' || right(id::text, 1))::bit(4)::int::smallint,
              longest_run_seconds, created_at, ended_at
            from jsonb_to_recordset(${json}::jsonb) as r (id uuid, partner text, partner_task_id text, operation text, state text,
              sequence int, echo text, body text, first_body text, longest_run_seconds int, created_at timestamptz,
              ended_at timestamptz)`),
      },
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
