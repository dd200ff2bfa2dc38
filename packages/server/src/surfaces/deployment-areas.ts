// The areas of dedicated deployments: under their mount paths for all of them, at the root for a process that serves one. They
// are made on a deployment's first request.
import { type GraphEstimate, operations } from "@atelier/contract";
import { BoundedMap } from "@atelier/engine/bounded-map";
import { surfaceDocument } from "../areas/system/index.ts";
import {
  estimateWorkflow,
  type Surface,
  type WorkflowCaller,
  type WorkflowWork,
  workflowAreas,
} from "../areas/workflows/index.ts";
import type { Assets } from "../capabilities/assets/index.ts";
import {
  classesNotAllowed,
  type Deployment,
  type DeploymentId,
  type Deployments,
  poolOf,
} from "../capabilities/deployments/index.ts";
import type { Graphs, NodePolicy } from "../capabilities/graphs/index.ts";
import type { PoolId } from "../capabilities/jobs/index.ts";
import type { Limits } from "../capabilities/limits/index.ts";
import type { Clock } from "../foundation/clock.ts";
import { Fault } from "../foundation/fault.ts";
import type { Area, Arrival } from "../foundation/http/area.ts";
import { newId, parseId, trustedId } from "../foundation/ids.ts";
import { areasByArrival } from "./areas-by-arrival.ts";
import type { CloudDeps } from "./cloud.ts";
import { deployment, deploymentLinks } from "./deployment.ts";
import { type DeploymentHosts, deploymentMount, deploymentMountPattern } from "./deployment-host.ts";

interface AddressDeps {
  readonly config: { readonly baseUrl: string | null; readonly deploymentUrl: string | null };
  readonly hosts: DeploymentHosts;
  // The deployment that this process serves alone. Null to serve all of them under their mount paths.
  readonly only: DeploymentId | null;
}

export interface DeploymentAreaDeps extends AddressDeps {
  readonly capabilities: Pick<CloudDeps, "identity"> & {
    readonly limits: CloudDeps["limits"] & Pick<Limits, "limitOf">;
  };
  readonly deployments: Deployments;
  readonly clock: Clock;
  // Of the server.
  readonly version: string;
  readonly assets: Assets;
  // The work of the managed surface; a deployment's environment narrows it.
  readonly work: WorkflowWork;
  // What the applications behind a pool's workers can run.
  readonly graphsOfPool: (poolId: PoolId) => Graphs;
}

export interface DeploymentEstimate {
  readonly caller: WorkflowCaller;
  readonly deploymentId: string;
  readonly bytes: Buffer;
}

export interface DeploymentAreas {
  readonly areas: readonly Area[];
  urlsOf(id: DeploymentId): { readonly mount: string; readonly host: string | null };
  // Throws not_found for a deployment that is not the caller's, and everything that a submission there would throw.
  estimate(asked: DeploymentEstimate): Promise<GraphEstimate>;
}

export function deploymentAreas(deps: DeploymentAreaDeps): DeploymentAreas {
  const { assets, capabilities, clock, deployments } = deps;
  const surfaceFor = (deploymentId: DeploymentId, hasOwnHost: boolean) =>
    deployment({
      ...capabilities,
      assets,
      deployments,
      deploymentId,
      hasOwnHost,
      publicUrl: () => publicUrlOf(deps, deploymentId, hasOwnHost),
    });
  const areasOf = (found: Deployment, hasOwnHost: boolean) =>
    workflowAreas({
      surface: surfaceFor(found.id, hasOwnHost),
      assets,
      limits: capabilities.limits,
      clock,
      work: workOf(deps, found),
    });
  const pattern = patternOf(deps, surfaceFor(newId(), false));
  const areas = areasByArrival({ pattern, mountPath: deploymentMountPattern, choose: chooser(deps, areasOf) });
  return {
    areas: [...areas, documentOf(deps, pattern)],
    urlsOf: (id) => ({ mount: deploymentMount(id), host: deps.hosts.urlOf(id) }),
    async estimate({ caller, deploymentId, bytes }) {
      const id = parseId<"deployment">(deploymentId);
      const found = id && (await deployments.find(id));
      if (found === null) throw new Fault("not_found", "There is no such deployment.");
      const surface = surfaceFor(found.id, false);
      await surface.admit(caller);
      return estimateWorkflow({ ...workOf(deps, found), ...capabilities, surface, assets }, caller, bytes);
    },
  };
}

// For the webhooks of a deployment's jobs.
export function surfaceOfPool(
  deps: AddressDeps & Pick<DeploymentAreaDeps, "capabilities" | "assets">,
  poolId: PoolId,
): Surface {
  const deploymentId = trustedId<"deployment">(poolId);
  const hasOwnHost = deps.only !== null;
  const publicUrl = () => publicUrlOf(deps, deploymentId, hasOwnHost);
  return deploymentLinks({ ...deps.capabilities, assets: deps.assets, deploymentId, hasOwnHost, publicUrl });
}

// The routes are the same for every deployment, so this one is a placeholder that is never called.
function patternOf(deps: DeploymentAreaDeps, surface: Surface): Area[] {
  return workflowAreas({
    surface,
    assets: deps.assets,
    limits: deps.capabilities.limits,
    clock: deps.clock,
    work: deps.work,
  });
}

// The same for every deployment, existing or not, so it reveals nothing about which exist.
function documentOf({ hosts, only, version }: DeploymentAreaDeps, pattern: readonly Area[]): Area {
  const { getHealth, getLiveness, getReadiness, getMetrics } = operations;
  const ofProcess = only === null ? [] : [getHealth, getLiveness, getReadiness, getMetrics];
  return surfaceDocument({
    title: "Atelier deployment API",
    version,
    mountPath: deploymentMountPattern,
    mounted: () => [...pattern.flatMap(({ routes }) => routes.map(({ operation }) => operation)), ...ofProcess],
    serverOf: ({ path, headers }) =>
      only !== null || hosts.idIn(headers.host ?? "") !== null ? "/" : path.slice(0, path.lastIndexOf("/")),
  });
}

const keptMax = 1_000;

function chooser(deps: DeploymentAreaDeps, areasOf: (found: Deployment, hasOwnHost: boolean) => readonly Area[]) {
  const kept = new BoundedMap<string, readonly Area[]>(keptMax);
  return async (arrival: Arrival): Promise<readonly Area[]> => {
    const id = idIn(arrival.path);
    const found = id === null ? null : await deps.deployments.find(id);
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

function publicUrlOf(deps: AddressDeps, id: DeploymentId, hasOwnHost: boolean): string | null {
  const { config, hosts, only } = deps;
  if (!hasOwnHost) return config.deploymentUrl ?? config.baseUrl;
  const named = config.deploymentUrl === null ? null : hosts.urlOf(id);
  return only === null ? named : (config.baseUrl ?? named);
}

// The node classes come from the workers; only those that the environment allows can be used.
function workOf(deps: DeploymentAreaDeps, found: Deployment): WorkflowWork {
  const { work, deployments } = deps;
  const policy: NodePolicy = {
    async refused(asked) {
      const now = (await deployments.find(found.id)) ?? found;
      return [...(await work.policy.refused(asked)), ...classesNotAllowed(now.environment, asked.classes)];
    },
  };
  const graphs = found.environment.engine === "embedded" ? work.graphs : deps.graphsOfPool(poolOf(found.id));
  return { ...work, policy, graphs };
}
