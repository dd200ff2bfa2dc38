// A workspace's service accounts. Their keys are made where all keys are (keys.route.ts).
import { CreateServiceAccount, operations, type ServiceAccount as WireServiceAccount } from "@atelier/contract";
import { actingAs, type Identity, requireScope, type ServiceAccount } from "../../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireId, type ServiceAccountId } from "../../../foundation/ids.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { personBehind } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface ServiceAccountDeps {
  readonly identity: Identity;
}

export function listServiceAccountsRoute({ identity }: ServiceAccountDeps): Route<AccountCaller> {
  return route(operations.listServiceAccounts, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const accounts = await identity.serviceAccounts.list(principal.workspaceId);
    return jsonAnswer(200, { data: accounts.map(present) });
  });
}

export function createServiceAccountRoute({ identity }: ServiceAccountDeps): Route<AccountCaller> {
  return route(operations.createServiceAccount, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { name, role } = requireValid(CreateServiceAccount, await incoming.json());
    const createdBy = await personBehind(identity, principal);
    const request = { workspaceId: principal.workspaceId, name, role: role ?? "member", createdBy };
    const account = await identity.serviceAccounts.create(request, actingAs(principal, incoming.requestId));
    return jsonAnswer(201, present(account));
  });
}

export function deleteServiceAccountRoute({ identity }: ServiceAccountDeps): Route<AccountCaller> {
  return route(operations.deleteServiceAccount, async ({ caller: { principal }, params, requestId }) => {
    requireScope(principal, "account");
    const id = readServiceAccountId(params["accountId"]);
    const by = actingAs(principal, requestId);
    const { revokedKeys } = await identity.serviceAccounts.remove(principal.workspaceId, id, by);
    return jsonAnswer(200, { revoked_keys: revokedKeys });
  });
}

export const readServiceAccountId = (text: string | undefined): ServiceAccountId =>
  requireId(text, "There is no such service account.");

function present({ id, name, role, createdBy, createdAt }: ServiceAccount): WireServiceAccount {
  return { id, name, role, created_by: createdBy, created_at: createdAt.toISOString() };
}
