// Workers and what they can run, by the database's clock.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { Id } from "../../foundation/ids.ts";
import type { PoolId, WorkerId } from "../jobs/index.ts";
import type { WorkerEnvironment } from "./environment.ts";
import type { PoolWorker, ReportedWorker, WorkerStatus } from "./pool-worker.ts";

export type WorkerRecord = Omit<ReportedWorker, "environment"> & Pick<WorkerStatus, "tokenId" | "environmentId">;

const environmentColumn = sql`
  json_build_object('engine', e.engine, 'version', e.version, 'classes', e.classes) as environment`;

// False if the id belongs to another token, and not to `former`, whose workers may be taken over.
export async function upsertWorker(
  db: Queryable,
  worker: WorkerRecord,
  former: Id<"worker-token"> | null = worker.tokenId,
): Promise<boolean> {
  const rows = await db.execute(sql`
    insert into pool_workers as w (worker_id, pool_id, token_id, name, slots, environment_id, models_loaded, lock)
    values (${worker.workerId}, ${worker.poolId}, ${worker.tokenId}, ${worker.name}, ${worker.slots},
      ${worker.environmentId}, ${worker.modelsLoaded}::text[], ${worker.lock ? JSON.stringify(worker.lock) : null}::jsonb)
    on conflict (worker_id) do update set
      pool_id = excluded.pool_id, token_id = excluded.token_id, name = excluded.name, slots = excluded.slots,
      environment_id = excluded.environment_id, models_loaded = excluded.models_loaded,
      lock = excluded.lock, seen_at = clock_timestamp(), left_at = null
    where w.token_id is not distinct from excluded.token_id
      or w.token_id is not distinct from ${former}::uuid`);
  return rows > 0;
}

export async function touchWorker(
  db: Queryable,
  workerId: WorkerId,
  modelsLoaded: readonly string[] | null,
): Promise<void> {
  await db.execute(sql`
    update pool_workers set seen_at = clock_timestamp(), left_at = null,
      models_loaded = coalesce(${modelsLoaded}::text[], models_loaded)
    where worker_id = ${workerId}`);
}

export async function markLeft(db: Queryable, workerId: WorkerId): Promise<void> {
  await db.execute(sql`update pool_workers set left_at = clock_timestamp() where worker_id = ${workerId}`);
}

// Null if the pool has no such worker; otherwise whether it was draining before.
export async function setDraining(
  db: Queryable,
  worker: { readonly workerId: WorkerId; readonly poolId: PoolId },
  isDraining: boolean,
): Promise<{ readonly wasDraining: boolean } | null> {
  const [row] = await db.query<{ was_draining: boolean }>(sql`
    update pool_workers w set drained_at = case when ${isDraining} then coalesce(w.drained_at, clock_timestamp()) end
    from (select drained_at is not null as was_draining from pool_workers
      where worker_id = ${worker.workerId} and pool_id = ${worker.poolId} for update) as before
    where w.worker_id = ${worker.workerId} returning before.was_draining`);
  return row ? { wasDraining: row.was_draining } : null;
}

export async function findWorkerStatus(db: Queryable, workerId: WorkerId): Promise<WorkerStatus | null> {
  const [row] = await db.query<RowOf<Omit<WorkerStatus, "classes">>>(sql`
    select w.token_id, w.pool_id, w.environment_id, w.lock, w.drained_at is not null as is_draining, ${environmentColumn}
    from pool_workers w join pool_environments e on e.id = w.environment_id where w.worker_id = ${workerId}`);
  return row === undefined
    ? null
    : { ...fromRow<Omit<WorkerStatus, "classes">>(row), classes: new Set(Object.keys(row.environment.classes)) };
}

export async function findPresent(db: Queryable, poolId: PoolId, withinSeconds: number): Promise<PoolWorker[]> {
  const rows = await db.query<RowOf<PoolWorker>>(sql`
    select w.worker_id, w.pool_id, w.name, w.slots, w.models_loaded, w.lock, w.seen_at, w.drained_at is not null as is_draining,
      ${environmentColumn}
    from pool_workers w join pool_environments e on e.id = w.environment_id
    where w.pool_id = ${poolId} and w.left_at is null
      and w.seen_at > clock_timestamp() - ${withinSeconds}::float8 * interval '1 second'
    order by w.worker_id`);
  return rows.map(fromRow<PoolWorker>);
}

export async function findLoadedModels(db: Queryable, withinSeconds: number): Promise<string[]> {
  const rows = await db.query<{ name: string }>(sql`
    select distinct unnest(models_loaded) as name from pool_workers
    where left_at is null and seen_at > clock_timestamp() - ${withinSeconds}::float8 * interval '1 second' limit 10000`);
  return rows.map(({ name }) => name);
}

export interface EnvironmentPresence {
  readonly environmentId: Buffer;
  readonly isPresent: boolean;
  readonly seenAt: Date;
}

// The environments of a pool, for as long as its workers are remembered, and when one of their workers was last here.
export async function listPresences(
  db: Queryable,
  poolId: PoolId,
  withinSeconds: number,
): Promise<EnvironmentPresence[]> {
  const rows = await db.query<RowOf<EnvironmentPresence>>(sql`
    select w.environment_id, max(greatest(w.seen_at, w.left_at)) as seen_at,
      bool_or(w.left_at is null and w.slots > 0 and w.drained_at is null
        and w.seen_at > clock_timestamp() - ${withinSeconds}::float8 * interval '1 second') as is_present
    from pool_workers w where w.pool_id = ${poolId} group by w.environment_id`);
  return rows.map(fromRow<EnvironmentPresence>);
}

// The class names of some environments, by hexadecimal id.
export async function listClassNames(db: Queryable, ids: readonly Buffer[]): Promise<Map<string, ReadonlySet<string>>> {
  const rows = await db.query<{ id: Buffer; names: string[] }>(sql`
    select e.id, array(select jsonb_object_keys(e.classes)) as names
    from pool_environments e where e.id = any (${ids}::bytea[])`);
  return new Map(rows.map((row) => [row.id.toString("hex"), new Set(row.names)]));
}

export async function insertEnvironment(
  db: Queryable,
  asked: { readonly id: Buffer; readonly environment: WorkerEnvironment; readonly descriptions: Buffer | null },
): Promise<void> {
  const { engine, version, classes } = asked.environment;
  await db.execute(sql`
    insert into pool_environments as e (id, engine, version, classes, descriptions)
    values (${asked.id}, ${engine}, ${version}, ${JSON.stringify(classes)}::jsonb, ${asked.descriptions})
    on conflict (id) do update set descriptions = excluded.descriptions
    where e.descriptions is null and excluded.descriptions is not null`);
}

export async function findEnvironment(db: Queryable, id: Buffer): Promise<WorkerEnvironment | null> {
  const [row] = await db.query<WorkerEnvironment>(sql`
    select engine, version, classes from pool_environments where id = ${id}`);
  return row ?? null;
}

// The environments of a pool whose workers were seen within a day, in a stable order. If a worker is away for a moment, its
// classes must stay known.
export async function listEnvironments(db: Queryable, poolId: PoolId, withinSeconds: number): Promise<Buffer[]> {
  const rows = await db.query<{ environment_id: Buffer }>(sql`
    select w.environment_id from pool_workers w
    where w.pool_id = ${poolId} and w.seen_at > clock_timestamp() - ${withinSeconds}::float8 * interval '1 second'
    group by w.environment_id order by min(w.worker_id::text)`);
  return rows.map((row) => row.environment_id);
}

export async function readDescriptions(db: Queryable, ids: readonly Buffer[]): Promise<Map<string, Buffer>> {
  const rows = await db.query<{ id: Buffer; descriptions: Buffer }>(sql`
    select id, descriptions from pool_environments where id = any (${ids}::bytea[]) and descriptions is not null`);
  return new Map(rows.map((row) => [row.id.toString("hex"), row.descriptions]));
}

// Deletes workers not seen for a long time, and environments no longer used.
export async function deleteForgotten(db: Queryable, afterSeconds: number): Promise<void> {
  await db.execute(sql`
    delete from pool_workers where seen_at < clock_timestamp() - ${afterSeconds}::float8 * interval '1 second'`);
  await db.execute(sql`
    delete from pool_environments e where created_at < clock_timestamp() - ${afterSeconds}::float8 * interval '1 second'
      and not exists (select from pool_workers w where w.environment_id = e.id)`);
}
