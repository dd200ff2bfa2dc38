// Files from before a moment that nothing needs any more: what a workspace's retention deletes.
import { type Queryable, type Statement, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { AssetId, JobId } from "./asset.ts";

export interface OldFiles {
  readonly workspaceId: WorkspaceId;
  readonly before: Date;
  readonly source: "upload" | "output";
  // A kind of holder that does not count.
  readonly besides: string;
}

export async function countOldFiles(db: Queryable, old: OldFiles): Promise<{ things: number; bytes: number }> {
  const [row] = await db.query<{ things: number; bytes: number }>(sql`
    select count(*)::int as things, coalesce(sum(size), 0)::float8 as bytes from assets where ${isOld(old)}`);
  return row ?? { things: 0, bytes: 0 };
}

// The oldest first.
export async function findOldFiles(
  db: Queryable,
  old: OldFiles,
  count: number,
): Promise<readonly { readonly id: AssetId; readonly jobId: JobId | null }[]> {
  const rows = await db.query<{ id: AssetId; job_id: JobId | null }>(sql`
    select id, job_id from assets where ${isOld(old)} order by workspace_id, created_at, id limit ${count}`);
  return rows.map(({ id, job_id: jobId }) => ({ id, jobId }));
}

// Files that are held by now stay.
export function expireFiles(
  tx: Queryable,
  {
    workspaceId,
    ids,
    now,
  }: { readonly workspaceId: WorkspaceId; readonly ids: readonly AssetId[]; readonly now: Date },
): Promise<number> {
  return tx.execute(sql`
    update assets set expires_at = least(${now}::timestamptz, now())
    where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])
      and not exists (select from asset_holds where asset_id = assets.id)`);
}

const isOld = ({ workspaceId, before, source, besides }: OldFiles): Statement => sql`
  workspace_id = ${workspaceId} and created_at < ${before} and (expires_at is null or expires_at > now())
    and ${source === "upload" ? sql`job_id is null` : sql`job_id is not null`}
    and not exists (select from asset_holds h where h.asset_id = assets.id and h.holder_kind <> ${besides})`;
