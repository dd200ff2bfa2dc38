// Roles from the groups that an identity provider names at each sign-in. For what the rules speak of, the groups decide: a group
// gives its role, and when the group is gone, the next sign-in takes the role away. What an owner decided by hand beside the rules
// stays: a member they removed stays out, and the last owner of a workspace is never removed or demoted.
import { type AnyRole, installationRoles, type RoleInWorkspace, type RoleOnInstallation } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/database.ts";
import type { PersonId, WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { lowerKeyRoles, revokeKeysOf } from "../key-store.ts";
import {
  countMembers,
  findMemberState,
  insertGroupMember,
  type MemberState,
  markRemovedByGroup,
  updateRoleByGroup,
} from "../people/group-member-store.ts";
import { storeInstallationRole } from "../people/installation-role.ts";
import { findKnownPerson } from "../people/operator-store.ts";

import { lockWorkspace } from "../workspace-store.ts";

export interface GroupRule {
  readonly group: string;
  readonly role: AnyRole;
  // For a role in a workspace. Null: the one that people join first.
  readonly workspaceId: WorkspaceId | null;
}

export interface GroupRoles {
  readonly rules: readonly GroupRule[];
  // The person's, now.
  readonly groups: readonly string[];
}

interface Applied {
  readonly personId: PersonId;
  readonly roles: GroupRoles;
  readonly firstWorkspaceId: WorkspaceId | null;
  readonly by: Acting;
}

// If several groups match, the first of these counts.
const byReach: readonly RoleInWorkspace[] = ["owner", "member", "billing", "viewer"];

export function decidesMembership({ rules }: GroupRoles): boolean {
  return rules.some(({ role }) => isInWorkspace(role));
}

// Returns the workspaces where the person's authority changed.
export async function applyGroupRoles(tx: Queryable, deps: ChangeDeps, applied: Applied): Promise<WorkspaceId[]> {
  await applyToInstallation(tx, deps, applied);
  const changed: WorkspaceId[] = [];
  for (const [workspaceId, wanted] of wantedByWorkspace(applied)) {
    if ((await lockWorkspace(tx, workspaceId)) === null) continue;
    if (await applyToWorkspace(tx, deps, { ...applied, workspaceId, wanted })) changed.push(workspaceId);
  }
  return changed;
}

async function applyToInstallation(
  tx: Queryable,
  { audit }: ChangeDeps,
  { personId, roles, by }: Applied,
): Promise<void> {
  const rules = roles.rules.filter(({ role }) => isOnInstallation(role));
  if (rules.length === 0) return;
  const matched = rules.filter(({ group }) => roles.groups.includes(group)).map(({ role }) => role);
  const role = matched.includes("operator") ? "operator" : matched.includes("auditor") ? "auditor" : null;
  const before = await findKnownPerson(tx, personId);
  // A role that no rule speaks of was given by hand.
  const isOurs = before?.role == null || rules.some((rule) => rule.role === before.role);
  if (role !== null || isOurs) await storeInstallationRole(tx, audit, { personId, role }, by);
}

function wantedByWorkspace({ roles, firstWorkspaceId }: Applied): Map<WorkspaceId, RoleInWorkspace | null> {
  const wanted = new Map<WorkspaceId, RoleInWorkspace | null>();
  for (const { group, role, workspaceId } of roles.rules) {
    const id = workspaceId ?? firstWorkspaceId;
    if (id === null || !isInWorkspace(role)) continue;
    const before = wanted.get(id) ?? null;
    wanted.set(id, roles.groups.includes(group) ? further(before, role) : before);
  }
  return wanted;
}

function further(one: RoleInWorkspace | null, other: RoleInWorkspace): RoleInWorkspace {
  return byReach.find((role) => role === one || role === other) ?? other;
}

interface InWorkspace extends Applied {
  readonly workspaceId: WorkspaceId;
  readonly wanted: RoleInWorkspace | null;
}

async function applyToWorkspace(tx: Queryable, deps: ChangeDeps, one: InWorkspace): Promise<boolean> {
  const { workspaceId, personId, wanted } = one;
  const before = await findMemberState(tx, workspaceId, personId);
  const isMember = before !== null && !before.isRemoved;
  if (wanted === null) return isMember && before.isByGroup && (await removeMember(tx, deps, one, before));
  if (!isMember) return before !== null && !before.isByGroup ? false : addMember(tx, deps, one, wanted);
  if (before.role === wanted) return false;
  if (before.role === "owner" && (await isLastOwner(tx, workspaceId))) return false;
  await updateRoleByGroup(tx, { workspaceId, personId, role: wanted });
  const loweredKeys = await lowerKeyRoles(tx, { workspaceId, holderId: personId, role: wanted });
  const after = { role: wanted, lowered_keys: loweredKeys };
  await note(tx, deps, one, { action: "member.update", before: { role: before.role }, after });
  return true;
}

async function addMember(tx: Queryable, deps: ChangeDeps, one: InWorkspace, role: RoleInWorkspace): Promise<true> {
  const { workspaceId, personId } = one;
  await insertGroupMember(tx, { workspaceId, personId, role, now: deps.clock.now() });
  await note(tx, deps, one, { action: "member.add", after: { role } });
  return true;
}

async function removeMember(tx: Queryable, deps: ChangeDeps, one: InWorkspace, before: MemberState): Promise<boolean> {
  const { workspaceId, personId } = one;
  if (before.role === "owner" && (await isLastOwner(tx, workspaceId))) return false;
  const now = deps.clock.now();
  await markRemovedByGroup(tx, { workspaceId, personId, now });
  const revoked = await revokeKeysOf(tx, { workspaceId, personId, now });
  await note(tx, deps, one, {
    action: "member.remove",
    before: { role: before.role },
    after: { revoked_keys: revoked },
  });
  return true;
}

async function isLastOwner(tx: Queryable, workspaceId: WorkspaceId): Promise<boolean> {
  return (await countMembers(tx, workspaceId)).owners < 2;
}

async function note(
  tx: Queryable,
  { audit }: ChangeDeps,
  { personId, workspaceId, by }: InWorkspace,
  change: { action: string; before?: unknown; after?: unknown },
): Promise<void> {
  await audit.append(tx, { ...by, ...change, subject: { kind: "person", id: personId }, workspaceId });
}

function isOnInstallation(role: AnyRole): role is RoleOnInstallation {
  return installationRoles.some((one) => one === role);
}

function isInWorkspace(role: AnyRole): role is RoleInWorkspace {
  return !isOnInstallation(role);
}
