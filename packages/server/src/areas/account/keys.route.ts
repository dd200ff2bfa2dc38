import { CreateKey, operations } from "@atelier/contract";
import { type Identity, requireScope } from "../../capabilities/identity/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { requireValid } from "../../foundation/schema.ts";
import type { AccountCaller } from "./account-caller.ts";
import { createKey } from "./create-key.ts";
import { presentKey } from "./present-account.ts";
import { readMoment } from "./read-moment.ts";
import { revokeKey } from "./revoke-key.ts";

export function keyRoutes(deps: { readonly identity: Identity; readonly clock: Clock }): Route<AccountCaller>[] {
  return [listKeysRoute(deps), createKeyRoute(deps), revokeKeyRoute(deps)];
}

export function listKeysRoute(deps: { readonly identity: Identity; readonly clock: Clock }): Route<AccountCaller> {
  const { identity } = deps;
  return {
    operation: operations.listKeys,
    async handle({ caller }) {
      requireScope(caller.principal, "account");
      const keys = await identity.keys.list(caller.principal.workspaceId);
      return jsonAnswer(200, { data: keys.map(presentKey) });
    },
  };
}

export function createKeyRoute(deps: { readonly identity: Identity; readonly clock: Clock }): Route<AccountCaller> {
  return {
    operation: operations.createKey,
    async handle(incoming) {
      const { caller, requestId } = incoming;
      const body = requireValid(CreateKey, await incoming.json());
      const { name, scopes, role, expires_at } = body;
      const request = { name, scopes, role, expiresAt: readMoment("expires_at", expires_at ?? null) };
      const { key, secret } = await createKey(deps, caller, request, requestId);
      return jsonAnswer(201, { ...presentKey(key), secret }, { "cache-control": "no-store" });
    },
  };
}

export function revokeKeyRoute(deps: { readonly identity: Identity; readonly clock: Clock }): Route<AccountCaller> {
  const { identity } = deps;
  return {
    operation: operations.revokeKey,
    async handle({ caller, params, requestId }) {
      return jsonAnswer(200, presentKey(await revokeKey(identity, caller, params["keyId"], requestId)));
    },
  };
}
