// Locks pinned for pools without a deployment, and who pins a lock.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { PoolId } from "../jobs/index.ts";

export async function findPin(db: Queryable, poolId: PoolId): Promise<string | null> {
  const [row] = await db.query<{ lock_id: string }>(sql`select lock_id from pool_pins where pool_id = ${poolId}`);
  return row?.lock_id ?? null;
}

export async function writePin(db: Queryable, poolId: PoolId, lockId: string | null): Promise<void> {
  await db.execute(
    lockId === null
      ? sql`delete from pool_pins where pool_id = ${poolId}`
      : sql`insert into pool_pins (pool_id, lock_id) values (${poolId}, ${lockId})
          on conflict (pool_id) do update set lock_id = excluded.lock_id`,
  );
}

// A deployment or pool that pins it, in words. Null if there is none.
export async function findPinner(db: Queryable, lockId: string): Promise<string | null> {
  const [row] = await db.query<{ named: string }>(sql`
    select 'The deployment ' || name as named from deployments where lock_id = ${lockId}
    union all select 'The shared pool' from pool_pins where lock_id = ${lockId} limit 1`);
  return row?.named ?? null;
}
