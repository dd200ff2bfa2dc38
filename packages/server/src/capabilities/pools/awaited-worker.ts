// Which worker a queued job waits for: one that can run its graph whole, when none of those that are here can. Jobs wait for
// it rather than fail, because a worker may only be away for a while; so the job says what it waits for.
import { isCovered, type JobNeeds } from "../jobs/index.ts";

// An environment of a pool, with what is known of the workers that have it.
export interface PoolEnvironment {
  readonly classes: ReadonlySet<string>;
  // Files of weights that others of the pool have and it has not; absent: none that is known.
  readonly modelsLacking?: ReadonlySet<string>;
  // Whether one of its workers is here and has slots.
  readonly isPresent: boolean;
  // When one of its workers was here last.
  readonly seenAt: Date;
}

export interface AwaitedWorker {
  // What of the graph no worker has that is here. Each may be here alone: then all are named, because no worker has them
  // together.
  readonly nodeClasses: readonly string[];
  readonly models: readonly string[];
  // When a worker that could run it was here last; null: none is remembered.
  readonly lastSeenAt: Date | null;
}

// Null: a worker that is here can run it.
export function awaitedWorker(needs: JobNeeds | null, environments: readonly PoolEnvironment[]): AwaitedWorker | null {
  const able = environments.filter((one) => isCovered({ ...one, modelsLoaded: none }, needs));
  if (able.some(({ isPresent }) => isPresent)) return null;
  const here = environments.filter(({ isPresent }) => isPresent);
  const nodeClasses = (needs?.classes ?? []).filter((name) => !here.some(({ classes }) => classes.has(name)));
  const models = (needs?.models ?? []).filter((name) => here.every((one) => one.modelsLacking?.has(name) ?? false));
  const isApart = nodeClasses.length === 0 && models.length === 0;
  const times = able.map(({ seenAt }) => seenAt.getTime());
  return {
    nodeClasses: isApart ? (needs?.classes ?? []) : nodeClasses,
    models,
    lastSeenAt: times.length === 0 ? null : new Date(Math.max(...times)),
  };
}

const none: ReadonlySet<string> = new Set();
