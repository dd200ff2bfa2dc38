import { CreateKey, operations, RotateKey, UpdateKey } from "@atelier/contract";
import type { KeyCaps } from "../../../capabilities/calls/index.ts";
import { type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { readMoment } from "../figures/read-moment.ts";
import { presentKey } from "../present-account.ts";
import { createKey } from "./create-key.ts";
import type { KeyLimitDeps } from "./key-limits.route.ts";
import { renameKey } from "./rename-key.ts";
import { revokeKey } from "./revoke-key.ts";
import { rotateKey } from "./rotate-key.ts";
import { readServiceAccountId } from "./service-accounts.route.ts";

export interface KeyRouteDeps {
  readonly identity: Identity;
  readonly keyCaps: KeyCaps;
  readonly callLimits: KeyLimitDeps["callLimits"];
  readonly clock: Clock;
}

const overlapSecondsUsual = 24 * 3_600;

export function listKeysRoute({ identity }: KeyRouteDeps): Route<AccountCaller> {
  return route(operations.listKeys, async ({ caller }) => {
    requireScope(caller.principal, "account");
    const keys = await identity.keys.list(caller.principal.workspaceId);
    return jsonAnswer(200, { data: keys.map(presentKey) });
  });
}

export function createKeyRoute(deps: KeyRouteDeps): Route<AccountCaller> {
  return route(operations.createKey, async (incoming) => {
    const { caller, requestId } = incoming;
    const body = requireValid(CreateKey, await incoming.json());
    const { name, scopes, role, expires_at, service_account_id: account = null } = body;
    const serviceAccountId = account === null ? null : readServiceAccountId(account);
    const request = { name, scopes, role, expiresAt: readMoment("expires_at", expires_at ?? null), serviceAccountId };
    const { key, secret } = await createKey(deps, caller, request, requestId);
    return jsonAnswer(201, { ...presentKey(key), secret }, { "cache-control": "no-store" });
  });
}

export function revokeKeyRoute({ identity }: KeyRouteDeps): Route<AccountCaller> {
  return route(operations.revokeKey, async ({ caller, params, requestId }) => {
    return jsonAnswer(200, presentKey(await revokeKey(identity, caller, params["keyId"], requestId)));
  });
}

export function updateKeyRoute({ identity }: KeyRouteDeps): Route<AccountCaller> {
  return route(operations.updateKey, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const { name } = requireValid(UpdateKey, await incoming.json());
    return jsonAnswer(
      200,
      presentKey(await renameKey(identity, caller, { keyIdText: params["keyId"], name }, requestId)),
    );
  });
}

export function rotateKeyRoute(deps: KeyRouteDeps): Route<AccountCaller> {
  return route(operations.rotateKey, async (incoming) => {
    const { caller, params, requestId } = incoming;
    const sent = (await incoming.bytes()).length === 0 ? {} : await incoming.json();
    const { overlap_seconds = overlapSecondsUsual } = requireValid(RotateKey, sent);
    const wanted = { keyIdText: params["keyId"], overlapSeconds: overlap_seconds };
    const { key, secret } = await rotateKey(deps, caller, wanted, requestId);
    return jsonAnswer(201, { ...presentKey(key), secret }, { "cache-control": "no-store" });
  });
}
