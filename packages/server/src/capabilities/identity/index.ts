export { type Acting, type Actor, actingAs } from "./acting.ts";
export type { UnknownWorkspace } from "./admit-identity.ts";
export { unauthorized } from "./authenticate.ts";
export { type BootstrapDeps, type Bootstrapped, bootstrap, requireChosenKey } from "./bootstrap.ts";
export { createIdentity, type ExternalIssuer, type Identity, type IdentityDeps } from "./create-identity.ts";
export type { EmbeddedIssuer, KeyRing } from "./embedded-issuer.ts";
export { type Entitlements, isPattern, type ModelRights } from "./entitlements.ts";
export { createFailureBudget, type FailureBudget } from "./failure-budget.ts";
export {
  deletedName,
  forgetWorkspaceName,
  identityHoldings,
  lockWorkspaceToDelete,
} from "./identity-holdings-store.ts";
export type { FetchKeySet } from "./key-set.ts";
export type { ApiKey } from "./key-store.ts";
export type { KeyRequest, Keys, RequireQuota } from "./keys.ts";
export { type Member, type Membership, type Person, peopleFacts } from "./member-store.ts";
export type { MemberRequest, Members } from "./members.ts";
export {
  defaultKeyScopes,
  type IdentityPrincipal,
  isScope,
  type KeyPrincipal,
  type Principal,
  type Role,
  requireOwner,
  requireScope,
  roles,
  type Scope,
  scopes,
} from "./principal.ts";
export type { Session, SignIn } from "./sign-in.ts";
export { listWorkspaces, lockWorkspace, type Workspace } from "./workspace-store.ts";
export type { WorkspaceCreated, Workspaces } from "./workspaces.ts";
