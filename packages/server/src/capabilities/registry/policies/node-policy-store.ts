// Node classes with a restriction, and who set each.

import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
export type Restriction = "NodePolicyBanned" | "NodePolicyLocalOnly";

export interface RestrictedClass {
  readonly className: string;
  readonly policy: Restriction;
}

export async function listRestricted(db: Queryable): Promise<readonly RestrictedClass[]> {
  const rows = await db.query<RowOf<RestrictedClass>>(sql`select class_name, policy from restricted_node_classes`);
  return rows.map(fromRow<RestrictedClass>);
}

export async function putRestriction(
  db: Queryable,
  restriction: RestrictedClass & { readonly holder: string },
): Promise<void> {
  await db.execute(sql`
    insert into restricted_node_classes (class_name, holder, policy)
    values (${restriction.className}, ${restriction.holder}, ${restriction.policy})
    on conflict (class_name, holder) do update set policy = excluded.policy`);
}

export async function removeRestriction(
  db: Queryable,
  { className, holder }: { readonly className: string; readonly holder: string },
): Promise<void> {
  await db.execute(sql`
    delete from restricted_node_classes where class_name = ${className} and holder = ${holder}`);
}
