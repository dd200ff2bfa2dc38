// Checks that pools exist before a worker token is created; otherwise the token would be copied to a machine and refused
// there. There is the shared pool and one for each deployment; the error lists them.
import type { Queryable } from "../../foundation/database/index.ts";
import { Fault } from "../../foundation/fault.ts";
import { trustedId } from "../../foundation/ids.ts";
import type { PoolId } from "../jobs/index.ts";
import { findDeployment, findDeployments } from "./deployment-store.ts";

const namedMax = 20;

export async function requirePools(db: Queryable, poolIds: readonly PoolId[], sharedPool: PoolId): Promise<void> {
  for (const poolId of poolIds) {
    if (poolId === sharedPool || (await findDeployment(db, trustedId<"deployment">(poolId))) !== null) continue;
    const message = `names ${poolId}, which is not a pool. ${await poolsThatExist(db, sharedPool)}`;
    throw new Fault("invalid_request", `The request is not valid: pool_ids ${message}`, {
      details: [{ path: "/pool_ids", message }],
    });
  }
}

async function poolsThatExist(db: Queryable, sharedPool: PoolId): Promise<string> {
  const found = await findDeployments(db, { after: null, count: namedMax + 1 });
  const named = found.slice(0, namedMax).map(({ id, name }) => `${id} (deployment "${name}")`);
  const more = found.length > namedMax ? "; GET /admin/deployments lists the others" : "";
  return `Pools: ${[`${sharedPool} (shared)`, ...named].join(", ")}${more}.`;
}
