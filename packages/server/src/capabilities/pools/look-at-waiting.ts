// Jobs that wait for a worker that is gone: nothing is broken, but they do not run until a suitable worker comes.

import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { ageText } from "../../foundation/looks/age-text.ts";
import { type Finding, warning } from "../../foundation/looks/finding.ts";
import { type WaitingNeeds, waitingNeeds } from "../jobs/index.ts";
import { awaitedWorker, type PoolEnvironment } from "./awaited-worker.ts";
import { environmentsOf } from "./pools.ts";
import { sharedPool } from "./shared-pool.ts";

export async function lookAtWaiting(database: Database, clock: Clock): Promise<readonly Finding[]> {
  const waiting = await waitingNeeds(database);
  const pools = new Map<string, readonly PoolEnvironment[]>();
  for (const { poolId } of waiting) if (!pools.has(poolId)) pools.set(poolId, await environmentsOf(database, poolId));
  return waitingFindings(waiting, (poolId) => pools.get(poolId) ?? [], clock.now());
}

// One finding for each set of classes that no present worker has.
export function waitingFindings(
  waiting: readonly WaitingNeeds[],
  environmentsOfPool: (poolId: string) => readonly PoolEnvironment[],
  now: Date,
): readonly Finding[] {
  const found = new Map<string, { readonly poolId: string; readonly names: string; count: number; seenMs: number }>();
  for (const { poolId, count, needs } of waiting) {
    const awaited = awaitedWorker(needs, environmentsOfPool(poolId));
    if (awaited === null) continue;
    const names =
      awaited.nodeClasses.slice(0, namesMax).join(", ") + (awaited.nodeClasses.length > namesMax ? ", …" : "");
    const key = `${poolId} ${names}`;
    const one = found.get(key) ?? { poolId, names, count: 0, seenMs: 0 };
    one.count += count;
    one.seenMs = Math.max(one.seenMs, awaited.lastSeenAt?.getTime() ?? 0);
    found.set(key, one);
  }
  return Array.from(found.values(), ({ poolId, names, count, seenMs }) => {
    const whose = poolId === sharedPool ? "" : ` of deployment ${poolId}`;
    const seen =
      seenMs === 0
        ? "none was seen recently"
        : `one was last seen ${ageText(Math.max(60_000, now.getTime() - seenMs))} ago`;
    const message = `${count} ${count === 1 ? "job waits" : "jobs wait"} for a worker${whose} that has ${names}; ${seen}`;
    return warning(
      "workers",
      message,
      "start one next to an application that has them (atelier worker), or cancel the jobs",
    );
  });
}

const namesMax = 5;
