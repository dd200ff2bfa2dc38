import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { trustedId } from "../../../foundation/ids.ts";
import type { NodeRowId } from "./stored-node.ts";
export async function nextForStars(
  db: Queryable,
  limit: number,
): Promise<{ id: NodeRowId; folded: string; repository: string }[]> {
  const rows = await db.query<{ id: string; folded: string; repository: string }>(sql`
    select id, node_id_folded as folded, repository from nodes
    where repository is not null and upstream is null and status = 'NodeStatusActive'
    order by stars_read_at nulls first, id limit ${limit}`);
  return rows.map(({ id, folded, repository }) => ({ id: trustedId(id), folded, repository }));
}

// True when the number is another one. Null keeps the number and only notes the look.
export async function putStars(db: Queryable, id: NodeRowId, stars: number | null): Promise<boolean> {
  const changed = await db.execute(sql`
    update nodes set github_stars = ${stars} where id = ${id} and ${stars}::int is not null
      and github_stars is distinct from ${stars}::int`);
  await db.execute(sql`update nodes set stars_read_at = now() where id = ${id}`);
  return changed === 1;
}
