export { type AwaitedWorker, awaitedWorker } from "./awaited-worker.ts";
export { describeEnvironment, type NodeClassDescriptions, type WorkerEnvironment } from "./environment.ts";
export { lookAtWorkers } from "./look-at-workers.ts";
export { mergeDescriptions } from "./merge-descriptions.ts";
export type { DescribedEnvironment, PoolClasses } from "./pool-classes.ts";
export type { PoolWorker, ReportedWorker, WorkerLock, WorkerStatus } from "./pool-worker.ts";
export { createPools, type Pools } from "./pools.ts";
export { sharedPool } from "./shared-pool.ts";
