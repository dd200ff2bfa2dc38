// Scalers as they last reported, by the database's clock.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { PoolId } from "../jobs/index.ts";
import type { PoolScaler } from "./pool-scaler.ts";

export async function upsertScaler(
  db: Queryable,
  scaler: Omit<PoolScaler, "seenAt"> & { readonly poolId: PoolId; readonly tokenId: string },
): Promise<void> {
  const failure = scaler.failure && JSON.stringify(scaler.failure);
  await db.execute(sql`
    insert into pool_scalers (id, pool_id, token_id, name, workers_min, workers_max, workers_wanted, running, starting,
      draining, failure)
    values (${scaler.id}, ${scaler.poolId}, ${scaler.tokenId}, ${scaler.name}, ${scaler.workersMin}, ${scaler.workersMax},
      ${scaler.workersWanted}, ${scaler.running}, ${scaler.starting}, ${scaler.draining}, ${failure}::jsonb)
    on conflict (id) do update set pool_id = excluded.pool_id, token_id = excluded.token_id, name = excluded.name,
      workers_min = excluded.workers_min, workers_max = excluded.workers_max, workers_wanted = excluded.workers_wanted,
      running = excluded.running, starting = excluded.starting, draining = excluded.draining, failure = excluded.failure,
      seen_at = clock_timestamp()`);
}

export async function findScalers(db: Queryable, poolId: PoolId, withinSeconds: number): Promise<PoolScaler[]> {
  const rows = await db.query<RowOf<PoolScaler>>(sql`
    select id, name, workers_min, workers_max, workers_wanted, running, starting, draining, failure, seen_at
    from pool_scalers
    where pool_id = ${poolId} and seen_at > clock_timestamp() - ${withinSeconds}::float8 * interval '1 second'
    order by id`);
  return rows.map(fromRow<PoolScaler>);
}

export async function deleteForgottenScalers(db: Queryable, afterSeconds: number): Promise<void> {
  await db.execute(sql`
    delete from pool_scalers where seen_at < clock_timestamp() - ${afterSeconds}::float8 * interval '1 second'`);
}
