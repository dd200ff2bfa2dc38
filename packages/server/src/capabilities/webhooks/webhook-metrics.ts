// What operators watch: how long the oldest delivery has waited, how many wait, how attempts end, and how late first
// attempts are.
import { Counter, Histogram } from "prom-client";
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { findQueueFigures } from "./queue-figures-store.ts";

export interface WebhookMeter {
  attempt(outcome: "taken" | "refused" | "unreached"): void;
  firstAttempt(delayMs: number): void;
  dead(count?: number): void;
}

export const silentMeter: WebhookMeter = { attempt: () => {}, firstAttempt: () => {}, dead: () => {} };

export function webhookMeter(
  metrics: Pick<Metrics, "registry" | "gauge" | "counter">,
  deps: { readonly database: Queryable; readonly clock: Clock },
): WebhookMeter {
  const attempts = new Counter({
    name: "atelier_webhook_attempts_total",
    help: "Attempts to deliver a webhook by outcome.",
    labelNames: ["outcome"],
    registers: [metrics.registry],
  });
  for (const outcome of ["taken", "refused", "unreached"]) attempts.labels(outcome);
  const delay = new Histogram({
    name: "atelier_webhook_first_attempt_seconds",
    help: "Time from a change to the first delivery attempt.",
    buckets: [0.01, 0.05, 0.25, 1, 2, 5, 15, 60, 600],
    registers: [metrics.registry],
  });
  const dead = metrics.counter("atelier_webhook_dead_total", "Deliveries given up after their last attempt.");
  let looking: ReturnType<typeof findQueueFigures> | undefined;
  const figures = () => {
    looking ??= findQueueFigures(deps.database, deps.clock.now()).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  metrics.gauge(
    "atelier_webhook_queue",
    "Deliveries waiting to be sent, including retries.",
    async () => (await figures()).waiting,
  );
  metrics.gauge(
    "atelier_webhook_queue_age_seconds",
    "How long the oldest delivery has been due.",
    async () => (await figures()).oldestDueSeconds,
  );
  metrics.gauge(
    "atelier_webhook_receivers_disabled",
    "Receivers that are disabled.",
    async () => (await figures()).disabled,
  );
  return {
    attempt: (outcome) => attempts.labels(outcome).inc(),
    firstAttempt: (delayMs) => delay.observe(Math.max(0, delayMs) / 1000),
    dead: (count = 1) => dead.add(count),
  };
}
