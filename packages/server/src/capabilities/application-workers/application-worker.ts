// The worker of a deployment's process next to an application. It reports what the application can run, and gives it jobs while
// it is up and matches the environment that the deployment pins. Otherwise it takes none.
import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { join, resolve } from "node:path";
import type { Clock } from "../../foundation/clock.ts";
import { newId } from "../../foundation/ids.ts";
import { writeExactJson } from "../../foundation/json/exact-json.ts";
import type { Lifecycle } from "../../foundation/lifecycle.ts";
import type { Log } from "../../foundation/log.ts";
import type { Tracer } from "../../foundation/tracing/index.ts";
import { type Application, applicationRunner, openApplication } from "../applications/index.ts";
import type { Assets } from "../assets/index.ts";
import { type Blobs, blake3Stream } from "../blobs/index.ts";
import { type Deployment, type Deployments, poolOf } from "../deployments/index.ts";
import type { Environments } from "../environments/index.ts";
import { besideJobs, createGraphWorker, gatedPort } from "../graph-runs/index.ts";
import type { Jobs, PoolId, WorkerId } from "../jobs/index.ts";
import type { Pools } from "../pools/index.ts";
import type { RemoteEnvironment } from "../remote-work/index.ts";
import { environmentOfApplication, runningApplication } from "./application-engine.ts";
import { openFile } from "./run-application-jobs.ts";
import { type LockWatch, watchLock } from "./watch-lock.ts";

export interface ApplicationWorkerDeps {
  readonly config: {
    readonly applicationFolder: string | null;
    readonly engineSlots: number | null;
    readonly home: string;
    readonly jobDrainSeconds: number;
    readonly jobLeaseSeconds: number;
    readonly jobSecondsMax: number;
  };
  readonly life: Lifecycle;
  readonly clock: Clock;
  readonly log: Log;
  readonly tracer?: Tracer | null;
  readonly pools: Pick<Pools, "report" | "describe" | "leave" | "isDraining">;
  readonly deployments: Pick<Deployments, "problemsOf" | "boundsOf" | "lockOf">;
  readonly environments: Pick<Environments, "lock">;
  readonly jobs: Jobs;
  readonly assets: Pick<Assets, "find" | "shrink">;
  readonly blobs: Pick<Blobs, "open">;
}

const reportEveryMs = 5_000;
const lookAgainMs = 1_000;

interface Beside {
  readonly workerId: WorkerId;
  readonly poolId: PoolId;
  readonly slots: number;
  readonly application: Application;
  // Null without ATELIER_APPLICATION_FOLDER.
  readonly watch: LockWatch | null;
  // Null while the application is down.
  environment: RemoteEnvironment | null;
  // The hash of the last environment seen.
  environmentId: Buffer;
}

const unknown = { environment: null, environmentId: Buffer.alloc(0) };

export function startApplicationWorker(deps: ApplicationWorkerDeps, deployment: Deployment, url: string): void {
  const { config, life, clock, log, jobs } = deps;
  const workerId = newId<"worker">();
  const poolId = poolOf(deployment.id);
  const application = openApplication({ url, clock, log, clientId: workerId });
  life.onStop("application", () => application.close());
  const watch = watchBeside(deps, poolId, application);
  const beside: Beside = { workerId, poolId, slots: config.engineSlots ?? 1, application, watch, ...unknown };
  const worker = createGraphWorker({
    workerId,
    poolId,
    slots: beside.slots,
    port: gatedPort(jobs.workers, {
      clock,
      log,
      problems: () => problemsOf(deps, beside),
      isDraining: () => deps.pools.isDraining(workerId),
      bounds: () => deps.deployments.boundsOf(poolId),
      lockId: async () => (await deps.deployments.lockOf(poolId)) ?? watch?.now()?.lockId ?? null,
    }),
    runner: applicationRunner({
      application,
      clock,
      log,
      timing: { runMsMax: config.jobSecondsMax * 1000 },
      shrinkPicture: (bytes, side) => deps.assets.shrink(bytes, side),
      openFile: (workspaceId, reference) => openFile(deps, workspaceId, reference),
    }),
    offer: () => ({
      classes: new Set(Object.keys(beside.environment?.classes ?? {})),
      modelsLoaded: new Set(application.modelsLoaded()),
    }),
    clock,
    log,
    tracer: deps.tracer ?? null,
    ...besideJobs(jobs, config.jobLeaseSeconds),
    drainMs: config.jobDrainSeconds * 1000,
  });
  const presence = keepPresent(deps, beside);
  life.onStop("presence of the worker", () => presence);
  life.work("running graphs", worker, config.jobDrainSeconds + 15);
}

async function problemsOf({ deployments }: ApplicationWorkerDeps, beside: Beside): Promise<readonly string[]> {
  const { environment, poolId, watch } = beside;
  if (environment === null) return ["The application does not respond."];
  return deployments.problemsOf(poolId, { environment, lock: watch?.now() ?? null });
}

function watchBeside(deps: ApplicationWorkerDeps, poolId: PoolId, application: Application): LockWatch | null {
  const { config, life, deployments, environments } = deps;
  if (config.applicationFolder === null) return null;
  const watch = watchLock({
    ...deps,
    // Python is found by its path in the folder, or as the system's.
    env: {},
    folder: resolve(config.applicationFolder),
    memory: join(resolve(config.home), "env", "hashes"),
    blake3: blake3Stream(),
    running: () => runningApplication(application),
    async pinned() {
      const lockId = await deployments.lockOf(poolId);
      return lockId === null ? null : environments.lock(lockId);
    },
    // Its next report is soon.
    onChange: () => undefined,
  });
  life.work("comparing with the lock", watch);
  return watch;
}

async function keepPresent(deps: ApplicationWorkerDeps, beside: Beside): Promise<void> {
  const { life, pools } = deps;
  const look = environmentOfApplication(beside.application, deps.clock);
  const work = {
    name: "worker: report to its pool",
    everyMs: () => (beside.environment === null ? lookAgainMs : reportEveryMs),
    round: async () => reportToPool(deps, beside, await look()),
  };
  await life.background.run(work, life.stopping);
  await pools.leave(beside.workerId).catch(() => undefined);
}

// Descriptions come first, so that a process that sees the worker can check graphs for it.
async function reportToPool(
  { pools }: ApplicationWorkerDeps,
  beside: Beside,
  found: RemoteEnvironment | null,
): Promise<void> {
  const { workerId, poolId, slots, application } = beside;
  const before = beside.environment;
  beside.environment = found;
  if (found === null) return before === null ? undefined : pools.leave(workerId);
  const { descriptions, ...environment } = found;
  // Hashes everything it reports, including its lists of files: an added model makes a different environment with the same
  // classes.
  if (found !== before) beside.environmentId = createHash("sha256").update(writeExactJson(found)).digest();
  const { environmentId } = beside;
  if (found !== before) await pools.describe(environmentId, environment, descriptions);
  const lock = beside.watch?.now() ?? null;
  const name = `${hostname().slice(0, 80)} ${process.pid}`;
  const worker = { workerId, poolId, name, slots, environment, modelsLoaded: application.modelsLoaded(), lock };
  await pools.report(worker, { tokenId: null, environmentId });
}
