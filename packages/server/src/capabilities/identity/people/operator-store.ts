// People who run the installation. Not limited to a workspace on purpose: an operator belongs to none.
import type { RoleOnInstallation } from "@atelier/contract";
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { PersonId } from "../../../foundation/ids.ts";
import { personColumns } from "./member-store.ts";
import type { KnownPerson } from "./person.ts";

const knownColumns = sql`${personColumns},
  case when person.is_operator then 'operator' when person.is_auditor then 'auditor' end as role`;

export async function findKnownPerson(db: Queryable, personId: PersonId): Promise<KnownPerson | null> {
  const [row] = await db.query<RowOf<KnownPerson>>(sql`
    select ${knownColumns} from people as person where person.id = ${personId}`);
  return row === undefined ? null : fromRow<KnownPerson>(row);
}

export async function lockKnownPerson(tx: Queryable, personId: PersonId): Promise<KnownPerson | null> {
  const [row] = await tx.query<RowOf<KnownPerson>>(sql`
    select ${knownColumns} from people as person where person.id = ${personId} for update`);
  return row === undefined ? null : fromRow<KnownPerson>(row);
}

export interface PeoplePage {
  readonly after: PersonId | null;
  readonly count: number;
  readonly operatorsOnly: boolean;
  // Auditors beside the operators.
  readonly withAuditors?: boolean;
}

// Oldest first.
export async function listPeople(db: Queryable, page: PeoplePage): Promise<KnownPerson[]> {
  const rows = await db.query<RowOf<KnownPerson>>(sql`
    select ${knownColumns} from people as person
    where (${page.after}::uuid is null or person.id > ${page.after}::uuid)
      and (person.is_operator or (person.is_auditor and ${page.withAuditors ?? false}) or not ${page.operatorsOnly})
    order by person.id limit ${page.count}`);
  return rows.map(fromRow<KnownPerson>);
}

export async function setInstallationRole(
  tx: Queryable,
  { personId, role }: { personId: PersonId; role: RoleOnInstallation | null },
): Promise<void> {
  await tx.execute(sql`
    update people set is_operator = ${role === "operator"}, is_auditor = ${role === "auditor"} where id = ${personId}`);
}
