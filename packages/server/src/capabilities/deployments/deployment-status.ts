// The status of a deployment, from its record, its present workers and its unfinished jobs.
import type { Deployment, DeploymentStatus, MatchedWorker, ReportedWorker } from "./deployment.ts";
import { workerProblems } from "./match-environment.ts";
import { jobsThatMatter, wantedWorkers } from "./wanted-workers.ts";

export interface StatusFacts {
  workers(): Promise<readonly ReportedWorker[]>;
  countJobs(bound: number): Promise<number>;
  readonly now: Date;
}

export async function deploymentStatus(deployment: Deployment, facts: StatusFacts): Promise<DeploymentStatus> {
  const [reported, unfinishedJobs] = await Promise.all([
    facts.workers(),
    facts.countJobs(jobsThatMatter(deployment) + 1),
  ]);
  const workers = reported.map((worker) => ({
    ...worker,
    problems: workerProblems(deployment.environment, worker),
  }));
  return {
    ...stateOf(deployment, workers),
    workers,
    workersWanted: wantedWorkers(deployment, unfinishedJobs, facts.now),
    unfinishedJobs,
  };
}

export function stateOf(
  deployment: Pick<Deployment, "stoppedAt">,
  workers: readonly Pick<MatchedWorker, "name" | "problems">[],
): Pick<DeploymentStatus, "state" | "reason"> {
  if (deployment.stoppedAt !== null) return { state: "stopped", reason: "An operator stopped it." };
  if (workers.some(({ problems }) => problems.length === 0)) return { state: "ready", reason: null };
  const [first] = workers;
  if (first === undefined) return { state: "provisioning", reason: "No worker has reported within the last minute." };
  const more = workers.length > 1 ? ` None of the ${workers.length} workers match.` : "";
  const reason = `The worker ${first.name} does not match: ${first.problems.join(" ")}${more}`;
  return { state: "provisioning", reason };
}
