// Deployments as metrics, for autoscalers that read those. Computed on demand, at most every five seconds.
import { Gauge } from "prom-client";
import type { Clock } from "../../foundation/clock.ts";
import type { Metrics } from "../../foundation/metrics.ts";
import type { Deployments } from "./create-deployments.ts";
import type { Deployment, DeploymentStatus } from "./deployment.ts";

const freshMs = 5_000;
// With more than this many, a page of metrics is the wrong tool.
const shownMax = 1_000;

export function registerDeploymentMetrics(
  metrics: Pick<Metrics, "registry">,
  deps: { readonly deployments: Pick<Deployments, "list" | "status">; readonly clock: Clock },
): void {
  let kept: { readonly all: Promise<readonly [Deployment, DeploymentStatus][]>; readonly untilMs: number } | undefined;
  async function look(): Promise<[Deployment, DeploymentStatus][]> {
    const all: [Deployment, DeploymentStatus][] = [];
    for (const deployment of await deps.deployments.list({ after: null, count: shownMax }))
      all.push([deployment, await deps.deployments.status(deployment)]);
    return all;
  }
  const statuses = () => {
    const nowMs = deps.clock.monotonicMs();
    if (!kept || kept.untilMs < nowMs) kept = { all: look(), untilMs: nowMs + freshMs };
    return kept.all;
  };
  const gauge = (name: string, help: string, read: (status: DeploymentStatus) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["deployment", "name"],
      registers: [metrics.registry],
      async collect() {
        this.reset();
        const all = await statuses().catch(() => []);
        for (const [{ id, name: called }, status] of all) this.set({ deployment: id, name: called }, read(status));
      },
    });
  gauge("atelier_deployment_workers_wanted", "Workers that a deployment currently needs.", (one) => one.workersWanted);
  gauge(
    "atelier_deployment_workers_ready",
    "Workers that are connected and match the deployment's environment.",
    (one) => one.workers.filter(({ problems }) => problems.length === 0).length,
  );
  gauge(
    "atelier_deployment_unfinished_jobs",
    "Jobs that are queued or running, counted only as far as the maximum number of workers can use.",
    (one) => one.unfinishedJobs,
  );
}
