// Who is in a workspace, and in which role. Every change locks the workspace's row, so that two owners who demote each
// other at the same moment cannot leave it without one. Removing a person also revokes their keys, unless the remover
// keeps them.
import type { Queryable } from "../../../foundation/database/database.ts";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { type KeyId, newId, type PersonId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { lowerKeyRoles, revokeKeysOf } from "../key-store.ts";
import { noSuchWorkspace } from "../keys.ts";
import { readEmail, requireName } from "../names.ts";
import type { Role } from "../principal.ts";
import { lockWorkspace } from "../workspace-store.ts";
import {
  countMembers,
  findMember,
  findPerson,
  hasSignedIn as hasSignedInBefore,
  insertMember,
  listMembers,
  markRemoved,
  updateRole,
} from "./member-store.ts";
import type { Member, Person } from "./person.ts";
import { storePerson } from "./workspaces.ts";

export interface MembersDeps extends ChangeDeps {
  readonly membersMax: number;
  // Called once a person's authority in the workspace changed, so that this process forgets what it had cached.
  authorityChanged(workspaceId: WorkspaceId): Promise<void>;
}

export type MemberRequest =
  | { readonly personId: PersonId; readonly role: Role }
  | { readonly name: string; readonly email: string | null; readonly role: Role };

export interface Members {
  list(workspaceId: WorkspaceId): Promise<Member[]>;
  // `isNewPerson` tells the caller to create a sign-in link, because no one else can.
  add(workspaceId: WorkspaceId, request: MemberRequest, by: Acting): Promise<{ member: Member; isNewPerson: boolean }>;
  changeRole(workspaceId: WorkspaceId, change: { personId: PersonId; role: Role }, by: Acting): Promise<Member>;
  remove(
    workspaceId: WorkspaceId,
    removal: { personId: PersonId; keepKeys: boolean },
    by: Acting,
  ): Promise<{ revokedKeys: KeyId[] }>;
}

export function createMembers(deps: MembersDeps): Members {
  return {
    list: (workspaceId) => listMembers(deps.db, workspaceId),
    add: (workspaceId, request, by) => addMember(deps, workspaceId, request, by),
    changeRole: (workspaceId, change, by) => updateMember(deps, workspaceId, change, by),
    remove: (workspaceId, removal, by) => removeMember(deps, workspaceId, removal, by),
  };
}

async function addMember(deps: MembersDeps, workspaceId: WorkspaceId, request: MemberRequest, by: Acting) {
  const now = deps.clock.now();
  const added = await deps.db.transaction(async (tx) => {
    if ((await lockWorkspace(tx, workspaceId)) === null) throw noSuchWorkspace();
    if ((await countMembers(tx, workspaceId)).members >= deps.membersMax) {
      throw new Fault("quota_exceeded", `A workspace can have at most ${deps.membersMax} members.`);
    }
    const person = "personId" in request ? await requirePerson(tx, request.personId) : newPerson(request, now);
    if (!("personId" in request)) await storePerson(tx, deps.audit, person, by);
    const isAccepted = !("personId" in request);
    if (!(await insertMember(tx, { workspaceId, personId: person.id, role: request.role, now, isAccepted }))) {
      throw new Fault("conflict", "This person is already a member.");
    }
    await deps.audit.append(tx, {
      ...by,
      action: "member.add",
      subject: { kind: "person", id: person.id },
      workspaceId,
      after: { role: request.role },
    });
    // Knowing a person's id must not reveal their address.
    const shown = isAccepted ? person : { ...person, email: null };
    const hasSignedIn = !isAccepted && (await hasSignedInBefore(tx, person.id));
    return { member: { person: shown, role: request.role, joinedAt: now, hasSignedIn }, isNewPerson: isAccepted };
  });
  await deps.authorityChanged(workspaceId);
  return added;
}

async function updateMember(
  deps: MembersDeps,
  workspaceId: WorkspaceId,
  change: { personId: PersonId; role: Role },
  by: Acting,
): Promise<Member> {
  const member = await deps.db.transaction(async (tx) => {
    const before = await requireMember(tx, workspaceId, change.personId);
    if (before.role === change.role) return before;
    if (before.role === "owner") await requireAnotherOwner(tx, workspaceId);
    await updateRole(tx, { workspaceId, ...change });
    const loweredKeys = await lowerKeyRoles(tx, { workspaceId, holderId: change.personId, role: change.role });
    await deps.audit.append(tx, {
      ...by,
      action: "member.update",
      subject: { kind: "person", id: change.personId },
      workspaceId,
      before: { role: before.role },
      after: { role: change.role, lowered_keys: loweredKeys },
    });
    return { ...before, role: change.role };
  });
  await deps.authorityChanged(workspaceId);
  return member;
}

async function removeMember(
  deps: MembersDeps,
  workspaceId: WorkspaceId,
  removal: { personId: PersonId; keepKeys: boolean },
  by: Acting,
): Promise<{ revokedKeys: KeyId[] }> {
  const { personId, keepKeys } = removal;
  const now = deps.clock.now();
  const revokedKeys = await deps.db.transaction(async (tx) => {
    const before = await requireMember(tx, workspaceId, personId);
    if (before.role === "owner") await requireAnotherOwner(tx, workspaceId);
    await markRemoved(tx, { workspaceId, personId, now });
    const revoked = keepKeys ? [] : await revokeKeysOf(tx, { workspaceId, personId, now });
    const lowered = keepKeys ? await lowerKeyRoles(tx, { workspaceId, holderId: personId, role: "member" }) : [];
    await deps.audit.append(tx, {
      ...by,
      action: "member.remove",
      subject: { kind: "person", id: personId },
      workspaceId,
      before: { role: before.role },
      after: { revoked_keys: revoked, lowered_keys: lowered },
    });
    return revoked;
  });
  await deps.authorityChanged(workspaceId);
  return { revokedKeys };
}

// Locks the workspace first, so the result stays true until the transaction ends.
async function requireMember(tx: Queryable, workspaceId: WorkspaceId, personId: PersonId): Promise<Member> {
  if ((await lockWorkspace(tx, workspaceId)) === null) throw noSuchWorkspace();
  return orNotFound(await findMember(tx, workspaceId, personId), "This person is not a member of the workspace.");
}

async function requireAnotherOwner(tx: Queryable, workspaceId: WorkspaceId): Promise<void> {
  if ((await countMembers(tx, workspaceId)).owners < 2) {
    throw new Fault("conflict", "A workspace needs at least one owner. Make another member an owner first.");
  }
}

async function requirePerson(tx: Queryable, personId: PersonId): Promise<Person> {
  return orNotFound(await findPerson(tx, personId), "There is no person with this id.");
}

function newPerson(request: { name: string; email: string | null }, now: Date): Person {
  const email = request.email === null ? null : readEmail(request.email);
  if (request.email !== null && email === null) {
    throw new Fault("invalid_request", "This is not an e-mail address.", { details: { email: "not an address" } });
  }
  return { id: newId<"person">(now.getTime()), name: requireName(request.name), email, createdAt: now };
}
