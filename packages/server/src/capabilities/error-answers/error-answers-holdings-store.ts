// The errors a workspace was answered are deleted with it.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const errorAnswerHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "error_answers",
      rows: (id, after, count) => sql`
        select request_id::text as position, request_id, at, api_key_id, method, path, status, code, message, fields
        from error_answers where workspace_id = ${id} and request_id::text > ${after}
        order by request_id::text limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into error_answers (workspace_id, request_id, at, api_key_id, method, path, status, code, message, fields)
            select ${workspaceId}::uuid, request_id, at, api_key_id, method, path, status, code, message, fields
            from jsonb_to_recordset(${json}::jsonb) as r (request_id uuid, at timestamptz, api_key_id uuid, method text,
              path text, status int, code text, message text, fields jsonb)`),
      },
    },
  ],
  aged: [
    {
      kind: "history",
      name: "errors",
      async count(db, { workspaceId, before }) {
        const [row] = await db.query<{ things: number }>(sql`
          select count(*)::int as things from error_answers where workspace_id = ${workspaceId} and at < ${before}`);
        return { things: row?.things ?? 0, bytes: 0 };
      },
      remove: (tx, { workspaceId, before, count }) =>
        tx.execute(sql`
          delete from error_answers where ctid = any(array(
            select ctid from error_answers where workspace_id = ${workspaceId} and at < ${before} limit ${count}))`),
    },
  ],
  async release(tx, id) {
    return { error_answers: await tx.execute(sql`delete from error_answers where workspace_id = ${id}`) };
  },
};
