// The files that people keep in the editor are exported and deleted with their workspace.
import { sql } from "../../foundation/database/index.ts";
import type { PersonHoldings } from "../../foundation/database/person-holdings.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";

export const editorFileHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "editor_files",
      rows: (id, after, count) => sql`
        select owner_id::text || ' ' || path as position, owner_id, path, encode(bytes, 'base64') as content_base64,
          revision, created_at, updated_at
        from editor_files where workspace_id = ${id} and owner_id::text || ' ' || path collate "C" > ${after}
        order by owner_id::text || ' ' || path collate "C" limit ${count}`,
      restore: {
        people: ["owner_id"],
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into editor_files (workspace_id, owner_id, path, bytes, revision, created_at, updated_at)
            select ${workspaceId}::uuid, owner_id, path, decode(content_base64, 'base64'), revision, created_at, updated_at
            from jsonb_to_recordset(${json}::jsonb) as r (owner_id uuid, path text, content_base64 text, revision int,
              created_at timestamptz, updated_at timestamptz)`),
      },
    },
  ],
  async release(tx, id) {
    return { editor_files: await tx.execute(sql`delete from editor_files where workspace_id = ${id}`) };
  },
};

// A person's own settings and files in the editor.
export const editorFilePersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "editor_files",
      rows: ({ id }, count) => sql`
        select workspace_id, path, encode(bytes, 'base64') as bytes, updated_at from editor_files
        where owner_id = ${id} order by updated_at desc limit ${count}`,
    },
  ],
  async erase(tx, { id }) {
    return { editor_files: await tx.execute(sql`delete from editor_files where owner_id = ${id}`) };
  },
};
