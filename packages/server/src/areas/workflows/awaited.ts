// What the area asks about jobs that wait: the engine behind a surface knows its workers.
import type { Job } from "../../capabilities/jobs/index.ts";
import type { AwaitedWorker } from "../../capabilities/pools/index.ts";

// In the order of the jobs; null: it does not wait for a worker.
export type FindAwaited = (jobs: readonly Job[]) => Promise<readonly (AwaitedWorker | null)[]>;
