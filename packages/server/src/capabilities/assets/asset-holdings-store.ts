// The files of one workspace.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { ExportRow, RestoreBatch, WorkspaceHoldings } from "../../foundation/workspace-holdings.ts";
import { signatureBytes } from "./addresses/signature.ts";
import { decideMediaTypes } from "./media-type.ts";
import { countOldFiles, expireFiles, findOldFiles } from "./old-files-store.ts";
import { assetHolder } from "./store-asset.ts";
import { changeUsage } from "./usage-store.ts";

const fileOf = (row: ExportRow) => ({ name: String(row["id"]), hash: String(row["hash"]) });

// How bytes are served is decided here again, from the bytes: the export's word about that would count in this server's name.
async function restoreAssets(tx: Queryable, batch: RestoreBatch): Promise<number> {
  const { workspaceId, rows, json } = batch;
  const types = await Promise.all(
    rows.map(async (row) => {
      const head = await batch.head(fileOf(row), signatureBytes);
      const path = row["file_path"];
      return decideMediaTypes(String(row["content_type"]), typeof path === "string" ? path : null, head);
    }),
  );
  const restored = await tx.query<{ size: string }>(sql`
    insert into assets (id, workspace_id, hash, size, content_type, served_type, kind, file_path, tags, job_id, created_at,
      expires_at)
    select r.id, ${workspaceId}::uuid, decode(r.hash, 'hex'), r.size, r.content_type, type.served, type.kind, r.file_path, r.tags,
      r.job_id, r.created_at, r.expires_at
    from jsonb_to_recordset(${json}::jsonb) as r (id uuid, hash text, size bigint, content_type text, file_path text,
      tags text[], job_id uuid, created_at timestamptz, expires_at timestamptz)
    join unnest(${rows.map(({ id }) => id)}::uuid[], ${types.map(({ servedType }) => servedType)}::text[],
      ${types.map(({ kind }) => kind)}::text[]) as type (id, served, kind) on type.id = r.id
    returning size`);
  await batch.hold(tx, assetHolder("").kind, rows.map(fileOf));
  const bytes = restored.reduce((sum, { size }) => sum + Number(size), 0);
  await changeUsage(tx, workspaceId, { bytes, assets: restored.length });
  return restored.length;
}

export const assetHoldings: WorkspaceHoldings = {
  exports: [
    {
      name: "assets",
      rowsPerRead: 10_000,
      rows: (id, after, count) => sql`
        select id::text as position, id, encode(hash, 'hex') as hash, size, content_type, file_path, tags, job_id,
          created_at, expires_at
        from assets where workspace_id = ${id} and id::text > ${after} order by id::text limit ${count}`,
      file: fileOf,
      restore: { read: restoreAssets },
    },
    {
      name: "asset_notes",
      rows: (id, after, count) => sql`
        select asset_id::text as position, asset_id, text, updated_at
        from asset_notes where workspace_id = ${id} and asset_id::text > ${after} order by asset_id::text limit ${count}`,
      restore: {
        read: (tx, { workspaceId, json }) =>
          tx.execute(sql`
            insert into asset_notes (asset_id, workspace_id, text, updated_at)
            select r.asset_id, ${workspaceId}::uuid, r.text, r.updated_at
            from jsonb_to_recordset(${json}::jsonb) as r (asset_id uuid, text text, updated_at timestamptz)
            join assets a on a.id = r.asset_id and a.workspace_id = ${workspaceId}`),
      },
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
