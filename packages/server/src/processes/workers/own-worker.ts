// The worker of this process: it takes jobs of the shared pool, or of the deployment that the process serves. It announces
// itself like every other worker, and takes nothing while it does not match the deployment's environment.
import { hostname } from "node:os";
import { type ClassSet, describeClasses } from "@atelier/engine";
import { type ApplicationWorkerDeps, startApplicationWorker } from "../../capabilities/application-workers/index.ts";
import type { Deployment, Deployments } from "../../capabilities/deployments/index.ts";
import { poolOf } from "../../capabilities/deployments/index.ts";
import { gatedPort } from "../../capabilities/graph-runs/index.ts";
import { describeEnvironment, type Pools, type ReportedWorker, sharedPool } from "../../capabilities/pools/index.ts";
import { newId } from "../../foundation/ids.ts";
import type { BuiltJobs } from "../build/build-jobs.ts";
import type { ProcessDeps } from "../build/process-deps.ts";
import { serverVersion } from "../server-version.ts";

// In a deployment's process the engine depends on the deployment: ours, or the application at ATELIER_APPLICATION_URL.
export function startWorkerOfProcess(deps: ApplicationWorkerDeps & OwnWorkerDeps): void {
  const { deployment, config } = deps;
  if (deployment === null || deployment.environment.engine === "embedded") startOwnWorker(deps);
  else if (config.applicationUrl !== null) startApplicationWorker(deps, deployment, config.applicationUrl);
  else deps.log.info({}, "ATELIER_APPLICATION_URL is not set: this deployment's workers must run elsewhere");
}

export interface OwnWorkerDeps extends ProcessDeps {
  readonly pools: Pick<Pools, "report" | "seen" | "leave" | "isDraining">;
  readonly deployments: Pick<Deployments, "problemsOf" | "boundsOf">;
  readonly deployment: Deployment | null;
  readonly built: BuiltJobs;
  readonly router: { readonly classes: ClassSet };
}

const reportEveryMs = 15_000;

function startOwnWorker(deps: OwnWorkerDeps): void {
  const { config, clock, log, deployment, built } = deps;
  const { slots, jobs } = built;
  if (slots === 0) return;
  const workerId = newId<"worker">();
  const poolId = deployment === null ? sharedPool : poolOf(deployment.id);
  const environment = describeEnvironment(
    "embedded",
    serverVersion,
    describeClasses(deps.router.classes.of(config.applicationProfile)),
  );
  const name = `${hostname().slice(0, 80)} ${process.pid}`;
  const worker = { workerId, poolId, name, slots, environment, modelsLoaded: [] };
  built.startWorker({
    workerId,
    poolId,
    slots,
    port: gatedPort(jobs.workers, {
      clock,
      log,
      problems: () => deps.deployments.problemsOf(poolId, { environment }),
      isDraining: () => deps.pools.isDraining(workerId),
      bounds: () => deps.deployments.boundsOf(poolId),
    }),
    jobSecondsMax: config.jobSecondsMax,
    jobMemoryMegabytesMax: config.jobMemoryMegabytesMax,
  });
  const presence = keepPresent(deps, worker);
  deps.life.onStop("presence of the worker", () => presence);
}

async function keepPresent({ pools, life }: OwnWorkerDeps, worker: ReportedWorker): Promise<void> {
  const round = () => pools.report(worker);
  await life.background.run({ name: "worker: report to its pool", everyMs: reportEveryMs, round }, life.stopping);
  await pools.leave(worker.workerId).catch(() => undefined);
}
