// Changes to a publisher's nodes that follow from the publisher: counted before it is deleted, hidden and banned with it.
import type { NodeStatus } from "@atelier/contract";
import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";

// Returns the folded ids of the nodes that changed for readers.
export async function moveNodesOf(
  db: Queryable,
  publisherId: string,
  move: { from: NodeStatus; to: NodeStatus; fromDetail: string | null; toDetail: string | null },
): Promise<string[]> {
  const rows = await db.query<{ node_id_folded: string }>(sql`
    update nodes set status = ${move.to}, status_detail = ${move.toDetail}
    where publisher_id = ${publisherId} and status = ${move.from}
      and (${move.fromDetail}::text is null or status_detail = ${move.fromDetail})
    returning node_id_folded`);
  return rows.map(({ node_id_folded }) => node_id_folded);
}

export async function countNodesOf(db: Queryable, publisherId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from nodes
    where publisher_id = ${publisherId} and status <> 'NodeStatusDeleted'`);
  return row?.count ?? 0;
}

export async function showNodesOf(
  db: Queryable,
  publisherId: string,
  visibleTo: WorkspaceId | null,
): Promise<string[]> {
  const rows = await db.query<{ node_id_folded: string }>(sql`
    update nodes set visible_to = ${visibleTo} where publisher_id = ${publisherId} returning node_id_folded`);
  return rows.map(({ node_id_folded }) => node_id_folded);
}
