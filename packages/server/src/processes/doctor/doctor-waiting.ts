// Jobs that wait for a worker that is gone: nothing is broken, but they do not run until a suitable worker comes.
import { type WaitingNeeds, waitingNeeds } from "../../capabilities/jobs/index.ts";
import { awaitedWorker, environmentsOf, type PoolEnvironment } from "../../capabilities/pools/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Database } from "../../foundation/database/index.ts";
import { sharedPool } from "../../surfaces/pools.ts";
import { type Finding, warning } from "./doctor-finding.ts";

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
    const seen = seenMs === 0 ? "none was seen recently" : `one was last seen ${agoText(now.getTime() - seenMs)} ago`;
    const message = `${count} ${count === 1 ? "job waits" : "jobs wait"} for a worker${whose} that has ${names}; ${seen}`;
    return warning(
      "workers",
      message,
      "start one next to an application that has them (atelier worker), or cancel the jobs",
    );
  });
}

const namesMax = 5;

function agoText(ms: number): string {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  if (minutes < 120) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
