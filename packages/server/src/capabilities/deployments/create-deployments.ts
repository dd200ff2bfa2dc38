// Deployments, put together: what operators change, what a request needs to know of one, how it stands, and the signal to
// an autoscaler. A request asks often and a deployment changes seldom: what it asks for may be a second old.
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
import type { Deployment, DeploymentId, DeploymentStatus, ReportedEnvironment, ReportedWorker } from "./deployment.ts";
import { poolOf } from "./deployment.ts";
import { deploymentStatus } from "./deployment-status.ts";
import { findDeployment, findDeployments, markAsked } from "./deployment-store.ts";
import { environmentProblems } from "./match-environment.ts";
import { runScaleSignal, type ScaleSignalDeps, tellAllWanted, tellWanted } from "./scale-signal.ts";
import { jobsThatMatter, wantedWorkers } from "./wanted-workers.ts";

export interface Deployments extends DeploymentChanges {
  // Throws not_found.
  get(id: DeploymentId): Promise<Deployment>;
  // In the order of making.
  list(page: { readonly after: DeploymentId | null; readonly count: number }): Promise<readonly Deployment[]>;
  status(deployment: Deployment): Promise<DeploymentStatus>;
  // At most a second old; null for what is no deployment.
  find(id: DeploymentId): Promise<Deployment | null>;
  // Throws deployment_stopped, or deployment_not_ready while no matching worker is there. Unless it is stopped it is noted
  // that it was asked for, which is what scaling from zero goes by.
  requireOpen(id: DeploymentId): Promise<void>;
  // Whether a worker like this may take jobs of the pool. A pool that is no deployment's takes every worker.
  problemsOf(poolId: PoolId, environment: ReportedEnvironment): Promise<readonly string[]>;
  // What one run in the pool may take, at most a second old. A pool that is no deployment's bounds nothing.
  boundsOf(poolId: PoolId): Promise<RunBounds>;
  // One round of the signal.
  signal(): Promise<void>;
  // Signals until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export interface DeploymentsDeps extends Omit<ChangeDeploymentsDeps, "changed" | "webhooks"> {
  readonly webhooks: ChangeDeploymentsDeps["webhooks"] & ScaleSignalDeps["webhooks"];
  // The workers of a pool that reported within the last minute.
  present(poolId: PoolId): Promise<readonly ReportedWorker[]>;
  readonly forgetting?: Forgetting;
}

const freshMs = 1_000;
const askedEveryMs = 10_000;
// A worker that is being started needs longer, but a client that waits asks again; short enough for one that does not.
const retryAfterSeconds = 5;
const keptMax = 10_000;

export function createDeployments(deps: DeploymentsDeps): Deployments {
  const { database, clock, forgetting = forgettingAlone } = deps;
  const recent = { clock, keepMs: freshMs, entriesMax: keptMax };
  const known = new TtlCache<DeploymentId, Deployment | null>(recent);
  const find = async (id: DeploymentId) => known.getOrLoad(id, () => findDeployment(database, id));
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
    const deployment = await findDeployment(database, id);
    if (deployment !== null) await tellWanted(signalDeps, deployment);
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
        throw new Fault("deployment_stopped", "This deployment is stopped. An operator has to start it again.");
      await noteAsked(id);
      if (state === "ready") return;
      // Not remembered: the worker may come in a moment.
      looked.delete(id);
      throw new Fault("deployment_not_ready", "No worker of this deployment is ready yet. Try again shortly.", {
        retryAfterSeconds,
      });
    },
    async problemsOf(poolId, environment) {
      const id = parseId<"deployment">(poolId);
      const deployment = id === null ? null : await find(id);
      return deployment === null ? [] : environmentProblems(deployment.environment, environment);
    },
    async boundsOf(poolId) {
      const id = parseId<"deployment">(poolId);
      const settings = id === null ? undefined : (await find(id))?.environment.settings;
      return {
        secondsMax: settings?.jobSecondsMax ?? null,
        memoryMegabytesMax: settings?.jobMemoryMegabytesMax ?? null,
      };
    },
    signal: () => tellAllWanted(signalDeps),
    run: (background, signal) => runScaleSignal(signalDeps, background, signal),
  };
}

// Of each deployment, counted no further than its bound.
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
