// Reviews of versions and stars of nodes by a person. They stay under the person's id.
import { sql } from "../../../foundation/database/index.ts";
import { erasedName, type PersonHoldings } from "../../../foundation/database/person-holdings.ts";

export const versionPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "node_reviews",
      rows: ({ id }, count) => sql`
        select node_id, star, created_at from node_reviews where reviewer = ${id}
        order by created_at desc limit ${count}`,
    },
    {
      name: "version_decisions",
      rows: ({ id }, count) => sql`
        select version_id, status_before, status_after, reason, moved_at from node_version_moves
        where actor_id = ${id}::text order by moved_at desc limit ${count}`,
    },
  ],
  async erase(tx, { id }) {
    const moves = await tx.execute(sql`
      update node_version_moves set actor_name = ${erasedName} where actor_id = ${id}::text and actor_name is not null`);
    return { version_decisions: moves };
  },
};
