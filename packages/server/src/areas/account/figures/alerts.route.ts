// How alerts reach people by e-mail: whether the caller wants them, and what was sent.
import { type AlertSettings, operations, type SentMailList, SetAlertMail, SetOddSpending } from "@atelier/contract";
import type { OddSpendingWatch } from "../../../capabilities/calls/index.ts";
import { actingAs, type Identity, type Principal, requireScope } from "../../../capabilities/identity/index.ts";
import type { Mail } from "../../../capabilities/mail/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import { findPersonId } from "../account-authority.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentSpendingAlert } from "./present-spending.ts";
import { readAmount } from "./read-amount.ts";

export interface AlertRouteDeps {
  readonly identity: Identity;
  readonly oddSpending: Pick<OddSpendingWatch, "of" | "set">;
  readonly mail: Pick<Mail, "isOn" | "list" | "wants" | "setWanted">;
}

const fresh = { "cache-control": "no-store" } as const;

export function getAlertSettingsRoute(deps: AlertRouteDeps): Route<AccountCaller> {
  return route(operations.getAlertSettings, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    return jsonAnswer(200, await present(deps, principal), fresh);
  });
}

export function setAlertMailRoute(deps: AlertRouteDeps): Route<AccountCaller> {
  return route(operations.setAlertMail, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { wanted } = requireValid(SetAlertMail, await incoming.json());
    const personId = await findPersonId(deps.identity, principal);
    if (personId === null) throw new Fault("forbidden", "This key acts for nobody. Sign in with a browser.");
    await deps.mail.setWanted(principal.workspaceId, personId, wanted);
    return jsonAnswer(200, await present(deps, principal), fresh);
  });
}

export function setOddSpendingRoute(deps: AlertRouteDeps): Route<AccountCaller> {
  return route(operations.setOddSpending, async (incoming) => {
    const { principal } = incoming.caller;
    requireScope(principal, "account");
    const { watched: isOn, at_least: given = null } = requireValid(SetOddSpending, await incoming.json());
    const atLeast = given === null ? null : readAmount("at_least", given);
    await deps.oddSpending.set(principal.workspaceId, { isOn, atLeast }, actingAs(principal, incoming.requestId));
    return jsonAnswer(200, await present(deps, principal), fresh);
  });
}

export function listMailsRoute({ mail }: AlertRouteDeps): Route<AccountCaller> {
  return route(operations.listMails, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    const list: SentMailList = {
      data: (await mail.list(principal.workspaceId)).map((each) => ({
        id: each.id,
        type: each.type,
        to: each.recipient,
        subject: each.subject,
        status: each.status,
        attempts: each.attempts,
        last_answer: each.lastAnswer,
        next_attempt_at: each.dueAt?.toISOString() ?? null,
        created_at: each.createdAt.toISOString(),
        sent_at: each.sentAt?.toISOString() ?? null,
      })),
    };
    return jsonAnswer(200, list, fresh);
  });
}

async function present({ identity, mail, oddSpending }: AlertRouteDeps, principal: Principal): Promise<AlertSettings> {
  const personId = await findPersonId(identity, principal);
  const { isOn, atLeast, alerts } = await oddSpending.of(principal.workspaceId);
  return {
    sends_mail: mail.isOn,
    mail_wanted: personId && (await mail.wants(principal.workspaceId, personId)),
    odd_spending: { watched: isOn, at_least: creditsText(atLeast), alerts: alerts.map(presentSpendingAlert) },
  };
}
