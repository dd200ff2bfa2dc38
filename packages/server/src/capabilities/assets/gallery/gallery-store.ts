// Sums over a workspace's asset records. Expired records do not count, even before they are swept.
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId } from "../asset.ts";

export interface CountedTag {
  readonly tag: string;
  readonly assets: number;
  // The newest asset with this tag.
  readonly coverAssetId: AssetId;
}

export async function listTagsBeginning(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; beginning: string; count: number; now: Date },
): Promise<CountedTag[]> {
  const rows = await db.query<{ tag: string; assets: number; cover: AssetId }>(sql`
    select tag, count(*)::int as assets, (array_agg(id order by created_at desc, id desc))[1] as cover
    from assets, unnest(tags) as tag
    where workspace_id = ${wanted.workspaceId} and tags <> '{}' and starts_with(tag, ${wanted.beginning})
      and (expires_at is null or expires_at > ${wanted.now})
    group by tag order by tag collate "C" limit ${wanted.count}`);
  return rows.map(({ tag, assets, cover }) => ({ tag, assets, coverAssetId: cover }));
}

export async function countExpiring(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; before: Date; countedMax: number; now: Date },
): Promise<{ assets: number; firstAt: Date | null }> {
  const [row] = await db.query<{ assets: number; first_at: Date | null }>(sql`
    select count(*)::int as assets, min(expires_at) as first_at from (
      select expires_at from assets
      where workspace_id = ${wanted.workspaceId} and expires_at > ${wanted.now} and expires_at < ${wanted.before}
      order by expires_at limit ${wanted.countedMax}) as soon`);
  return { assets: row?.assets ?? 0, firstAt: row?.first_at ?? null };
}
