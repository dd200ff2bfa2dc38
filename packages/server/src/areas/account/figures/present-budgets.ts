// Budgets in their wire format.
import type * as wire from "@atelier/contract";
import type { Budget, SeenBudget } from "../../../capabilities/calls/index.ts";
import { creditsText } from "../../../capabilities/prices/index.ts";

export function presentBudgets(budgets: readonly Budget[]): wire.BudgetList {
  return { data: budgets.map(present) };
}

export function presentBudget(budget: SeenBudget): wire.Budget {
  const alerts = budget.alerts.map(({ sequence, threshold, periodStart, amount, spent, held, at }) => ({
    sequence,
    threshold,
    period_start: periodStart,
    amount: creditsText(amount),
    spent: creditsText(spent),
    held: creditsText(held),
    at: at.toISOString(),
  }));
  return { ...present(budget), alerts };
}

function present(budget: Budget): wire.BudgetList["data"][number] {
  return {
    name: budget.name,
    scope: budget.scope,
    subject: budget.scope === "workspace" ? null : budget.subject,
    period: budget.period,
    amount: creditsText(budget.amount),
    at_limit: budget.atLimit,
    webhook_url: budget.webhookUrl,
    emails: [...budget.emails],
    period_start: budget.periodStart,
    spent: creditsText(budget.spent),
    held: creditsText(budget.held),
    alerted: budget.alerted,
    created_at: budget.createdAt.toISOString(),
  };
}
