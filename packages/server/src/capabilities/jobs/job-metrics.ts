// Metrics of jobs. Counted on demand and kept for ten seconds, because with a million waiting jobs a count is not free.
import { Counter, Histogram } from "prom-client";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import { findJobFigures, type JobFigures } from "./job-invariants-store.ts";
import { registerNodeMetrics } from "./live/node-metrics.ts";
import { countPendingOutputs } from "./outputs/target-store.ts";

export interface JobMeter {
  claimed(waitedMs: number): void;
  swept(jobs: number): void;
  outputSent(outcome: "delivered" | "failed" | "dead"): void;
  // The state of the nodes when an attempt has ended (node-picture.ts).
  nodesEnded(nodes: string): void;
}

const freshMs = 10_000;

export function registerJobMetrics(
  metrics: Pick<Metrics, "gauge" | "counter" | "registry">,
  deps: { readonly database: Database; readonly clock: Clock; readonly watched: () => number },
): JobMeter {
  let kept: { readonly figures: Promise<JobFigures>; readonly untilMs: number } | undefined;
  const figures = () => {
    const nowMs = deps.clock.monotonicMs();
    if (!kept || kept.untilMs < nowMs) kept = { figures: findJobFigures(deps.database), untilMs: nowMs + freshMs };
    return kept.figures;
  };
  metrics.gauge("atelier_jobs_queued", "Jobs waiting for a worker.", async () => (await figures()).queued);
  metrics.gauge("atelier_jobs_running", "Jobs a worker is running.", async () => (await figures()).running);
  metrics.gauge(
    "atelier_jobs_oldest_queued_seconds",
    "How long the oldest waiting job has waited.",
    async () => (await figures()).oldestSeconds,
  );
  metrics.gauge("atelier_jobs_watched", "Jobs with a live event stream in this process.", deps.watched);
  const waited = new Histogram({
    name: "atelier_job_claim_seconds",
    help: "Time from a job's submission to its claim.",
    buckets: [0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10, 60, 600],
    registers: [metrics.registry],
  });
  const lost = metrics.counter("atelier_jobs_swept_total", "Jobs whose worker went silent.");
  metrics.gauge("atelier_output_deliveries_pending", "Outputs waiting for delivery to their job's target.", () =>
    countPendingOutputs(deps.database),
  );
  const sent = new Counter({
    name: "atelier_output_delivery_attempts_total",
    help: "Attempts to deliver an output to its job's target.",
    labelNames: ["outcome"],
    registers: [metrics.registry],
  });
  const nodes = registerNodeMetrics(metrics.registry);
  return {
    outputSent: (outcome) => sent.labels(outcome).inc(),
    nodesEnded: (text) => nodes.ended(text),
    claimed: (waitedMs) => waited.observe(waitedMs / 1000),
    swept: (jobs) => {
      if (jobs > 0) lost.add(jobs);
    },
  };
}
