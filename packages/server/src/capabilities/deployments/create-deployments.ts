// Builds the capability of deployments: what operators change, what requests need to know, each one's status, and the
// signal to an autoscaler. Requests ask often and deployments rarely change, so requests may see data up to a second old.
import type { Background } from "../../foundation/background.ts";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { parseId, trustedId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { PoolId, RunBounds } from "../jobs/index.ts";
import { countUnfinishedJobs } from "../jobs/shared-sql.ts";
import {
  type ChangeDeploymentsDeps,
  createDeploymentChanges,
  type DeploymentChanges,
  noSuchDeployment,
} from "./change-deployments.ts";
import type { Deployment, DeploymentId, DeploymentStatus, MatchableWorker, ReportedWorker } from "./deployment.ts";
import { poolOf } from "./deployment.ts";
import { deploymentStatus } from "./deployment-status.ts";
import { findDeployment, findDeployments, markAsked } from "./deployment-store.ts";
import { lockProblems, workerProblems } from "./match-environment.ts";
import { createPoolPins, type PoolPins } from "./pool-pins.ts";
import { createPoolScaling, type PoolScaling } from "./pool-scaling.ts";
import {
  runScaleSignal,
  type ScaleSignalDeps,
  scaleSignalName,
  signalAllWanted,
  signalWanted,
} from "./scale-signal.ts";
import { jobsThatMatter, wantedWorkers } from "./wanted-workers.ts";

export interface Deployments extends DeploymentChanges {
  // Locks of pools without a deployment.
  readonly pins: PoolPins;
  // Processes that start workers.
  readonly scaling: PoolScaling;
  // Throws not_found.
  get(id: DeploymentId): Promise<Deployment>;
  // Oldest first.
  list(page: { readonly after: DeploymentId | null; readonly count: number }): Promise<readonly Deployment[]>;
  status(deployment: Deployment): Promise<DeploymentStatus>;
  // At most a second old. Null if there is no such deployment.
  find(id: DeploymentId): Promise<Deployment | null>;
  // Throws deployment_stopped, or deployment_not_ready while there is no matching worker. Unless it is stopped, records
  // that it was asked for, which scaling from zero relies on.
  requireOpen(id: DeploymentId): Promise<void>;
  // Why a worker like this cannot take jobs of the pool; empty if it can. A pool without a deployment and without a pinned
  // lock accepts every worker.
  problemsOf(poolId: PoolId, worker: MatchableWorker): Promise<readonly string[]>;
  // The lock that the pool's workers must equal, at most a second old. Null if none is pinned.
  lockOf(poolId: PoolId): Promise<string | null>;
  // The limits of one run in the pool, at most a second old. A pool without a deployment has none.
  boundsOf(poolId: PoolId): Promise<RunBounds>;
  // Runs one round of the scaling signal.
  signal(): Promise<void>;
  // Sends scaling signals until the abort signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface DeploymentsDeps extends Omit<ChangeDeploymentsDeps, "changed" | "webhooks"> {
  readonly webhooks: ChangeDeploymentsDeps["webhooks"] & ScaleSignalDeps["webhooks"];
  // Calls back for each job that becomes ready to run. Returns how to end that.
  onReady?(receive: (poolId: PoolId) => void): () => void;
  // The pool's workers that reported within the last minute.
  present(poolId: PoolId): Promise<readonly ReportedWorker[]>;
  readonly forgetting?: Forgetting;
}

const freshMs = 1_000;
const askedEveryMs = 10_000;
// Starting a worker takes longer, but a client that waits asks again; short enough for one that does not.
const retryAfterSeconds = 5;
const keptMax = 10_000;

export function createDeployments(deps: DeploymentsDeps): Deployments {
  const { database, clock, forgetting = forgettingAlone } = deps;
  const recent = { clock, keepMs: freshMs, entriesMax: keptMax };
  const known = new TtlCache<DeploymentId, Deployment | null>(recent);
  const find = async (id: DeploymentId) => known.getOrLoad(id, () => findDeployment(database, id));
  const pins = createPoolPins({ ...deps, recent, forgetting });
  const scaling = createPoolScaling({ ...deps, find: (id) => findDeployment(database, id) });
  const status = (deployment: Deployment) =>
    deploymentStatus(deployment, {
      workers: () => deps.present(poolOf(deployment.id)),
      countJobs: async (bound) => (await unfinishedJobs(database, [deployment], () => bound)).get(deployment.id) ?? 0,
      now: clock.now(),
    });
  const looked = new TtlCache<DeploymentId, DeploymentStatus["state"]>(recent);
  async function look(id: DeploymentId): Promise<DeploymentStatus["state"]> {
    const deployment = await find(id);
    if (deployment === null) throw noSuchDeployment();
    return (await status(deployment)).state;
  }
  const changes = createDeploymentChanges({
    ...deps,
    changed: forgetting.share("deployments", (id) => {
      known.delete(trustedId(id));
      looked.delete(trustedId(id));
    }),
  });
  const signalDeps: ScaleSignalDeps = {
    ...deps,
    statusOf: status,
    wantedBy: (some) => wantedBy(database, some, clock.now()),
  };
  const asked = new TtlCache<DeploymentId, true>({ clock, keepMs: askedEveryMs, entriesMax: keptMax });

  async function noteAsked(id: DeploymentId): Promise<void> {
    if (asked.get(id)) return;
    asked.set(id, true);
    await markAsked(database, id, clock.now());
    scaling.news(poolOf(id));
    const deployment = await findDeployment(database, id);
    if (deployment !== null) await signalWanted(signalDeps, deployment);
  }

  return {
    ...changes,
    async get(id) {
      const found = await findDeployment(database, id);
      if (found === null) throw noSuchDeployment();
      return found;
    },
    list: (page) => findDeployments(database, page),
    status,
    find,
    async requireOpen(id) {
      const state = await looked.getOrLoad(id, look);
      if (state === "stopped")
        throw new Fault("deployment_stopped", "This deployment is stopped. An operator must start it again.");
      await noteAsked(id);
      if (state === "ready") return;
      // Not cached, because a worker may arrive any moment.
      looked.delete(id);
      throw new Fault("deployment_not_ready", "No worker of this deployment is ready yet. Try again shortly.", {
        retryAfterSeconds,
      });
    },
    pins,
    scaling,
    ...poolRules(find, pins),
    signal: () => signalAllWanted(signalDeps),
    run: (background, signal) => runScaling(deps, { scaling, signalDeps }, background, signal),
  };
}

// What a pool asks of its workers, and the limits of a run there.
function poolRules(find: Deployments["find"], pins: PoolPins): Pick<Deployments, "problemsOf" | "lockOf" | "boundsOf"> {
  const deploymentOf = async (poolId: PoolId) => {
    const id = parseId<"deployment">(poolId);
    return id === null ? null : find(id);
  };
  return {
    async problemsOf(poolId, worker) {
      const deployment = await deploymentOf(poolId);
      if (deployment !== null) return workerProblems(deployment.environment, worker);
      return lockProblems(await pins.lockOf(poolId), worker);
    },
    async lockOf(poolId) {
      const deployment = await deploymentOf(poolId);
      return deployment === null ? pins.lockOf(poolId) : (deployment.environment.lockId ?? null);
    },
    async boundsOf(poolId) {
      const settings = (await deploymentOf(poolId))?.environment.settings;
      return {
        secondsMax: settings?.jobSecondsMax ?? null,
        memoryMegabytesMax: settings?.jobMemoryMegabytesMax ?? null,
      };
    },
  };
}

// A submission wakes the scalers of its pool and the signal, so that both decide within a second.
async function runScaling(
  deps: Pick<DeploymentsDeps, "onReady">,
  parts: { readonly scaling: PoolScaling; readonly signalDeps: ScaleSignalDeps },
  background: Background,
  signal: AbortSignal,
): Promise<void> {
  const { scaling, signalDeps } = parts;
  const leave = deps.onReady?.((poolId) => {
    scaling.news(poolId);
    if (parseId<"deployment">(poolId) !== null) background.wake(scaleSignalName);
  });
  const round = () => scaling.forget();
  const forgetting = {
    name: "deployments: forget scalers that are gone",
    role: "background",
    everyMs: 3_600_000,
  } as const;
  await Promise.all([runScaleSignal(signalDeps, background, signal), background.run({ ...forgetting, round }, signal)]);
  leave?.();
}

// Counts each deployment only up to its limit.
async function unfinishedJobs(
  db: Queryable,
  some: readonly Deployment[],
  boundOf: (one: Deployment) => number,
): Promise<ReadonlyMap<DeploymentId, number>> {
  const pools = some.map((one) => ({ poolId: poolOf(one.id), bound: boundOf(one) }));
  const counted = await countUnfinishedJobs(db, pools);
  return new Map(some.map(({ id }) => [id, counted.get(poolOf(id)) ?? 0]));
}

async function wantedBy(
  db: Queryable,
  some: readonly Deployment[],
  now: Date,
): Promise<ReadonlyMap<DeploymentId, number>> {
  const jobs = await unfinishedJobs(db, some, (one) => jobsThatMatter(one) + 1);
  return new Map(some.map((one) => [one.id, wantedWorkers(one, jobs.get(one.id) ?? 0, now)]));
}
