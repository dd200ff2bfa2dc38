// Which workspaces keep bodies, and for how long.
import type { Queryable } from "../../foundation/database/index.ts";
import { fromRow, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { BodyKeeping } from "./request-body.ts";

export interface StoredKeeping extends BodyKeeping {
  readonly updatedAt: Date;
}

export async function findKeeping(db: Queryable, workspaceId: WorkspaceId): Promise<StoredKeeping | null> {
  const [row] = await db.query<RowOf<StoredKeeping>>(sql`
    select is_on, keep_hours, updated_at from request_body_keeping where workspace_id = ${workspaceId}`);
  return row ? fromRow<StoredKeeping>(row) : null;
}

export async function putKeeping(
  tx: Queryable,
  { workspaceId, isOn, keepHours, at }: BodyKeeping & { readonly workspaceId: WorkspaceId; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into request_body_keeping (workspace_id, is_on, keep_hours, updated_at)
    values (${workspaceId}, ${isOn}, ${keepHours}, ${at})
    on conflict (workspace_id) do update
      set is_on = excluded.is_on, keep_hours = excluded.keep_hours, updated_at = excluded.updated_at`);
}

// For all workspaces: those that keep bodies now.
export async function listKeepers(db: Queryable, count: number): Promise<readonly WorkspaceId[]> {
  const rows = await db.query<{ workspace_id: WorkspaceId }>(sql`
    select workspace_id from request_body_keeping where is_on order by workspace_id limit ${count}`);
  return rows.map((row) => row.workspace_id);
}
