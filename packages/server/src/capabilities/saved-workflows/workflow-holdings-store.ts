// A workspace's saved workflows, for export and deletion.
import { sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const savedWorkflowHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "workflows",
      rows: (id, after, count) => sql`
        select v.workflow_id || ' ' || lpad(v.version::text, 9, '0') as position, v.workflow_id as id, w.name, w.folder, w.tags,
          w.archived_at, v.version, v.format, v.note, v.restored_from, v.created_at,
          convert_from(v.document, 'UTF8') as document
        from saved_workflow_versions v join saved_workflows w on w.id = v.workflow_id
        where v.workspace_id = ${id} and v.workflow_id || ' ' || lpad(v.version::text, 9, '0') > ${after}
        order by 1 limit ${count}`,
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from saved_workflow_versions where workspace_id = ${id}`);
    return { workflows: await tx.execute(sql`delete from saved_workflows where workspace_id = ${id}`) };
  },
};

// The versions that a person saved. They are the workspace's, and stay under the person's id.
export const savedWorkflowPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "saved_workflow_versions",
      rows: ({ id }, count) => sql`
        select workspace_id, workflow_id, version, note, created_at from saved_workflow_versions
        where created_by_kind = 'person' and created_by_id = ${id} order by created_at desc limit ${count}`,
    },
  ],
};
