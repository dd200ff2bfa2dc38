import { type Queryable, sql } from "../../../foundation/database/index.ts";
import type { NodeRowId } from "../nodes/stored-node.ts";
// Counts a download unless this client was already counted for this node on this day. True if it was counted.
export async function countInstall(
  db: Queryable,
  install: { readonly nodeRowId: NodeRowId; readonly day: string; readonly client: Buffer },
): Promise<boolean> {
  const rows = await db.query(sql`
    with counted as (
      insert into node_installs (node_id, day, client) values (${install.nodeRowId}, ${install.day}, ${install.client})
      on conflict do nothing returning node_id
    )
    update nodes set downloads = downloads + 1 from counted where nodes.id = counted.node_id returning nodes.id`);
  return rows.length > 0;
}

// Deletes past days; we do not keep who was counted.
export async function forgetInstalls(db: Queryable, before: string): Promise<void> {
  await db.execute(sql`delete from node_installs where day < ${before}`);
}
