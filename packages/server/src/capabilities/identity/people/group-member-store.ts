// Memberships that the groups of an identity provider give and take. The workspace's row is locked.
import type { Queryable } from "../../../foundation/database/database.ts";
import { sql } from "../../../foundation/database/sql.ts";
import type { PersonId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Role } from "../principal.ts";

export { countMembers } from "./member-store.ts";

export interface MemberState {
  readonly role: Role;
  readonly isRemoved: boolean;
  readonly isByGroup: boolean;
}

interface MemberLocator {
  readonly workspaceId: WorkspaceId;
  readonly personId: PersonId;
}

// Of removed members, too.
export async function findMemberState(
  db: Queryable,
  workspaceId: WorkspaceId,
  personId: PersonId,
): Promise<MemberState | null> {
  const [row] = await db.query<{ role: Role; is_removed: boolean; by_group: boolean }>(sql`
    select role, removed_at is not null as is_removed, by_group from members
    where workspace_id = ${workspaceId} and person_id = ${personId}`);
  return row === undefined ? null : { role: row.role, isRemoved: row.is_removed, isByGroup: row.by_group };
}

export async function insertGroupMember(
  db: Queryable,
  member: MemberLocator & { role: Role; now: Date },
): Promise<void> {
  await db.execute(sql`
    insert into members (workspace_id, person_id, role, created_at, accepted_at, by_group)
    values (${member.workspaceId}, ${member.personId}, ${member.role}, ${member.now}, ${member.now}, true)
    on conflict (workspace_id, person_id) do update
    set role = excluded.role, created_at = excluded.created_at, removed_at = null, accepted_at = excluded.accepted_at,
      by_group = true`);
}

export async function updateRoleByGroup(db: Queryable, change: MemberLocator & { role: Role }): Promise<void> {
  await db.execute(sql`
    update members set role = ${change.role}, by_group = true
    where workspace_id = ${change.workspaceId} and person_id = ${change.personId} and removed_at is null`);
}

export async function markRemovedByGroup(db: Queryable, removal: MemberLocator & { now: Date }): Promise<void> {
  await db.execute(sql`
    update members set removed_at = ${removal.now}
    where workspace_id = ${removal.workspaceId} and person_id = ${removal.personId} and removed_at is null`);
}
