export { actingAs } from "./acting.ts";
export { unauthorized } from "./authenticate.ts";
export { type Bootstrapped, bootstrap } from "./bootstrap.ts";
export { createIdentity, type ExternalIssuer, type Identity, type IdentityDeps } from "./create-identity.ts";
export { deletedName } from "./deleted-name.ts";
export type { EmbeddedIssuer, KeyRing, TokenHolder } from "./embedded-issuer.ts";
export type { VouchedEntry } from "./enter-vouched.ts";
export type { Entitlements, ModelRights } from "./entitlements.ts";
export { createFailureBudget, type FailureBudget } from "./failure-budget.ts";
export { type KeySource, remoteKeySet } from "./key-set.ts";
export type { ApiKey } from "./key-store.ts";
export type { Member, Membership, Person } from "./member-store.ts";
export type { MemberRequest, Members } from "./members.ts";
export { isOneAddress } from "./names.ts";
export type { KnownPerson } from "./operator-store.ts";
export type { Operators } from "./operators.ts";
export {
  defaultKeyScopes,
  type IdentityPrincipal,
  isScope,
  type Principal,
  type Role,
  requireOwner,
  requireScope,
  type Scope,
  type SessionId,
  scopes,
} from "./principal.ts";
export type { Browser, ListedSession } from "./session-store.ts";
export { invitationMs, type LinkLook, type Session } from "./sign-in.ts";
export type { Workspace } from "./workspace-store.ts";
export type { Workspaces } from "./workspaces.ts";
