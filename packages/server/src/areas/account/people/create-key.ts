// Creates a key for the caller's workspace, for both the API and the page.
import {
  type ApiKey,
  actingAs,
  type Identity,
  type Role,
  requireScope,
  type Scope,
} from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { RequestId } from "../../../foundation/ids.ts";
import { grantableRole, grantableScopes, personBehind } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface CreateKeyRequest {
  readonly name: string;
  readonly scopes: readonly Scope[] | undefined;
  readonly role: Role | undefined;
  readonly expiresAt: Date | null;
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
  const role = grantableRole(principal, request.role, scopes);
  if (request.expiresAt !== null && request.expiresAt.getTime() - deps.clock.now().getTime() > expiryMsMax) {
    throw new Fault("invalid_request", "A key must expire within ten years, or never.");
  }
  const createdBy = await personBehind(deps.identity, principal);
  const input = { workspaceId: principal.workspaceId, name: request.name, role, scopes, createdBy };
  return deps.identity.keys.create({ ...input, expiresAt: request.expiresAt }, actingAs(principal, requestId));
}
