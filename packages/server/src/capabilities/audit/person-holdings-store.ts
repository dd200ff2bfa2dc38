// Entries by or about a person. They stay; of an erased person they show no name and no address.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { ErasedPerson, PersonHoldings } from "../../foundation/database/person-holdings.ts";

export const auditPersonHoldings: PersonHoldings = {
  exports: [
    {
      name: "audit",
      rows: ({ id }, count) => sql`
        select id, at, actor_kind, actor_id, action, subject_kind, subject_id, workspace_id, before, after, request_id
        from audit_entries
        where (actor_kind = 'person' and actor_id = ${id}::text) or (subject_kind = 'person' and subject_id = ${id}::text)
        order by at desc, id desc limit ${count}`,
    },
  ],
  async erase(tx, person) {
    return { audit_entries: await eraseFromEntries(tx, person) };
  },
};

async function eraseFromEntries(tx: Queryable, { id, keyIds, name, email }: ErasedPerson): Promise<number> {
  const [row] = await tx.query<{ entries: number }>(sql`
    select erase_person_from_audit(${id}::uuid, ${keyIds}::uuid[], ${name}::text, ${email}::text) as entries`);
  return row?.entries ?? 0;
}
