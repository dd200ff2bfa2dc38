// Metrics for background work: when each work last finished, how long it took and how often it failed. Alert on "last finished
// too long ago" to find work that is stuck.
import { Gauge } from "prom-client";
import type { Background, WorkReport } from "./background.ts";
import type { Metrics } from "./metrics.ts";

export function registerBackgroundMetrics(metrics: Pick<Metrics, "registry">, background: Background): void {
  const gauge = (name: string, help: string, read: (report: WorkReport) => number | undefined) =>
    new Gauge({
      name,
      help,
      labelNames: ["work"],
      registers: [metrics.registry],
      collect() {
        for (const report of background.reports()) {
          const value = read(report);
          if (value !== undefined) this.set({ work: report.name }, value);
        }
      },
    });
  gauge("atelier_background_interval_seconds", "Time from the end of one round to the start of the next.", (report) => {
    return report.everySeconds;
  });
  gauge("atelier_background_last_end_seconds", "When the newest round ended, in seconds since 1970.", ({ last }) =>
    last === null ? undefined : (last.startedAt.getTime() + last.milliseconds) / 1000,
  );
  gauge("atelier_background_last_duration_seconds", "How long the newest round took.", ({ last }) =>
    last === null ? undefined : last.milliseconds / 1000,
  );
  gauge("atelier_background_last_failed", "1 if the newest round failed, else 0.", ({ last }) =>
    last === null ? undefined : Number(last.result === "failed"),
  );
  gauge("atelier_background_rounds", "Rounds since the process started.", ({ rounds }) => rounds);
  gauge("atelier_background_failures", "Rounds that failed since the process started.", ({ failures }) => failures);
}
