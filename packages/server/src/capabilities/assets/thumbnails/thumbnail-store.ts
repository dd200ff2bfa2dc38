import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import { bytesOf } from "../asset-store.ts";
import type { ThumbnailSide } from "./thumbnail-side.ts";

export interface ThumbnailLocator {
  readonly workspaceId: WorkspaceId;
  readonly sourceHash: string;
  readonly side: ThumbnailSide;
}

export interface Thumbnail {
  readonly side: ThumbnailSide;
  // Null if no picture can be made.
  readonly hash: string | null;
}

// The blob's holder, one per locator: if two sources have equal thumbnails, each holds the blob.
export function thumbnailHolder({ workspaceId, sourceHash, side }: ThumbnailLocator): string {
  return `${workspaceId}/${sourceHash}/${side}`;
}

export async function findThumbnail(db: Queryable, locator: ThumbnailLocator): Promise<Thumbnail | null> {
  const [row] = await db.query<ThumbnailRow>(sql`
    select side, encode(hash, 'hex') as hash from asset_thumbnails
    where workspace_id = ${locator.workspaceId} and source_hash = ${bytesOf(locator.sourceHash)} and side = ${locator.side}`);
  return row ? toThumbnail(row) : null;
}

// False if another process was faster; its picture stays.
export async function insertThumbnail(
  db: Queryable,
  locator: ThumbnailLocator,
  made: { hash: string | null; now: Date },
): Promise<boolean> {
  const inserted = await db.execute(sql`
    insert into asset_thumbnails (workspace_id, source_hash, side, hash, created_at)
    values (${locator.workspaceId}, ${bytesOf(locator.sourceHash)}, ${locator.side},
      ${made.hash === null ? null : bytesOf(made.hash)}, ${made.now})
    on conflict (workspace_id, source_hash, side) do nothing`);
  return inserted > 0;
}

export async function deleteThumbnails(
  db: Queryable,
  locator: { workspaceId: WorkspaceId; sourceHash: string },
): Promise<Thumbnail[]> {
  const rows = await db.query<ThumbnailRow>(sql`
    delete from asset_thumbnails
    where workspace_id = ${locator.workspaceId} and source_hash = ${bytesOf(locator.sourceHash)}
    returning side, encode(hash, 'hex') as hash`);
  return rows.map(toThumbnail).sort((a, b) => a.side - b.side);
}

interface ThumbnailRow {
  readonly side: number;
  readonly hash: string | null;
}

function toThumbnail(row: ThumbnailRow): Thumbnail {
  return { side: row.side === 128 ? 128 : 512, hash: row.hash };
}
