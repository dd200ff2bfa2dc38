// The people who act for a publisher, including their e-mail addresses; present-publisher.ts decides who sees those.

import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import type { Id, PersonId } from "../../../foundation/ids.ts";
import { peopleFacts } from "../../identity/shared-sql.ts";
export type MembershipId = Id<"publisher-member">;
export type PublisherRole = "owner" | "member";

export interface StoredMember {
  readonly id: MembershipId;
  readonly publisherId: string;
  readonly role: PublisherRole;
  readonly person: { readonly id: PersonId; readonly name: string; readonly email: string | null };
}

export async function listPublisherMembers(db: Queryable, publisherIds: readonly string[]): Promise<StoredMember[]> {
  if (publisherIds.length === 0) return [];
  const rows = await db.query<RowOf<StoredMember>>(sql`
    select member.id, member.publisher_id, member.role,
      json_build_object('id', person.id, 'name', person.name, 'email', person.email) as person
    from publisher_members as member join ${peopleFacts} as person on person.id = member.person_id
    where member.publisher_id = any(${publisherIds}) order by member.created_at, member.id`);
  return rows.map(fromRow<StoredMember>);
}

export async function findPublisherRole(
  db: Queryable,
  publisherId: string,
  personId: PersonId,
): Promise<PublisherRole | null> {
  const [row] = await db.query<{ role: PublisherRole }>(sql`
    select role from publisher_members where publisher_id = ${publisherId} and person_id = ${personId}`);
  return row?.role ?? null;
}

// False if the person is a member already.
export async function insertPublisherMember(
  db: Queryable,
  member: { id: MembershipId; publisherId: string; personId: PersonId; role: PublisherRole; now: Date },
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into publisher_members (id, publisher_id, person_id, role, created_at)
    values (${member.id}, ${member.publisherId}, ${member.personId}, ${member.role}, ${member.now})
    on conflict (publisher_id, person_id) do nothing`);
  return rows === 1;
}

export async function deletePublisherMember(db: Queryable, publisherId: string, id: MembershipId): Promise<void> {
  await db.execute(sql`delete from publisher_members where publisher_id = ${publisherId} and id = ${id}`);
}
