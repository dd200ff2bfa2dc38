import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Move } from "./move.ts";

export async function lockMove(tx: Queryable, workspaceId: WorkspaceId): Promise<Move | null> {
  const [row] = await tx.query<RowOf<Move>>(sql`
    select workspace_id, moved_to, began_at, moved_at from workspace_moves
    where workspace_id = ${workspaceId} for update`);
  return row ? fromRow<Move>(row) : null;
}

export async function putMove(tx: Queryable, { workspaceId, movedTo, beganAt, movedAt }: Move): Promise<void> {
  await tx.execute(sql`
    insert into workspace_moves (workspace_id, moved_to, began_at, moved_at)
    values (${workspaceId}, ${movedTo}, ${beganAt}, ${movedAt})
    on conflict (workspace_id) do update set moved_to = excluded.moved_to, moved_at = excluded.moved_at`);
}

export async function deleteMove(tx: Queryable, workspaceId: WorkspaceId): Promise<void> {
  await tx.execute(sql`delete from workspace_moves where workspace_id = ${workspaceId}`);
}

// Not limited to a workspace on purpose: every process knows all of them.
export async function listMoves(db: Queryable): Promise<Move[]> {
  const rows = await db.query<RowOf<Move>>(sql`select workspace_id, moved_to, began_at, moved_at from workspace_moves`);
  return rows.map((row) => fromRow<Move>(row));
}
