export { actingAs } from "./acting.ts";
export type { ApiKey } from "./api-key.ts";
export { unauthorized } from "./authenticate.ts";
export { type Bootstrapped, bootstrap } from "./bootstrap.ts";
export { createIdentity, type ExternalIssuer, type Identity, type IdentityDeps } from "./create-identity.ts";
export { deletedName } from "./deleted-name.ts";
export type { DerivedToken, TokenView } from "./deriving/derived-token.ts";
export { allowsModel, refuseToken } from "./deriving/restrictions.ts";
export type { Entitlements, ModelRights } from "./entitlements.ts";
export { createFailureBudget, type FailureBudget } from "./failure-budget.ts";
export { addSignInLink, findUnshownKey, keepFirstKey } from "./first-key.ts";
export type { Keys } from "./keys.ts";
export { isOneAddress } from "./names.ts";
export type { MemberRequest, Members } from "./people/members.ts";
export type { Operators } from "./people/operators.ts";
export type { KnownPerson, Member, Person, ServiceAccount } from "./people/person.ts";
export type { Workspaces } from "./people/workspaces.ts";
export {
  defaultKeyScopes,
  type IdentityPrincipal,
  identityPrincipal,
  isScope,
  type Principal,
  type Role,
  requireOwner,
  requireScope,
  type Scope,
  type SessionId,
  scopes,
  type TokenRights,
} from "./principal.ts";
export { requireRole } from "./require-role.ts";
export type { EmbeddedIssuer, KeyRing, TokenHolder } from "./signing-in/embedded-issuer.ts";
export type { GroupRule } from "./signing-in/group-roles.ts";
export { type KeySource, remoteKeySet } from "./signing-in/key-set.ts";
export type { Browser, ListedSession } from "./signing-in/session.ts";
export { invitationMs, type LinkLook, type Session } from "./signing-in/sign-in.ts";
export type { Workspace } from "./workspace.ts";
