// What operators watch: how many messages wait, for how long, and how attempts end.
import { Counter } from "prom-client";
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { findWaiting } from "./mail-store.ts";
import type { MailOutcome } from "./send-mail.ts";

export interface MailMeter {
  attempt(outcome: MailOutcome["kind"]): void;
}

export const silentMailMeter: MailMeter = { attempt: () => undefined };

export function mailMeter(
  metrics: Pick<Metrics, "registry" | "gauge">,
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
): MailMeter {
  const attempts = new Counter({
    name: "atelier_mail_attempts_total",
    help: "Attempts to send a mail by outcome.",
    labelNames: ["outcome"],
    registers: [metrics.registry],
  });
  for (const outcome of ["accepted", "refused", "unavailable"]) attempts.labels(outcome);
  metrics.gauge("atelier_mail_queue_age_seconds", "How long the oldest mail has waited.", async () => {
    const { oldest } = await findWaiting(database);
    return oldest === null ? 0 : Math.max(0, (clock.now().getTime() - oldest.getTime()) / 1000);
  });
  return { attempt: (outcome) => attempts.labels(outcome).inc() };
}
