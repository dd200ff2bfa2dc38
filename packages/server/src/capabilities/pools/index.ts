export {
  environmentIdOf,
  environmentOfDescriptions,
  type NodeClassDescriptions,
  type WorkerEnvironment,
} from "./environment.ts";
export type { PoolWorker, ReportedWorker, WorkerStanding } from "./pool-worker.ts";
export { createPools, type PoolClasses, type Pools, type PoolsDeps, type ReportedBy } from "./pools.ts";
