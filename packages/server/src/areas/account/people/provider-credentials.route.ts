// The workspace's own credentials at providers: written, replaced and removed, but never read. Owners only: a stored credential
// decides whose account at the provider pays.
import { operations, PutProviderCredential, type ProviderCredential as WireCredential } from "@atelier/contract";
import { actingAs, requireScope } from "../../../capabilities/identity/index.ts";
import type { OwnCredential, OwnCredentials } from "../../../capabilities/own-credentials/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface OwnCredentialDeps {
  readonly ownCredentials: OwnCredentials;
}

export function listProviderCredentialsRoute({ ownCredentials }: OwnCredentialDeps): Route<AccountCaller> {
  return route(operations.listProviderCredentials, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const stored = await ownCredentials.list(principal.workspaceId);
    return jsonAnswer(200, { data: stored.map(present), providers: ownCredentials.takers() });
  });
}

export function putProviderCredentialRoute({ ownCredentials }: OwnCredentialDeps): Route<AccountCaller> {
  return route(operations.putProviderCredential, async (incoming) => {
    const { workspaceId, provider, by } = requireOwned(incoming);
    const { credential: text } = requireValid(PutProviderCredential, await incoming.json());
    const { credential, isNew } = await ownCredentials.put({ workspaceId, provider, text }, by);
    return jsonAnswer(isNew ? 201 : 200, present(credential));
  });
}

export function deleteProviderCredentialRoute({ ownCredentials }: OwnCredentialDeps): Route<AccountCaller> {
  return route(operations.deleteProviderCredential, async (incoming) => {
    const { workspaceId, provider, by } = requireOwned(incoming);
    await ownCredentials.remove(workspaceId, provider, by);
    return { status: 204 };
  });
}

function requireOwned({ caller: { principal }, params, requestId }: Incoming<AccountCaller>) {
  requireScope(principal, "account");
  const provider = params["provider"] ?? "";
  // Text that cannot be a provider's name is not found.
  if (!/^[a-z0-9._-]{1,64}$/.test(provider)) throw new Fault("not_found", "There is no such provider.");
  return { workspaceId: principal.workspaceId, provider, by: actingAs(principal, requestId) };
}

function present({ provider, hosts, isUsed, createdAt, updatedAt }: OwnCredential): WireCredential {
  return {
    provider,
    hosts: [...hosts],
    is_used: isUsed,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
  };
}
