// Creates a key for the caller's workspace, for both the API and the page.
import {
  type ApiKey,
  actingAs,
  type Identity,
  type Principal,
  type Role,
  requireOwner,
  requireRole,
  requireScope,
  type Scope,
  type ServiceAccount,
} from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { RequestId, ServiceAccountId } from "../../../foundation/ids.ts";
import { grantableRole, grantableScopes, personBehind } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface CreateKeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[] | undefined;
  readonly role: Role | undefined;
  readonly expiresAt: Date | null;
  readonly serviceAccountId: ServiceAccountId | null;
}

const expiryMsMax = 3_660 * 86_400_000;

export async function createKey(
  deps: { readonly identity: Identity; readonly clock: Clock },
  caller: Pick<AccountCaller, "principal">,
  request: CreateKeyRequest,
  requestId: RequestId,
): Promise<{ key: ApiKey; secret: string }> {
  const { principal } = caller;
  requireScope(principal, "account");
  const scopes = grantableScopes(principal, request.scopes);
  const account = await serviceAccountOf(deps.identity, principal, request.serviceAccountId);
  const role = account === null ? grantableRole(principal, request.role, scopes) : (request.role ?? account.role);
  if (account !== null) requireRole(account.role, role);
  if (request.expiresAt !== null && request.expiresAt.getTime() - deps.clock.now().getTime() > expiryMsMax) {
    throw new Fault("invalid_request", "A key must expire within ten years, or never.");
  }
  // A service account's keys stay when the person who made them leaves.
  const createdBy = account === null ? await personBehind(deps.identity, principal) : null;
  const serviceAccount = account && { id: account.id, name: account.name };
  const input = { workspaceId: principal.workspaceId, name: request.name, role, scopes, createdBy, serviceAccount };
  return deps.identity.keys.create({ ...input, expiresAt: request.expiresAt }, actingAs(principal, requestId));
}

async function serviceAccountOf(
  identity: Identity,
  principal: Principal,
  id: ServiceAccountId | null,
): Promise<ServiceAccount | null> {
  if (id === null) return null;
  requireOwner(principal.role);
  return identity.serviceAccounts.get(principal.workspaceId, id);
}
