// Revokes a key of the caller's workspace, for both the API and the page.
import { type ApiKey, actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import { type RequestId, requireId } from "../../../foundation/ids.ts";
import { requireRevocable } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export async function revokeKey(
  identity: Identity,
  caller: Pick<AccountCaller, "principal">,
  keyIdText: string | undefined,
  requestId: RequestId,
): Promise<ApiKey> {
  const { principal } = caller;
  requireScope(principal, "account");
  const keyId = requireId<"key">(keyIdText, "There is no such key.");
  const key = await identity.keys.get(principal.workspaceId, keyId);
  await requireRevocable(identity, principal, key);
  return identity.keys.revoke(principal.workspaceId, keyId, actingAs(principal, requestId));
}
