// The locks of pools without a deployment: set by operators, asked by every claim, so an answer may be a second old.
import type { Forgetting } from "../../foundation/bus/forgetting.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Acting } from "../../foundation/database/acting.ts";
import type { Database } from "../../foundation/database/index.ts";
import { trustedId } from "../../foundation/ids.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import type { Audit } from "../audit/index.ts";
import type { PoolId } from "../jobs/index.ts";
import { findPin, writePin } from "./pool-pin-store.ts";

export interface PoolPins {
  // At most a second old.
  lockOf(poolId: PoolId): Promise<string | null>;
  // The caller has checked that the lock exists. Null removes the pin.
  pin(poolId: PoolId, lockId: string | null, by: Acting): Promise<void>;
}

export interface PoolPinsDeps {
  readonly database: Database;
  readonly audit: Pick<Audit, "append">;
  readonly forgetting: Forgetting;
  readonly recent: { readonly clock: Clock; readonly keepMs: number; readonly entriesMax: number };
}

export function createPoolPins({ database, audit, forgetting, recent }: PoolPinsDeps): PoolPins {
  const known = new TtlCache<PoolId, string | null>(recent);
  const changed = forgetting.share("pool pins", (id) => void known.delete(trustedId(id)));
  return {
    lockOf: async (poolId) => known.getOrLoad(poolId, () => findPin(database, poolId)),
    async pin(poolId, lockId, by) {
      await database.transaction(async (tx) => {
        const before = await findPin(tx, poolId);
        if (before === lockId) return;
        await writePin(tx, poolId, lockId);
        await audit.append(tx, {
          ...by,
          action: lockId === null ? "pool.unpin" : "pool.pin",
          subject: { kind: "pool", id: poolId },
          workspaceId: null,
          before: { lock_id: before },
          after: { lock_id: lockId },
          shown: ["lock_id"],
        });
      });
      await changed(poolId);
    },
  };
}
