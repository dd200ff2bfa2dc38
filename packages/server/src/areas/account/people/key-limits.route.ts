// How many calls a key may make. Only owners set it: otherwise a member could raise what an owner has set.
import { type KeyLimits, operations, SetCallLimits } from "@atelier/contract";
import type { CallLimits } from "../../../capabilities/calls/index.ts";
import { actingAs, type Identity } from "../../../capabilities/identity/index.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { requireKey } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";

export interface KeyLimitDeps {
  readonly identity: Identity;
  readonly callLimits: Pick<CallLimits, "ofKey" | "setOfKey">;
}

export function getKeyLimitsRoute(deps: KeyLimitDeps): Route<AccountCaller> {
  return route(operations.getKeyLimits, async (incoming) =>
    jsonAnswer(200, await present(deps, await requireKey(deps.identity, incoming))),
  );
}

export function setKeyLimitsRoute(deps: KeyLimitDeps): Route<AccountCaller> {
  return route(operations.setKeyLimits, async (incoming) => {
    const key = await requireKey(deps.identity, incoming);
    const { calls_per_minute: perMinute, concurrency } = requireValid(SetCallLimits, await incoming.json());
    const by = actingAs(incoming.caller.principal, incoming.requestId);
    await deps.callLimits.setOfKey(key, { perMinute, concurrency }, by);
    return jsonAnswer(200, await present(deps, key));
  });
}

async function present({ callLimits }: KeyLimitDeps, key: Awaited<ReturnType<typeof requireKey>>): Promise<KeyLimits> {
  const { perMinute, concurrency, inFlight } = await callLimits.ofKey(key);
  return { key_id: key.apiKeyId, calls_per_minute: perMinute, concurrency, in_flight: inFlight };
}
