export {
  environmentIdOf,
  environmentOfDescriptions,
  type NodeClassDescriptions,
  type WorkerEnvironment,
} from "./environment.ts";
export type { PoolClasses } from "./pool-classes.ts";
export type { PoolWorker, ReportedWorker, WorkerStatus } from "./pool-worker.ts";
export { createPools, type Pools, presentWorkers } from "./pools.ts";
