// Checks whether a worker matches a deployment's environment. Pure, with messages an operator can act on: the same ones
// appear in the admin read and in the log of a worker that gets no jobs.
import type { DeploymentEnvironment, MatchableWorker, ReportedEnvironment } from "./deployment.ts";

const problemsMax = 20;
const driftMax = 300;
export const anyVersion = "*";

// Empty if it matches.
export function workerProblems(pinned: DeploymentEnvironment, worker: MatchableWorker): string[] {
  return bounded([...environmentProblems(pinned, worker.environment), ...lockProblems(pinned.lockId ?? null, worker)]);
}

// Our own engine has no folder that could differ, so a lock concerns only workers beside an application.
export function lockProblems(pinned: string | null, { environment, lock }: MatchableWorker): string[] {
  if (pinned === null || environment.engine === "embedded" || lock?.lockId === pinned) return [];
  const named = `the pinned lock ${pinned.slice(0, 12)}`;
  if (!lock) return [`It does not compare its folder with ${named}. Start it with --application-folder.`];
  if (lock.against !== pinned) return [`It has not yet compared its folder with ${named}.`];
  return bounded(lock.drift.map((words) => `It differs from ${named}: ${shown(words, driftMax)}.`));
}

export function environmentProblems(
  pinned: Pick<DeploymentEnvironment, "engine" | "engineVersion" | "nodeClasses">,
  reported: ReportedEnvironment,
): string[] {
  const problems: string[] = [];
  if (reported.engine !== pinned.engine) problems.push(`The engine is ${reported.engine}; ${pinned.engine} is pinned.`);
  if (pinned.engineVersion !== null && reported.version !== pinned.engineVersion)
    problems.push(`The engine's version is ${shown(reported.version)}; ${shown(pinned.engineVersion)} is pinned.`);
  for (const [name, version] of Object.entries(pinned.nodeClasses ?? {})) {
    const own = Object.hasOwn(reported.classes, name) ? reported.classes[name] : undefined;
    if (own === undefined) problems.push(`The node class ${shown(name)} is missing.`);
    else if (version !== anyVersion && own !== version)
      problems.push(`The node class ${shown(name)} has version ${shown(own)}; ${shown(version)} is pinned.`);
  }
  return bounded(problems);
}

function bounded(problems: readonly string[]): string[] {
  if (problems.length <= problemsMax) return [...problems];
  return [...problems.slice(0, problemsMax - 1), `And ${problems.length - problemsMax + 1} more.`];
}

// Workers are other people's programs, so what they report is cut before it is shown.
function shown(text: string, charactersMax = 80): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}

// The classes of a graph that the environment does not allow.
export function classesNotAllowed(
  pinned: Pick<DeploymentEnvironment, "nodeClasses">,
  classes: readonly string[],
): string[] {
  const { nodeClasses } = pinned;
  return nodeClasses === null ? [] : classes.filter((name) => !Object.hasOwn(nodeClasses, name));
}
