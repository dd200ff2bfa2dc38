// What a caller may do to keys, members and workspaces. Everything except `getAccount` requires the scope `account`. Owners
// manage all of a workspace; members see it and manage the keys they created. A key acts for the person who created it, unless
// it was given less authority than they have; it can always revoke itself.
// A key or token acts only in its own workspace, a session in every workspace of its person.
import { includesRole } from "@atelier/contract";
import {
  type ApiKey,
  defaultKeyScopes,
  type Identity,
  type Principal,
  type Role,
  requireOwner,
  requireRole,
  requireScope,
  type Scope,
} from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Incoming } from "../../foundation/http/area.ts";
import { type KeyId, type PersonId, parseId, requireId, type WorkspaceId } from "../../foundation/ids.ts";
import type { AccountCaller } from "./account-caller.ts";

// The person behind the caller: the person itself, or the creator of the key.
export async function personBehind(identity: Identity, principal: Principal): Promise<PersonId | null> {
  if (principal.kind === "identity") return principal.personId;
  return (await identity.keys.get(principal.workspaceId, principal.keyId)).createdBy;
}

// The person whom the caller may act for. A key with less authority than its creator acts for no one: an owner's key with the
// member role must not do to its owner what only the owner may do.
export async function findPersonId(identity: Identity, principal: Principal): Promise<PersonId | null> {
  const personId = await personBehind(identity, principal);
  if (personId === null || principal.kind === "identity") return personId;
  const role = await identity.workspaces.roleOf(principal.workspaceId, personId);
  return role === principal.role ? personId : null;
}

// Workspaces of others and absent ones get the same answer.
export async function requireWorkspace(
  identity: Identity,
  caller: AccountCaller,
  idText: string | undefined,
): Promise<{ workspaceId: WorkspaceId; role: Role }> {
  const { principal, session } = caller;
  requireScope(principal, "account");
  const workspaceId = parseId<"workspace">(idText ?? "");
  if (workspaceId !== null && session !== null) {
    const role = await identity.workspaces.roleOf(workspaceId, session.person.id);
    if (role !== null) return { workspaceId, role };
  }
  if (workspaceId !== null && workspaceId === principal.workspaceId && session === null) {
    return { workspaceId, role: principal.role };
  }
  throw new Fault("not_found", "There is no such workspace.");
}

export async function requireRevocable(identity: Identity, principal: Principal, key: ApiKey): Promise<void> {
  if (principal.role === "owner" || key.id === principal.keyId) return;
  const personId = await findPersonId(identity, principal);
  if (personId === null || key.createdBy !== personId) requireOwner(principal.role);
}

// A key never has more reach than its creator: no scope and no role that the creator lacks.
export function grantableScopes(principal: Principal, wanted: readonly Scope[] | undefined): readonly Scope[] {
  if (wanted === undefined) return defaultKeyScopes.filter((scope) => principal.scopes.includes(scope));
  for (const scope of wanted) requireScope(principal, scope);
  return wanted;
}

// By default a key that can manage the account has its creator's role, and any other has the member role if its creator does.
export function grantableRole(principal: Principal, wanted: Role | undefined, granted: readonly Scope[]): Role {
  if (wanted !== undefined) requireRole(principal.role, wanted);
  if (wanted !== undefined || granted.includes("account")) return wanted ?? principal.role;
  return includesRole(principal.role, "member") ? "member" : principal.role;
}

// Ids of others, absent ones and invalid ones get the same answer.
export async function requireKey(identity: Identity, { caller: { principal }, params }: Incoming<AccountCaller>) {
  requireScope(principal, "account");
  const { workspaceId } = principal;
  const apiKeyId: KeyId = requireId(params["keyId"], "There is no such key.");
  await identity.keys.get(workspaceId, apiKeyId);
  return { workspaceId, apiKeyId };
}
