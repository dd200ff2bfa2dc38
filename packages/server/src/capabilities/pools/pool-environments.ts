// The environments of a pool, and whether a worker of each is present. Every read of a queued job asks, so an answer is kept
// for a second. The classes of an environment never change, so they are read once.
import { BoundedMap } from "@atelier/engine/bounded-map";
import type { Clock } from "../../foundation/clock.ts";
import type { Queryable } from "../../foundation/database/index.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { PoolId } from "../jobs/index.ts";
import type { PoolEnvironment } from "./awaited-worker.ts";
import type { PoolClasses } from "./pool-classes.ts";
import { listClassNames, listPresences } from "./pool-store.ts";

export const presentSeconds = 60;

const freshMs = 1_000;
const poolsMax = 1_000;
const environmentsMax = 500;

export interface EnvironmentsDeps {
  readonly database: Queryable;
  readonly classesOf: (poolId: PoolId) => Promise<Pick<PoolClasses, "modelsLacking">>;
}

export type ClassNames = BoundedMap<string, ReadonlySet<string>>;
export const emptyClassNames = (): ClassNames => new BoundedMap(environmentsMax);

export async function readEnvironments(
  { database, classesOf }: EnvironmentsDeps,
  poolId: PoolId,
  known: ClassNames = emptyClassNames(),
): Promise<readonly PoolEnvironment[]> {
  const presences = await listPresences(database, poolId, presentSeconds);
  const unknown = presences.filter(({ environmentId }) => !known.has(environmentId.toString("hex")));
  const read = await listClassNames(
    database,
    unknown.map(({ environmentId }) => environmentId),
  );
  for (const [id, names] of read) known.set(id, names);
  const { modelsLacking } = await classesOf(poolId);
  return presences.flatMap(({ environmentId, isPresent, seenAt }) => {
    const id = environmentId.toString("hex");
    const classes = read.get(id) ?? known.get(id);
    const lacking = modelsLacking.get(id);
    if (classes === undefined) return [];
    return [{ classes, isPresent, seenAt, ...(lacking === undefined ? {} : { modelsLacking: lacking }) }];
  });
}

export function keptEnvironments(deps: EnvironmentsDeps & { readonly clock: Clock }) {
  const kept = new TtlCache<PoolId, readonly PoolEnvironment[]>({
    clock: deps.clock,
    keepMs: freshMs,
    entriesMax: poolsMax,
  });
  const known = emptyClassNames();
  return {
    of: async (poolId: PoolId) => kept.getOrLoad(poolId, () => readEnvironments(deps, poolId, known)),
    forget: (poolId: PoolId) => kept.delete(poolId),
  };
}
