// Metrics of queued model calls. Counted on demand and kept for ten seconds.
import { Histogram } from "prom-client";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { findRequestFigures, type RequestFigures } from "./request-store.ts";

const freshMs = 10_000;

export function registerRequestMetrics(
  metrics: Pick<Metrics, "gauge" | "registry">,
  deps: { readonly database: Database; readonly clock: Clock },
): { started(waitedMs: number): void } {
  let kept: { readonly figures: Promise<RequestFigures>; readonly untilMs: number } | undefined;
  const figures = () => {
    const nowMs = deps.clock.monotonicMs();
    if (!kept || kept.untilMs < nowMs) kept = { figures: findRequestFigures(deps.database), untilMs: nowMs + freshMs };
    return kept.figures;
  };
  metrics.gauge("atelier_model_requests_queued", "Queued model calls waiting for a slot.", async () => {
    return (await figures()).queued;
  });
  metrics.gauge("atelier_model_requests_running", "Queued model calls in progress at their provider.", async () => {
    return (await figures()).running;
  });
  metrics.gauge("atelier_model_requests_oldest_queued_seconds", "How long the oldest of them has waited.", async () => {
    return (await figures()).oldestSeconds;
  });
  const waited = new Histogram({
    name: "atelier_model_request_wait_seconds",
    help: "Time from a queued model call's submission to its start.",
    buckets: [0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10, 60, 600, 3600],
    registers: [metrics.registry],
  });
  return { started: (waitedMs) => waited.observe(waitedMs / 1000) };
}
