// The journal as metrics, read on demand from a handful of rows.
import type { Database } from "../../../foundation/database/index.ts";
import type { Metrics } from "../../../foundation/metrics.ts";
import { type CreditFigures, findCreditFigures } from "./credits-store.ts";

export function registerCreditMetrics(metrics: Pick<Metrics, "gauge">, database: Database): void {
  // One scrape runs one statement, not one per metric.
  let looking: Promise<CreditFigures> | undefined;
  const figures = () => {
    looking ??= findCreditFigures(database).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  const credits = (amount: bigint) => Number(amount) / 1e6;
  metrics.gauge("atelier_credits_available", "Credits that all workspaces can spend.", async () =>
    credits((await figures()).available),
  );
  metrics.gauge("atelier_credits_held", "Credits held by open calls.", async () => credits((await figures()).held));
  metrics.gauge(
    "atelier_calls_in_flight",
    "Calls in progress at providers, over all processes.",
    async () => (await figures()).inFlight,
  );
  metrics.gauge(
    "atelier_journal_lines",
    "Approximate number of journal lines.",
    async () => (await figures()).journalLines,
  );
  metrics.gauge(
    "atelier_journal_closed_seconds",
    "When the last closed month of the books began, in Unix seconds.",
    async () => {
      const { closedMonth } = await figures();
      return closedMonth === null ? 0 : Date.parse(`${closedMonth}T00:00:00Z`) / 1000;
    },
  );
}
