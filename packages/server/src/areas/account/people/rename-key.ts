// Gives a key another name. A caller who may revoke a key may rename it.
import { type ApiKey, actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import { type RequestId, requireId } from "../../../foundation/ids.ts";
import { requireRevocable } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export async function renameKey(
  identity: Identity,
  caller: Pick<AccountCaller, "principal">,
  wanted: { readonly keyIdText: string | undefined; readonly name: string },
  requestId: RequestId,
): Promise<ApiKey> {
  const { principal } = caller;
  requireScope(principal, "account");
  const keyId = requireId<"key">(wanted.keyIdText, "There is no such key.");
  await requireRevocable(identity, principal, await identity.keys.get(principal.workspaceId, keyId));
  return identity.keys.rename(principal.workspaceId, keyId, wanted.name, actingAs(principal, requestId));
}
