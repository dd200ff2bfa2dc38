// A person's memberships of publishers, and what they decided about versions. A publisher stays, and so do the decisions.
import { sql } from "../../../foundation/database/index.ts";
import type { PersonHoldings } from "../../../foundation/database/person-holdings.ts";

export const publisherPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "publisher_memberships",
      rows: ({ id }, count) => sql`
        select publisher_id, role, created_at from publisher_members where person_id = ${id}
        order by created_at desc limit ${count}`,
    },
    {
      name: "publishers_made",
      rows: ({ id }, count) => sql`
        select id, name, created_at from publishers where created_by = ${id} order by created_at desc limit ${count}`,
    },
  ],
  async erase(tx, { id }) {
    await tx.execute(sql`update publishers set created_by = null where created_by = ${id}`);
    return { publisher_memberships: await tx.execute(sql`delete from publisher_members where person_id = ${id}`) };
  },
};
