// People who run the installation. Not limited to a workspace on purpose: an operator belongs to none.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { PersonId } from "../../../foundation/ids.ts";
import { personColumns } from "./member-store.ts";
import type { KnownPerson } from "./person.ts";

const knownColumns = sql`${personColumns}, person.is_operator`;

export async function findKnownPerson(db: Queryable, personId: PersonId): Promise<KnownPerson | null> {
  const [row] = await db.query<RowOf<KnownPerson>>(sql`
    select ${knownColumns} from people as person where person.id = ${personId}`);
  return row === undefined ? null : fromRow<KnownPerson>(row);
}

// Oldest first.
export async function listPeople(
  db: Queryable,
  page: { after: PersonId | null; count: number; operatorsOnly: boolean },
): Promise<KnownPerson[]> {
  const rows = await db.query<RowOf<KnownPerson>>(sql`
    select ${knownColumns} from people as person
    where (${page.after}::uuid is null or person.id > ${page.after}::uuid)
      and (person.is_operator or not ${page.operatorsOnly})
    order by person.id limit ${page.count}`);
  return rows.map(fromRow<KnownPerson>);
}

// False if it was so already, or there is no such person.
export async function setOperator(
  db: Queryable,
  change: { personId: PersonId; isOperator: boolean },
): Promise<boolean> {
  const rows = await db.execute(sql`
    update people set is_operator = ${change.isOperator}
    where id = ${change.personId} and is_operator is distinct from ${change.isOperator}`);
  return rows === 1;
}
