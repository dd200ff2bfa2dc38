export { createDeployments, type Deployments } from "./create-deployments.ts";
export {
  type Deployment,
  type DeploymentEnvironment,
  type DeploymentId,
  type DeploymentInput,
  type DeploymentStatus,
  type MatchedWorker,
  poolOf,
  type ReportedWorker,
} from "./deployment.ts";
export { registerDeploymentMetrics } from "./deployment-metrics.ts";
export { classesNotAllowed } from "./match-environment.ts";
export type { PoolScaler } from "./pool-scaler.ts";
export { requirePools } from "./require-pools.ts";
