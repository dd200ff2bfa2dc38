// Budgets of the caller's workspace. Members read them, and only owners set them:
// otherwise a member could raise a budget that an owner has set.
import { budgetNamePattern, operations, PutBudget } from "@atelier/contract";
import type { BudgetRule, Budgets } from "../../../capabilities/calls/index.ts";
import { actingAs, type Identity, requireScope } from "../../../capabilities/identity/index.ts";
import type { Webhooks } from "../../../capabilities/webhooks/index.ts";
import { Fault } from "../../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../../foundation/http/area.ts";
import { parseId } from "../../../foundation/ids.ts";
import { badField } from "../../../foundation/json/bad-field.ts";
import { checkPairs, isEndUser } from "../../../foundation/json/labels.ts";
import { requireValid } from "../../../foundation/json/schema.ts";
import type { AccountCaller } from "../account-caller.ts";
import { presentBudget, presentBudgets } from "./present-budgets.ts";
import { readAmount } from "./read-amount.ts";

export interface BudgetRouteDeps {
  readonly identity: Identity;
  readonly budgets: Budgets;
  readonly webhooks: Pick<Webhooks, "checkUrl">;
}

export function listBudgetsRoute({ budgets }: BudgetRouteDeps): Route<AccountCaller> {
  return route(operations.listBudgets, async ({ caller: { principal } }) => {
    requireScope(principal, "account");
    return jsonAnswer(200, presentBudgets(await budgets.list(principal.workspaceId)));
  });
}

export function getBudgetRoute({ budgets }: BudgetRouteDeps): Route<AccountCaller> {
  return route(operations.getBudget, async (incoming) =>
    jsonAnswer(200, presentBudget(await budgets.get(namedIn(incoming)))),
  );
}

export function putBudgetRoute(deps: BudgetRouteDeps): Route<AccountCaller> {
  return route(operations.putBudget, async (incoming) => {
    const { principal } = incoming.caller;
    const named = namedIn(incoming);
    const request = requireValid(PutBudget, await incoming.json());
    const rule: BudgetRule = {
      scope: request.scope,
      subject: await readSubject(deps, named.workspaceId, request),
      period: request.period,
      amount: readAmount("amount", request.amount),
      atLimit: request.at_limit ?? "stop",
      webhookUrl: readUrl(deps, request.webhook_url ?? null),
      emails: request.emails ?? [],
    };
    const { budget, isNew } = await deps.budgets.put(named, rule, actingAs(principal, incoming.requestId));
    return jsonAnswer(isNew ? 201 : 200, presentBudget(budget));
  });
}

export function deleteBudgetRoute({ budgets }: BudgetRouteDeps): Route<AccountCaller> {
  return route(operations.deleteBudget, async (incoming) => {
    const { principal } = incoming.caller;
    const named = namedIn(incoming);
    await budgets.remove(named, actingAs(principal, incoming.requestId));
    return { status: 204 };
  });
}

const budgetName = new RegExp(budgetNamePattern);

function namedIn({ caller: { principal }, params }: Incoming<AccountCaller>) {
  requireScope(principal, "account");
  const name = params["name"] ?? "";
  if (!budgetName.test(name)) throw new Fault("not_found", "There is no such budget.");
  return { workspaceId: principal.workspaceId, name };
}

async function readSubject(
  { identity }: BudgetRouteDeps,
  workspaceId: Parameters<Identity["keys"]["get"]>[0],
  { scope, subject }: { readonly scope: BudgetRule["scope"]; readonly subject?: string },
): Promise<string> {
  if (scope === "workspace") {
    if (subject !== undefined) throw badField("subject", "must be absent with the scope workspace");
    return "";
  }
  if (subject === undefined) throw badField("subject", `is required with the scope ${scope}`);
  switch (scope) {
    case "key": {
      const keyId = parseId<"key">(subject);
      if (keyId === null) throw badField("subject", "must be the id of a key");
      return (await identity.keys.get(workspaceId, keyId)).id;
    }
    case "tag": {
      const at = subject.indexOf("=");
      const problem =
        at < 0 ? "must be a tag such as project=spring" : checkPairs([[subject.slice(0, at), subject.slice(at + 1)]]);
      if (problem !== null) throw badField("subject", problem);
      return subject;
    }
    case "end_user":
      if (!isEndUser(subject)) throw badField("subject", "must have 1 to 128 visible ASCII characters");
      return subject;
  }
}

function readUrl({ webhooks }: BudgetRouteDeps, url: string | null): string | null {
  const problem = url === null ? null : webhooks.checkUrl(url);
  if (problem !== null) throw badField("webhook_url", problem);
  return url;
}
