// A workspace's works, for export and deletion. Its provider stays reserved, so that no other workspace gets ids that others call.
import { sql } from "../../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../../foundation/workspace-holdings.ts";
import { releaseHolders } from "../../assets/shared-sql.ts";

export const workHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "works",
      rows: (id, after, count) => sql`
        select v.work_id || ' ' || lpad(v.version::text, 9, '0') as position, w.model_id as id, w.title, w.description,
          w.visibility, w.version as current_version, w.deprecated_at, w.sunset_at, v.version, v.workflow_id,
          v.workflow_version, v.form::json as form, v.needs, v.examples, v.note, v.created_at,
          convert_from(v.graph, 'UTF8') as graph
        from work_versions v join published_works w on w.id = v.work_id and w.workspace_id = v.workspace_id
        where v.workspace_id = ${id} and v.work_id || ' ' || lpad(v.version::text, 9, '0') > ${after}
        order by 1 limit ${count}`,
    },
  ],
  async release(tx, id) {
    const rows = await tx.query<{ id: string }>(
      sql`delete from published_works where workspace_id = ${id} returning id`,
    );
    await releaseHolders(
      tx,
      "work",
      rows.map((row) => row.id),
    );
    await tx.execute(sql`delete from work_versions where workspace_id = ${id}`);
    await tx.execute(sql`delete from work_shares where workspace_id = ${id}`);
    await tx.execute(sql`update work_providers set workspace_id = null where workspace_id = ${id}`);
    return { works: rows.length };
  },
};
