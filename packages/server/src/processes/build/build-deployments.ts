// Dedicated deployments in this process: the capability, and their v2 areas.
import {
  createDeployments,
  type Deployments,
  registerDeploymentMetrics,
  requirePools,
} from "../../capabilities/deployments/index.ts";
import type { Jobs, PoolId } from "../../capabilities/jobs/index.ts";
import { type Pools, sharedPool } from "../../capabilities/pools/index.ts";
import { type DeploymentAreaDeps, type DeploymentAreas, deploymentAreas } from "../../surfaces/deployment-areas.ts";
import { serverVersion } from "../server-version.ts";
import type { ServingDeps } from "./serving-deps.ts";

export interface DeploymentBuildDeps
  extends ServingDeps,
    Pick<DeploymentAreaDeps, "assets" | "work" | "graphsOfPool" | "hosts" | "only"> {
  readonly jobs: Jobs;
  readonly pools: Pools;
}

export interface BuiltDeployments extends DeploymentAreas {
  readonly deployments: Deployments;
  // Throws invalid_request for a pool that does not exist.
  requirePools(poolIds: readonly PoolId[]): Promise<void>;
}

export function buildDeployments(deps: DeploymentBuildDeps): BuiltDeployments {
  const { clock, life, jobs, pools } = deps;
  const { database } = deps.storage;
  const deployments = createDeployments({
    database,
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
  return {
    ...deploymentAreas({ ...deps, deployments, version: serverVersion }),
    deployments,
    requirePools: (poolIds) => requirePools(database, poolIds, sharedPool),
  };
}
