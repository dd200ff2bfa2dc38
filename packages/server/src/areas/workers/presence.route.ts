// Workers that register, report what they can run, and leave.
import { createHash } from "node:crypto";
import { operations, ReportWorker, WorkerEnvironment, type WorkerLock, type WorkerStanding } from "@atelier/contract";
import type { Static } from "typebox";
import type { EnvironmentLock } from "../../capabilities/environments/index.ts";
import type { LeaseRules, PoolId } from "../../capabilities/jobs/index.ts";
import type { Pools } from "../../capabilities/pools/index.ts";
import type { WorkerCaller } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Incoming, jsonAnswer, type Route, route } from "../../foundation/http/area.ts";
import { requireMediaType } from "../../foundation/http/body/read-body.ts";
import { readExactJson } from "../../foundation/json/exact-json.ts";
import { parseJson } from "../../foundation/json/json-bytes.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { type KnownWorkers, requirePool, requireWorkerId } from "./known-workers.ts";

export interface PresenceRouteDeps {
  readonly pools: Pick<Pools, "report" | "leave" | "environment" | "describe">;
  readonly leaseRules: LeaseRules;
  readonly deployments: {
    // The lock that the pool's workers must equal. Null if none is pinned.
    lockOf(poolId: PoolId): Promise<string | null>;
  };
  readonly environments: {
    // Throws not_found.
    lock(lockId: string): Promise<EnvironmentLock>;
  };
  readonly knownWorkers: KnownWorkers;
}

// The descriptions of several thousand node classes with their lists of models.
const environmentBytesMax = 64 * 1024 * 1024;

export function reportWorkerRoute(deps: PresenceRouteDeps): Route<WorkerCaller> {
  return route(operations.reportWorker, async (incoming) =>
    jsonAnswer(200, await report(deps, incoming), { "cache-control": "no-store" }),
  );
}

export function leavePoolRoute({ pools, knownWorkers }: PresenceRouteDeps): Route<WorkerCaller> {
  return route(operations.leavePool, async (incoming) => {
    const { workerId } = await knownWorkers.of(incoming);
    await pools.leave(workerId);
    knownWorkers.changed(workerId);
    return { status: 204 };
  });
}

export function describeEnvironmentRoute(deps: PresenceRouteDeps): Route<WorkerCaller> {
  const { pools } = deps;
  return {
    operation: operations.describeEnvironment,
    bodyBytesMax: environmentBytesMax,
    async handle(incoming) {
      requireWorkerId(incoming.params);
      requireMediaType(incoming.headers, "application/json");
      const bytes = await incoming.bytes();
      const id = createHash("sha256").update(bytes).digest();
      // An application with hundreds of packs has many more members than other bodies may have.
      const { value, exactIntegers } = parseJson(bytes);
      requireValid(WorkerEnvironment, value);
      // Integers beyond 2^53, the bounds of seeds, stay exact.
      const whole = exactIntegers.size === 0 ? value : readExactJson(bytes.toString("utf8"));
      const { descriptions, ...environment } = requireValid(WorkerEnvironment, whole);
      await pools.describe(id, environment, descriptions);
      return { status: 204 };
    },
  };
}

export function readPinnedLockRoute({
  knownWorkers,
  deployments,
  environments,
}: PresenceRouteDeps): Route<WorkerCaller> {
  return route(operations.readPinnedLock, async (incoming) => {
    const { poolId } = await knownWorkers.of(incoming);
    const lockId = await deployments.lockOf(poolId);
    if (lockId === null) throw new Fault("not_found", "No lock is pinned for this worker's pool.");
    return jsonAnswer(200, await environments.lock(lockId), { "cache-control": "no-store" });
  });
}

async function report(deps: PresenceRouteDeps, incoming: Incoming<WorkerCaller>): Promise<WorkerStanding> {
  const { caller } = incoming;
  const workerId = requireWorkerId(incoming.params);
  const request = requireValid(ReportWorker, await incoming.json());
  const poolId = requirePool(caller, request.pool_id ?? null);
  const environmentId = Buffer.from(request.environment_id, "hex");
  const environment = await deps.pools.environment(environmentId);
  if (environment !== null) {
    await deps.pools.report(
      {
        workerId,
        poolId,
        name: request.name,
        slots: request.slots,
        environment,
        modelsLoaded: request.models_loaded,
        lock: readLock(request.lock ?? null),
      },
      { tokenId: caller.tokenId, environmentId },
    );
    deps.knownWorkers.changed(workerId);
  }
  const { leaseSeconds, heartbeatSeconds, selfFenceSeconds } = deps.leaseRules;
  return {
    pool_id: poolId,
    environment_wanted: environment === null,
    lock_id: await deps.deployments.lockOf(poolId),
    lease_seconds: leaseSeconds,
    heartbeat_seconds: heartbeatSeconds,
    self_fence_seconds: selfFenceSeconds,
  };
}

function readLock(wire: Static<typeof WorkerLock> | null) {
  return wire && { lockId: wire.lock_id, against: wire.against, drift: wire.drift };
}
