// Which worker a queued job waits for: one that can run its whole graph, if none present can. Jobs wait rather than fail,
// because a worker may only be away for a while; so the job says what it waits for.
import { isCovered, type JobNeeds } from "../jobs/index.ts";

// An environment of a pool, with what we know of its workers.
export interface PoolEnvironment {
  readonly classes: ReadonlySet<string>;
  // Weight files that others in the pool have and this one lacks. Absent if none are known.
  readonly modelsLacking?: ReadonlySet<string>;
  // Whether one of its workers is present and has slots.
  readonly isPresent: boolean;
  // When one of its workers was last here.
  readonly seenAt: Date;
}

export interface AwaitedWorker {
  // What the graph needs and no present worker has. If each class is present somewhere but no worker has all of them, all
  // are listed.
  readonly nodeClasses: readonly string[];
  readonly models: readonly string[];
  // When a worker that could run it was last here. Null if we remember none.
  readonly lastSeenAt: Date | null;
}

// Null if a present worker can run it.
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
