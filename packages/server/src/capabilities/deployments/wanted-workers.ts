// How many workers a deployment needs now: what an autoscaler is told. It never scales to zero under a caller who is
// still asking, and never below or above what the operator said.
import type { Deployment } from "./deployment.ts";

// For so long after the last submission, accepted or refused, one worker stays wanted.
export const idleSeconds = 300;

export function wantedWorkers(
  deployment: Pick<Deployment, "workersMin" | "workersMax" | "jobsPerWorker" | "stoppedAt" | "askedAt">,
  unfinishedJobs: number,
  now: Date,
): number {
  if (deployment.stoppedAt !== null) return 0;
  const forJobs = Math.ceil(unfinishedJobs / deployment.jobsPerWorker);
  const isAsked = deployment.askedAt !== null && now.getTime() - deployment.askedAt.getTime() < idleSeconds * 1000;
  return Math.min(deployment.workersMax, Math.max(deployment.workersMin, forJobs, isAsked ? 1 : 0));
}

// Beyond this many unfinished jobs no further worker could be wanted, so counting can stop.
export function jobsThatMatter(deployment: Pick<Deployment, "workersMax" | "jobsPerWorker">): number {
  return deployment.workersMax * deployment.jobsPerWorker;
}
