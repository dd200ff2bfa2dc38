// How many workers a deployment needs now, for the autoscaler. It never scales to zero while a caller is still asking,
// and never below or above the operator's limits.
import type { Deployment } from "./deployment.ts";

// One worker stays wanted for this long after the last submission, accepted or refused.
export const idleSeconds = 300;

export function wantedWorkers(
  deployment: Pick<Deployment, "workersMin" | "workersMax" | "jobsPerWorker" | "stoppedAt" | "askedAt">,
  unfinishedJobs: number,
  now: Date,
  askedSeconds: number = idleSeconds,
): number {
  if (deployment.stoppedAt !== null) return 0;
  const forJobs = Math.ceil(unfinishedJobs / deployment.jobsPerWorker);
  const isAsked = deployment.askedAt !== null && now.getTime() - deployment.askedAt.getTime() < askedSeconds * 1000;
  return Math.min(deployment.workersMax, Math.max(deployment.workersMin, forJobs, isAsked ? 1 : 0));
}

// More unfinished jobs than this cannot require another worker, so counting can stop.
export function jobsThatMatter(deployment: Pick<Deployment, "workersMax" | "jobsPerWorker">): number {
  return deployment.workersMax * deployment.jobsPerWorker;
}
