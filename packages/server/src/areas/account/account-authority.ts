// What a caller may do to keys, members and workspaces. Everything but `getAccount` needs the scope `account`. Owners
// manage all of a workspace; members see it and manage the keys they made. A key stands for the person who made it, unless
// it was given less authority than they have; it can always end itself.
// A key or token acts in its own workspace only; a session in every workspace of its person.
import {
  type ApiKey,
  defaultKeyScopes,
  type Identity,
  type Principal,
  type Role,
  requireOwner,
  requireScope,
  type Scope,
} from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type PersonId, parseId, type WorkspaceId } from "../../foundation/ids.ts";
import type { AccountCaller } from "./account-caller.ts";

// The person behind the caller: the person, or the maker of the key.
export async function personBehind(identity: Identity, principal: Principal): Promise<PersonId | null> {
  if (principal.kind === "identity") return principal.personId;
  return (await identity.keys.get(principal.workspaceId, principal.keyId)).createdBy;
}

// For whom the caller may act as if they were there themselves. A key that was given less authority than its maker has
// stands for no person: an owner's key of a member's role must not do to its owner what only the owner may do.
export async function standsFor(identity: Identity, principal: Principal): Promise<PersonId | null> {
  const personId = await personBehind(identity, principal);
  if (personId === null || principal.kind === "identity") return personId;
  const role = await identity.workspaces.roleOf(principal.workspaceId, personId);
  return role === principal.role ? personId : null;
}

// Foreign and absent workspaces answer the same.
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
  const personId = await standsFor(identity, principal);
  if (personId === null || key.createdBy !== personId) requireOwner(principal.role);
}

// A key never reaches further than its maker: no scope and no role that the maker lacks.
export function grantableScopes(principal: Principal, wanted: readonly Scope[] | undefined): readonly Scope[] {
  if (wanted === undefined) return defaultKeyScopes.filter((scope) => principal.scopes.includes(scope));
  for (const scope of wanted) requireScope(principal, scope);
  return wanted;
}

// Unless told otherwise a key that may manage the account manages as much as its maker, and any other is a member's.
export function grantableRole(principal: Principal, wanted: Role | undefined, granted: readonly Scope[]): Role {
  if (wanted === "owner") requireOwner(principal.role);
  return wanted ?? (granted.includes("account") ? principal.role : "member");
}
