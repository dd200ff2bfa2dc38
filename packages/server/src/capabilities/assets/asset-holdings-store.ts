// The files of one workspace.
import { sql } from "../../foundation/database/index.ts";
import type { WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { countOldFiles, expireFiles, findOldFiles } from "./old-files-store.ts";

export const assetHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "assets",
      rows: (id, after, count) => sql`
        select id::text as position, id, encode(hash, 'hex') as hash, size, content_type, file_path, tags, job_id,
          created_at, expires_at
        from assets where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
    },
    {
      name: "asset_notes",
      rows: (id, after, count) => sql`
        select asset_id::text as position, asset_id, text, updated_at
        from asset_notes where workspace_id = ${id} and asset_id::text > ${after} order by asset_id::text limit ${count}`,
    },
  ],
  aged: [
    {
      kind: "uploads",
      name: "files",
      count: (db, { workspaceId, before }) => countOldFiles(db, { workspaceId, before, source: "upload", besides: "" }),
      // They expire, and the sweeper removes them with their bytes.
      async remove(tx, { workspaceId, before, now, count }) {
        const old = { workspaceId, before, source: "upload" as const, besides: "" };
        return expireFiles(tx, { workspaceId, now, ids: (await findOldFiles(tx, old, count)).map(({ id }) => id) });
      },
    },
  ],
  // Makes them expire; the sweeper then removes them with their bytes.
  async release(tx, id, now) {
    const assets = await tx.execute(sql`update assets set expires_at = ${now}, tags = '{}' where workspace_id = ${id}`);
    await tx.execute(sql`update asset_uploads set expires_at = least(expires_at, ${now}) where workspace_id = ${id}`);
    await tx.execute(sql`delete from asset_notes where workspace_id = ${id}`);
    await tx.execute(sql`delete from storage_tickets where workspace_id = ${id}`);
    return { assets };
  },
};
