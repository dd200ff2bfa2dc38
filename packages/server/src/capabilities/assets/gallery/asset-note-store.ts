// The table asset_notes.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { AssetId } from "../asset.ts";

interface Noted {
  readonly workspaceId: WorkspaceId;
  readonly assetId: AssetId;
}

interface Note {
  readonly text: string;
  readonly updatedAt: Date;
}

export async function findNote(db: Queryable, { workspaceId, assetId }: Noted): Promise<Note | null> {
  const [row] = await db.query<RowOf<Note>>(sql`
    select text, updated_at from asset_notes where asset_id = ${assetId} and workspace_id = ${workspaceId}`);
  return row ? fromRow<Note>(row) : null;
}

// False if the asset has been deleted meanwhile.
export async function putNote(db: Queryable, note: Noted & Note): Promise<boolean> {
  const changed = await db.execute(sql`
    insert into asset_notes (asset_id, workspace_id, text, updated_at)
    select id, workspace_id, ${note.text}, ${note.updatedAt} from assets
    where id = ${note.assetId} and workspace_id = ${note.workspaceId}
    on conflict (asset_id) do update set text = excluded.text, updated_at = excluded.updated_at`);
  return changed > 0;
}

export async function deleteNote(db: Queryable, { workspaceId, assetId }: Noted): Promise<void> {
  await db.execute(sql`delete from asset_notes where asset_id = ${assetId} and workspace_id = ${workspaceId}`);
}
