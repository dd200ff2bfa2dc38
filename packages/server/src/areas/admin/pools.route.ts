// What applies to all workers of a pool: the lock that they must match.
import { ChangePool, operations, type Pool } from "@atelier/contract";
import type { Deployments } from "../../capabilities/deployments/index.ts";
import type { PoolId } from "../../capabilities/jobs/index.ts";
import { type AdminCaller, actingAsAdmin } from "../../capabilities/tokens/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Route, route } from "../../foundation/http/area.ts";
import { trustedId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { freshAnswer } from "./fresh-answer.ts";
import { presentScaler } from "./present-deployment.ts";
import { namedPool } from "./worker-tokens.route.ts";

export interface PoolRouteDeps {
  readonly deployments: Pick<Deployments, "get" | "update" | "pins" | "scaling">;
  readonly hasLock: (lockId: string) => Promise<boolean>;
  readonly sharedPool: PoolId;
}

export function getPoolRoute(deps: PoolRouteDeps): Route<AdminCaller> {
  return route(operations.getPool, async ({ params }) =>
    freshAnswer(200, await present(deps, namedPool(deps, params))),
  );
}

export function changePoolRoute(deps: PoolRouteDeps): Route<AdminCaller> {
  return route(operations.changePool, async (incoming) => {
    const poolId = namedPool(deps, incoming.params);
    const { lock_id: lockId } = requireValid(ChangePool, await incoming.json());
    if (lockId !== null && !(await deps.hasLock(lockId)))
      throw new Fault("not_found", "This server keeps no such lock. `atelier env push` keeps one.");
    const by = actingAsAdmin(incoming.caller, incoming.requestId);
    if (poolId === deps.sharedPool) await deps.deployments.pins.pin(poolId, lockId, by);
    else {
      const { id, environment } = await deploymentOf(deps, poolId);
      await deps.deployments.update(id, { environment: { ...environment, lockId } }, by);
    }
    return freshAnswer(200, await present(deps, poolId));
  });
}

async function present(deps: PoolRouteDeps, poolId: PoolId): Promise<Pool> {
  const scalers = (await deps.deployments.scaling.scalers(poolId)).map(presentScaler);
  if (poolId === deps.sharedPool) return { id: poolId, lock_id: await deps.deployments.pins.lockOf(poolId), scalers };
  const { environment } = await deploymentOf(deps, poolId);
  return { id: poolId, lock_id: environment.lockId ?? null, scalers };
}

async function deploymentOf({ deployments }: PoolRouteDeps, poolId: PoolId) {
  return deployments.get(trustedId<"deployment">(poolId)).catch((error: unknown) => {
    throw error instanceof Fault && error.code === "not_found"
      ? new Fault("not_found", "There is no such pool.")
      : error;
  });
}
