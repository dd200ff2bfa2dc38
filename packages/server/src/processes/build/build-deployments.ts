// Dedicated deployments in this process: the capability, their v2 areas under a mount path, the host names that lead there, and
// the surface used in a job's webhook. A deployment's areas are built on its first request.
import { type GraphEstimate, operations } from "@atelier/contract";
import { BoundedMap } from "@atelier/engine/bounded-map";
import { surfaceDocument } from "../../areas/system/index.ts";
import {
  estimateWorkflow,
  type Surface,
  type WorkflowCaller,
  type WorkflowWork,
  workflowAreas,
} from "../../areas/workflows/index.ts";
import type { Assets } from "../../capabilities/assets/index.ts";
import {
  classesNotAllowed,
  createDeployments,
  type Deployment,
  type DeploymentId,
  type Deployments,
  poolOf,
  registerDeploymentMetrics,
  requirePools,
} from "../../capabilities/deployments/index.ts";
import type { Graphs, NodePolicy } from "../../capabilities/graphs/index.ts";
import type { Jobs, PoolId } from "../../capabilities/jobs/index.ts";
import type { Pools } from "../../capabilities/pools/index.ts";
import { sharedPool } from "../../capabilities/pools/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Area, Arrival } from "../../foundation/http/area.ts";
import { newId, parseId, trustedId } from "../../foundation/ids.ts";
import { areasByArrival } from "../../surfaces/areas-by-arrival.ts";
import { deployment, deploymentLinks } from "../../surfaces/deployment.ts";
import { type DeploymentHosts, deploymentMount, deploymentMountPattern } from "../../surfaces/deployment-host.ts";
import { serverVersion } from "../server-version.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface DeploymentBuildDeps extends ServingDeps {
  readonly assets: Assets;
  readonly jobs: Jobs;
  readonly pools: Pools;
  // The work of the managed surface; a deployment's environment narrows it.
  readonly work: WorkflowWork;
  // What the applications behind a pool's workers can run.
  readonly graphsOfPool: (poolId: PoolId) => Graphs;
  readonly hosts: DeploymentHosts;
  // The deployment that this process serves alone. Null to serve all of them under their mount paths.
  readonly only: DeploymentId | null;
}

export interface DeploymentEstimate {
  readonly caller: WorkflowCaller;
  readonly deploymentId: string;
  readonly bytes: Buffer;
}

export interface BuiltDeployments {
  readonly deployments: Deployments;
  readonly areas: readonly Area[];
  urlsOf(id: DeploymentId): { readonly mount: string; readonly host: string | null };
  // Throws not_found for a deployment that is not the caller's, and everything that a submission there would throw.
  estimate(asked: DeploymentEstimate): Promise<GraphEstimate>;
  // Throws invalid_request for a pool that does not exist.
  requirePools(poolIds: readonly PoolId[]): Promise<void>;
}

export function buildDeployments(deps: DeploymentBuildDeps): BuiltDeployments {
  const { clock, life, jobs, pools } = deps;
  const deployments = createDeployments({
    database: deps.storage.database,
    clock,
    audit: deps.capabilities.audit,
    webhooks: deps.webhooks,
    jobs,
    present: (poolId) => pools.present(poolId),
    onReady: (receive) => jobs.onReady(receive),
    forgetting: deps.paying.forgetting,
  });
  registerDeploymentMetrics(deps.metrics, { deployments, clock });
  life.work("scaling signal of deployments", deployments);
  const surfaceFor = (deploymentId: DeploymentId, hasOwnHost: boolean) =>
    deployment({
      ...deps.capabilities,
      assets: deps.assets,
      deployments,
      deploymentId,
      hasOwnHost,
      publicUrl: () => publicUrlOf(deps, deploymentId, hasOwnHost),
    });
  const areasOf = (found: Deployment, hasOwnHost: boolean) =>
    workflowAreas({
      surface: surfaceFor(found.id, hasOwnHost),
      assets: deps.assets,
      limits: deps.capabilities.limits,
      clock,
      work: workOf(deps, deployments, found),
    });
  const pattern = patternOf(deps, surfaceFor(newId(), false));
  const areas = areasByArrival({
    pattern,
    mountPath: deploymentMountPattern,
    choose: chooser(deps, deployments, areasOf),
  });
  return {
    deployments,
    async estimate({ caller, deploymentId, bytes }) {
      const id = parseId<"deployment">(deploymentId);
      const found = id && (await deployments.find(id));
      if (found === null) throw new Fault("not_found", "There is no such deployment.");
      const surface = surfaceFor(found.id, false);
      await surface.admit(caller);
      const { assets, capabilities } = deps;
      return estimateWorkflow({ ...workOf(deps, deployments, found), ...capabilities, surface, assets }, caller, bytes);
    },
    areas: [...areas, documentOf(deps, pattern)],
    requirePools: (poolIds) => requirePools(deps.storage.database, poolIds, sharedPool),
    urlsOf: (id) => ({ mount: deploymentMount(id), host: deps.hosts.urlOf(id) }),
  };
}

// For the webhooks of a deployment's jobs.
export function surfaceOfPool(
  deps: Pick<DeploymentBuildDeps, "config" | "hosts" | "only" | "capabilities" | "assets">,
  poolId: PoolId,
): Surface {
  const deploymentId = trustedId<"deployment">(poolId);
  const hasOwnHost = deps.only !== null;
  const publicUrl = () => publicUrlOf(deps, deploymentId, hasOwnHost);
  return deploymentLinks({ ...deps.capabilities, assets: deps.assets, deploymentId, hasOwnHost, publicUrl });
}

// The routes are the same for every deployment, so this one is a placeholder that is never called.
function patternOf(deps: DeploymentBuildDeps, surface: Surface): Area[] {
  return workflowAreas({
    surface,
    assets: deps.assets,
    limits: deps.capabilities.limits,
    clock: deps.clock,
    work: deps.work,
  });
}

// The same for every deployment, existing or not, so it reveals nothing about which exist.
function documentOf({ hosts, only }: DeploymentBuildDeps, pattern: readonly Area[]): Area {
  const { getHealth, getLiveness, getReadiness, getMetrics } = operations;
  const ofProcess = only === null ? [] : [getHealth, getLiveness, getReadiness, getMetrics];
  return surfaceDocument({
    title: "Atelier deployment API",
    version: serverVersion,
    mountPath: deploymentMountPattern,
    mounted: () => [...pattern.flatMap(({ routes }) => routes.map(({ operation }) => operation)), ...ofProcess],
    serverOf: ({ path, headers }) =>
      only !== null || hosts.idIn(headers.host ?? "") !== null ? "/" : path.slice(0, path.lastIndexOf("/")),
  });
}

const keptMax = 1_000;

function chooser(
  deps: DeploymentBuildDeps,
  deployments: Deployments,
  areasOf: (found: Deployment, hasOwnHost: boolean) => readonly Area[],
) {
  const kept = new BoundedMap<string, readonly Area[]>(keptMax);
  return async (arrival: Arrival): Promise<readonly Area[]> => {
    const id = idIn(arrival.path);
    const found = id === null ? null : await deployments.find(id);
    if (found === null) throw new Fault("not_found", "There is no such deployment.");
    const hasOwnHost = deps.only !== null || deps.hosts.idIn(arrival.headers.host ?? "") !== null;
    const key = `${found.id} ${found.environment.engine} ${hasOwnHost}`;
    const known = kept.get(key);
    if (known) return known;
    const made = areasOf(found, hasOwnHost);
    kept.set(key, made);
    return made;
  };
}

// The position of the parameter in the mount path. An id in an encoded spelling is not accepted.
function idIn(path: string): DeploymentId | null {
  return parseId<"deployment">(path.split("/", 3)[2] ?? "");
}

function publicUrlOf(
  deps: Pick<DeploymentBuildDeps, "config" | "hosts" | "only">,
  id: DeploymentId,
  hasOwnHost: boolean,
): string | null {
  const { config, hosts, only } = deps;
  if (!hasOwnHost) return config.deploymentUrl ?? config.baseUrl;
  const named = config.deploymentUrl === null ? null : hosts.urlOf(id);
  return only === null ? named : (config.baseUrl ?? named);
}

// The node classes come from the workers; only those that the environment allows can be used.
function workOf(deps: DeploymentBuildDeps, deployments: Deployments, found: Deployment): WorkflowWork {
  const { work } = deps;
  const policy: NodePolicy = {
    async refused(asked) {
      const now = (await deployments.find(found.id)) ?? found;
      return [...(await work.policy.refused(asked)), ...classesNotAllowed(now.environment, asked.classes)];
    },
  };
  const graphs = found.environment.engine === "embedded" ? work.graphs : deps.graphsOfPool(poolOf(found.id));
  return { ...work, policy, graphs };
}
