// Alerts of budgets and of odd hours: what each says, and that it goes out as a signed webhook and as mail.
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { BudgetNotices, Budgets, OddSpendingWatch, SpendingNotices } from "../calls/index.ts";
import type { Mail } from "../mail/index.ts";
import { creditsText } from "../prices/index.ts";
import type { Webhooks } from "../webhooks/index.ts";
import { budgetMail, spendingMail } from "./alert-mails.ts";

interface AlertDeps {
  readonly webhooks: Pick<Webhooks, "enqueue" | "wake">;
  readonly mail: Pick<Mail, "enqueue" | "wake">;
  // Null if people could not open it.
  readonly consoleUrl: () => string | null;
}

// Hands on the alerts of budgets, and looks for odd hours.
export function watchMoney(
  life: Lifecycle,
  { budgets, oddSpending }: { readonly budgets: Budgets; readonly oddSpending: OddSpendingWatch },
  deps: AlertDeps,
): void {
  life.work("budgets", { run: (background, signal) => budgets.run(budgetNotices(deps), background, signal) });
  life.work("odd spending", {
    run: (background, signal) => oddSpending.run(spendingNotices(deps), background, signal),
  });
}

// Alerts of budgets as signed webhooks and as mail: both are written in the transaction that marks the alert as handed on.
function budgetNotices({ webhooks, mail, consoleUrl }: AlertDeps): BudgetNotices {
  return {
    async enqueue(tx, alerts) {
      await mail.enqueue(
        tx,
        alerts.map((alert) => budgetMail(alert, consoleUrl())),
      );
      return webhooks.enqueue(
        tx,
        alerts.map(({ budget, sequence, ...alert }) => ({
          workspaceId: budget.workspaceId,
          subjectId: budget.id,
          sequence,
          url: budget.webhookUrl,
          type: "budget.threshold",
          body: Buffer.from(
            JSON.stringify({
              budget: budget.name,
              scope: budget.scope,
              subject: budget.scope === "workspace" ? null : budget.subject,
              period: budget.period,
              period_start: alert.periodStart,
              at_limit: budget.atLimit,
              threshold: alert.threshold,
              amount: creditsText(alert.amount),
              spent: creditsText(alert.spent),
              held: creditsText(alert.held),
              at: alert.at.toISOString(),
              sequence,
            }),
          ),
        })),
      );
    },
    wake(addresses) {
      webhooks.wake(addresses);
      mail.wake();
    },
  };
}

// Odd hours, for endpoints and as mail, in the transaction that found them.
function spendingNotices({ webhooks, mail, consoleUrl }: AlertDeps): SpendingNotices {
  return {
    async enqueue(tx, found) {
      await mail.enqueue(
        tx,
        found.map((odd) => spendingMail(odd, consoleUrl())),
      );
      const addresses = await webhooks.enqueue(
        tx,
        found.map(({ workspaceId, sequence, ...odd }) => ({
          ...{ workspaceId, subjectId: workspaceId, sequence, url: null, type: "spending.odd" },
          body: Buffer.from(
            JSON.stringify({
              hour: odd.hour.toISOString(),
              spent: creditsText(odd.spent),
              average: creditsText(odd.average),
              highest: creditsText(odd.highest),
              weeks: odd.weeks,
              at: odd.at.toISOString(),
              sequence,
            }),
          ),
        })),
      );
      return () => {
        webhooks.wake(addresses);
        mail.wake();
      };
    },
  };
}
