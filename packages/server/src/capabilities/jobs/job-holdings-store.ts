// A workspace's jobs, for export and deletion.
import { sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const jobHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "jobs",
      rows: (id, after, count) => sql`
        select j.id::text as position, j.id, j.state, j.priority, j.metadata, j.metadata_map, j.webhook_url, j.created_at, j.started_at,
          j.finished_at, j.expires_at, j.problem, convert_from(coalesce(g.executed, g.submitted), 'UTF8') as graph
        from jobs j left join job_graphs g on g.job_id = j.id
        where j.workspace_id = ${id} and j.id::text > ${after} order by j.id::text limit ${count}`,
    },
  ],
  async countOpen(db, id) {
    const [row] = await db.query<{ jobs: number }>(sql`
      select count(*)::int as jobs from jobs where workspace_id = ${id} and finished_at is null`);
    return { "job(s)": row?.jobs ?? 0 };
  },
  // Makes them due: the sweeper removes them with everything attached.
  async release(tx, id, now) {
    const jobs = await tx.execute(sql`
      update jobs set expires_at = least(expires_at, ${now}), due_at = ${now}, webhook_url = null, metadata = null,
        metadata_map = null
      where workspace_id = ${id}`);
    await tx.execute(sql`delete from job_pauses where workspace_id = ${id}`);
    return { jobs };
  },
};

// The jobs that a person submitted with their keys. They are the workspace's.
export const jobPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "jobs",
      rows: ({ keyIds }, count) => sql`
        select id, workspace_id, api_key_id, state, created_at, finished_at from jobs
        where api_key_id = any (${keyIds}::uuid[]) order by created_at desc limit ${count}`,
    },
  ],
};
