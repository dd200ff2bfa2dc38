import { fromRow, type Queryable, type RowOf, type Statement, sql } from "../../../foundation/database/index.ts";
import { type PersonId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Role } from "../principal.ts";
import type { Member, Membership, Person } from "./person.ts";

export const personColumns = sql`person.id, person.name, person.email, person.created_at`;

// People as others may see them, for statements of modules that hold people's ids, so that a list with names is one
// statement and not one per name.
export const peopleFacts: Statement = sql`(select id, name, email from people)`;

// Who hears about a workspace's money: its owners and billing people who accepted it and have an address.
export const alertReaders: Statement = sql`(
  select member.workspace_id, member.person_id, person.email
  from members member join people person on person.id = member.person_id
  where member.role in ('owner', 'billing') and member.removed_at is null and member.accepted_at is not null
    and person.email is not null)`;

export interface Vouched {
  readonly issuer: string;
  readonly subject: string;
}

// False if the issuer's person already exists.
export async function insertPerson(db: Queryable, person: Person, vouched: Vouched | null = null): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into people (id, name, email, issuer, subject, created_at)
    values (${person.id}, ${person.name}, ${person.email}, ${vouched?.issuer ?? null}, ${vouched?.subject ?? null},
      ${person.createdAt})
    on conflict (issuer, subject) do nothing`);
  return rows === 1;
}

export async function findPerson(db: Queryable, personId: PersonId): Promise<Person | null> {
  const [row] = await db.query<RowOf<Person>>(sql`
    select ${personColumns} from people as person where person.id = ${personId}`);
  return row === undefined ? null : fromRow<Person>(row);
}

// Not limited to a workspace on purpose: only the operator at the machine asks.
export async function findFirstOwner(db: Queryable): Promise<Person | null> {
  const [row] = await db.query<RowOf<Person>>(sql`
    select ${personColumns}
    from members as member join people as person on person.id = member.person_id
    where member.role = 'owner' and member.removed_at is null
    order by member.workspace_id, member.created_at, member.person_id limit 1`);
  return row === undefined ? null : fromRow<Person>(row);
}

export async function findVouchedPerson(db: Queryable, vouched: Vouched): Promise<PersonId | null> {
  const [row] = await db.query<{ id: string }>(sql`
    select id from people where issuer = ${vouched.issuer} and subject = ${vouched.subject}`);
  return row === undefined ? null : trustedId(row.id);
}

export async function findRole(db: Queryable, workspaceId: WorkspaceId, personId: PersonId): Promise<Role | null> {
  const [row] = await db.query<{ role: Role }>(sql`
    select role from members
    where workspace_id = ${workspaceId} and person_id = ${personId} and removed_at is null`);
  return row?.role ?? null;
}

export async function markSignedIn(db: Queryable, personId: PersonId, now: Date): Promise<void> {
  await db.execute(sql`
    update people set first_signed_in_at = ${now} where id = ${personId} and first_signed_in_at is null`);
}

export async function hasSignedIn(db: Queryable, personId: PersonId): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(sql`
    select first_signed_in_at is not null as has from people where id = ${personId}`);
  return row?.has ?? false;
}

export interface NewMember {
  readonly workspaceId: WorkspaceId;
  readonly personId: PersonId;
  readonly role: Role;
  readonly now: Date;
  // False if the person was not asked.
  readonly isAccepted: boolean;
}

// A removed member comes back with the new role. False if the person is already a member.
export async function insertMember(db: Queryable, member: NewMember): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into members (workspace_id, person_id, role, created_at, accepted_at)
    values (${member.workspaceId}, ${member.personId}, ${member.role}, ${member.now},
      ${member.isAccepted ? member.now : null})
    on conflict (workspace_id, person_id) do update
    set role = excluded.role, created_at = excluded.created_at, removed_at = null, accepted_at = excluded.accepted_at,
      by_group = false
    where members.removed_at is not null`);
  return rows === 1;
}

// An issuer's word does not bring back a member who was removed here; their row is left as it is.
export async function insertVouchedMember(db: Queryable, member: Omit<NewMember, "isAccepted">): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into members (workspace_id, person_id, role, created_at, accepted_at)
    values (${member.workspaceId}, ${member.personId}, ${member.role}, ${member.now}, ${member.now})
    on conflict (workspace_id, person_id) do nothing`);
  return rows === 1;
}

// The person has accepted the workspace.
export async function markAccepted(
  db: Queryable,
  member: { workspaceId: WorkspaceId; personId: PersonId; now: Date },
): Promise<void> {
  await db.execute(sql`
    update members set accepted_at = ${member.now}
    where workspace_id = ${member.workspaceId} and person_id = ${member.personId} and removed_at is null
      and accepted_at is null`);
}

const memberColumns = sql`person.id, member.role, member.created_at as joined_at, person.name,
  case when member.accepted_at is not null then person.email end as email, person.created_at,
  person.first_signed_in_at is not null as has_signed_in`;

export async function listMembers(db: Queryable, workspaceId: WorkspaceId): Promise<Member[]> {
  const rows = await db.query<MemberRow>(sql`
    select ${memberColumns}
    from members as member join people as person on person.id = member.person_id
    where member.workspace_id = ${workspaceId} and member.removed_at is null
    order by member.created_at, member.person_id`);
  return rows.map(toMember);
}

export async function findMember(db: Queryable, workspaceId: WorkspaceId, personId: PersonId): Promise<Member | null> {
  const [row] = await db.query<MemberRow>(sql`
    select ${memberColumns}
    from members as member join people as person on person.id = member.person_id
    where member.workspace_id = ${workspaceId} and member.person_id = ${personId} and member.removed_at is null`);
  return row === undefined ? null : toMember(row);
}

export async function listMemberships(db: Queryable, personId: PersonId): Promise<Membership[]> {
  const rows = await db.query<RowOf<Membership>>(sql`
    select member.workspace_id, workspace.name as workspace_name, workspace.created_at as workspace_created_at, member.role
    from members as member join workspaces as workspace on workspace.id = member.workspace_id
    where member.person_id = ${personId} and member.removed_at is null
    order by member.created_at, member.workspace_id`);
  return rows.map(fromRow<Membership>);
}

export async function countMembers(
  db: Queryable,
  workspaceId: WorkspaceId,
): Promise<{ members: number; owners: number }> {
  const [row] = await db.query<{ members: number; owners: number }>(sql`
    select count(*)::int as members, (count(*) filter (where role = 'owner'))::int as owners
    from members where workspace_id = ${workspaceId} and removed_at is null`);
  return row ?? { members: 0, owners: 0 };
}

export async function updateRole(
  db: Queryable,
  change: { workspaceId: WorkspaceId; personId: PersonId; role: Role },
): Promise<void> {
  await db.execute(sql`
    update members set role = ${change.role}
    where workspace_id = ${change.workspaceId} and person_id = ${change.personId} and removed_at is null`);
}

export async function markRemoved(
  db: Queryable,
  removal: { workspaceId: WorkspaceId; personId: PersonId; now: Date },
): Promise<void> {
  await db.execute(sql`
    update members set removed_at = ${removal.now}, by_group = false
    where workspace_id = ${removal.workspaceId} and person_id = ${removal.personId} and removed_at is null`);
}

type MemberRow = RowOf<Person & Omit<Member, "person">>;

function toMember({ role, joined_at: joinedAt, has_signed_in: hasSignedIn, ...person }: MemberRow): Member {
  return { person: fromRow<Person>(person), role, joinedAt, hasSignedIn };
}
