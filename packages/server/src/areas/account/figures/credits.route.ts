// The workspace's credits and the caps of its keys.
import { operations, SetKeyCaps } from "@atelier/contract";
import { type Credits, type KeyCaps, listCreditLines, presentBalance } from "../../../capabilities/calls/index.ts";
import { actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import type { Cursors } from "../../../foundation/cursor.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { requireKey } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentKeyCaps } from "./present-usage.ts";
import { readAmount } from "./read-amount.ts";

export interface CreditRouteDeps {
  readonly identity: Identity;
  readonly credits: Credits;
  readonly keyCaps: KeyCaps;
  readonly cursors: Cursors;
}

export function getCreditsRoute({ credits }: CreditRouteDeps): Route<AccountCaller> {
  return route(operations.getCredits, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    return jsonAnswer(200, presentBalance(await credits.wallet(principal.workspaceId)));
  });
}

export function listCreditLinesRoute(deps: CreditRouteDeps): Route<AccountCaller> {
  return route(operations.listCreditLines, async ({ caller: { principal }, query }) => {
    requireScope(principal, "account");
    return jsonAnswer(200, await listCreditLines(deps, principal.workspaceId, query));
  });
}

export function getKeyCapsRoute({ keyCaps, identity }: CreditRouteDeps): Route<AccountCaller> {
  return route(operations.getKeyCaps, async (incoming) => {
    const key = await requireKey(identity, incoming);
    return jsonAnswer(200, presentKeyCaps(key.apiKeyId, await keyCaps.look(key)));
  });
}

export function setKeyCapsRoute({ keyCaps, identity }: CreditRouteDeps): Route<AccountCaller> {
  return route(operations.setKeyCaps, async (incoming) => {
    const key = await requireKey(identity, incoming);
    const { principal } = incoming.caller;
    const request = requireValid(SetKeyCaps, await incoming.json());
    const cap = {
      day: readAmount("daily_credits_max", request.daily_credits_max),
      month: readAmount("monthly_credits_max", request.monthly_credits_max),
    };
    await keyCaps.set(key, cap, actingAs(principal, incoming.requestId));
    return jsonAnswer(200, presentKeyCaps(key.apiKeyId, await keyCaps.look(key)));
  });
}
