// How a worker beside the queue keeps its leases, and hears of cancels at once.
import { type Jobs, leaseRulesOf } from "../jobs/index.ts";
import type { GraphWorkerOptions } from "./graph-worker.ts";

export function besideJobs(
  jobs: Pick<Jobs, "watch">,
  leaseSeconds: number,
): Pick<GraphWorkerOptions, "heartbeatMs" | "selfFenceMs" | "onCancel"> {
  const { heartbeatSeconds, selfFenceSeconds } = leaseRulesOf(leaseSeconds);
  return {
    heartbeatMs: heartbeatSeconds * 1000,
    selfFenceMs: selfFenceSeconds * 1000,
    onCancel: (jobId, canceled) =>
      jobs.watch(jobId, ({ job }) => {
        if (job.state === "canceling") canceled();
      }),
  };
}
