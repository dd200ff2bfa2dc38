// Who is calling, and what they may do. Authority is the smaller of two things: the role in the workspace (the
// operator is the admin side and never a principal) and, for keys, the scopes it was given.
import type { RoleInWorkspace } from "@atelier/contract";
import { Fault } from "../../foundation/fault.ts";
import type { Id, KeyId, PersonId, ServiceAccountId, WorkspaceId } from "../../foundation/ids.ts";
import type { CompiledRestrictions } from "./deriving/restrictions.ts";

export type SessionId = Id<"session">;

export type Role = RoleInWorkspace;

// One scope per area a key can reach. `account` manages keys, members and workspaces.
export const scopes = ["models", "partners", "registry", "workflows", "account"] as const;
export type Scope = (typeof scopes)[number];

// A new key can run everything and manage nothing: a key leaked from a program cannot create more keys.
export const defaultKeyScopes: readonly Scope[] = ["models", "partners", "registry", "workflows"];

interface Caller {
  readonly workspaceId: WorkspaceId;
  readonly role: Role;
  readonly scopes: readonly Scope[];
}

export interface KeyPrincipal extends Caller {
  readonly kind: "key";
  readonly keyId: KeyId;
  readonly personId: null;
  // The key of a link: it may call this work, in any version, and nothing else. Absent for ordinary keys.
  readonly onlyModel?: string;
  // Whose key it is, if it is a service account's.
  readonly serviceAccount?: { readonly id: ServiceAccountId; readonly name: string };
  // A derived token, with the id of its own row as `keyId`: what it may do. Absent for keys.
  readonly token?: TokenRights;
}

export interface TokenRights extends CompiledRestrictions {
  readonly endUser: string | null;
  // The credentials it was made from, the root first: a key (absent for a session), then tokens.
  readonly ancestors: readonly KeyId[];
}

// A person, by cloud identity JWT or by browser session. People have every scope; their role limits them.
export interface IdentityPrincipal extends Caller {
  readonly kind: "identity";
  readonly keyId: null;
  readonly personId: PersonId;
  // The browser session it is or was made from. Null for an external issuer's token.
  readonly sessionId: SessionId | null;
  // When that session began. Null for an external issuer's token.
  readonly signedInAt: Date | null;
}

export interface IdentityHolder {
  readonly workspaceId: WorkspaceId;
  readonly personId: PersonId;
  readonly sessionId: SessionId | null;
  readonly signedInAt: Date | null;
}

export function identityPrincipal(holder: IdentityHolder, role: Role): IdentityPrincipal {
  return { kind: "identity", keyId: null, ...holder, role, scopes };
}

export type Principal = KeyPrincipal | IdentityPrincipal;

export function requireScope(principal: Principal, scope: Scope): void {
  if (!principal.scopes.includes(scope)) {
    throw new Fault("forbidden", `This key lacks the scope "${scope}".`, { details: { scope } });
  }
}

export function requireOwner(role: Role): void {
  if (role !== "owner") throw new Fault("forbidden", "Only an owner of the workspace may do this.");
}

export function isScope(text: string): text is Scope {
  return scopes.some((scope) => scope === text);
}
