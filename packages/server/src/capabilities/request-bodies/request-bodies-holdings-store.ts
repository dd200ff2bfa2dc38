// What a workspace keeps of its requests ends with it. An export names what is kept; the bodies themselves are sealed, and the
// API shows them.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const requestBodyHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "request_body_keeping",
      rows: (id, after, count) => sql`
        select workspace_id::text as position, is_on, keep_hours, updated_at from request_body_keeping
        where workspace_id = ${id} and workspace_id::text > ${after} limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into request_body_keeping (workspace_id, is_on, keep_hours, updated_at)
            select ${workspaceId}::uuid, is_on, keep_hours, updated_at
            from jsonb_to_recordset(${json}::jsonb) as r (is_on boolean, keep_hours int, updated_at timestamptz)`),
      },
    },
    {
      name: "request_bodies",
      rows: (id, after, count) => sql`
        select request_id::text as position, request_id, call_id, at, expires_at, bytes from request_bodies
        where workspace_id = ${id} and request_id::text > ${after} order by request_id::text limit ${count}`,
      restore: "they are sealed by the server that keeps them, and end within hours",
    },
  ],
  async release(tx, id) {
    await tx.execute(sql`delete from request_body_keeping where workspace_id = ${id}`);
    return { request_bodies: await tx.execute(sql`delete from request_bodies where workspace_id = ${id}`) };
  },
};
