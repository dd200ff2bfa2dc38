// Environments in the database: few, written by operators, read by id or all together.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import type { EnvironmentId, SavedEnvironment } from "./saved-environment.ts";

type EnvironmentRow = RowOf<Omit<SavedEnvironment, "weightBytes">> & { readonly weight_bytes: string };

const columns = sql`id, name, version, lock_id, note, application_version, packs, weights, weight_bytes, created_at`;

// Two operators who save under one name wait for each other here, so each gets a version of its own.
export async function lockName(tx: Queryable, name: string): Promise<void> {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`environment ${name}`}, 0))`);
}

export async function findNewest(db: Queryable, name: string): Promise<SavedEnvironment | null> {
  const [row] = await db.query<EnvironmentRow>(sql`
    select ${columns} from environments where name = ${name} order by version desc limit 1`);
  return row === undefined ? null : toEnvironment(row);
}

export async function insertLock(db: Queryable, id: string, document: string): Promise<void> {
  await db.execute(sql`
    insert into environment_locks (id, document) values (${id}, ${document}) on conflict (id) do nothing`);
}

// Which weights a lock names, so that a weight knows who needs it.
export async function insertLockWeights(
  db: Queryable,
  lockId: string,
  weights: readonly { readonly path: string; readonly blake3: string }[],
): Promise<void> {
  await db.execute(sql`
    insert into environment_weights (lock_id, path, blake3)
    select ${lockId}, path, blake3
    from unnest(${weights.map(({ path }) => path)}::text[], ${weights.map(({ blake3 }) => blake3)}::text[]) as w (path, blake3)
    on conflict do nothing`);
}

export interface NeedingEnvironment {
  readonly blake3: string;
  readonly path: string;
  readonly id: EnvironmentId;
  readonly name: string;
  readonly version: number;
}

export async function findNeeding(db: Queryable, hashes: readonly string[]): Promise<NeedingEnvironment[]> {
  return db.query<NeedingEnvironment>(sql`
    select w.blake3, w.path, e.id, e.name, e.version
    from environment_weights as w join environments as e on e.lock_id = w.lock_id
    where w.blake3 = any(${hashes}::text[]) order by e.name, e.version desc limit 10000`);
}

export async function insertEnvironment(db: Queryable, made: SavedEnvironment): Promise<void> {
  await db.execute(sql`
    insert into environments (id, name, version, lock_id, note, application_version, packs, weights, weight_bytes, created_at)
    values (${made.id}, ${made.name}, ${made.version}, ${made.lockId}, ${made.note}, ${made.applicationVersion},
      ${made.packs}, ${made.weights}, ${made.weightBytes}, ${made.createdAt})`);
}

// Newest first; ids begin with their time.
export async function findEnvironments(
  db: Queryable,
  page: { readonly before: EnvironmentId | null; readonly count: number },
): Promise<SavedEnvironment[]> {
  const rows = await db.query<EnvironmentRow>(sql`
    select ${columns} from environments
    where ${page.before}::uuid is null or id < ${page.before}
    order by id desc limit ${page.count}`);
  return rows.map(toEnvironment);
}

export async function findEnvironment(db: Queryable, id: EnvironmentId): Promise<SavedEnvironment | null> {
  const [row] = await db.query<EnvironmentRow>(sql`select ${columns} from environments where id = ${id}`);
  return row === undefined ? null : toEnvironment(row);
}

export async function findLock(db: Queryable, lockId: string): Promise<string | null> {
  const [row] = await db.query<{ document: string }>(sql`select document from environment_locks where id = ${lockId}`);
  return row?.document ?? null;
}

export async function removeEnvironment(db: Queryable, id: EnvironmentId): Promise<SavedEnvironment | null> {
  const [row] = await db.query<EnvironmentRow>(sql`delete from environments where id = ${id} returning ${columns}`);
  return row === undefined ? null : toEnvironment(row);
}

export async function isLockUsed(db: Queryable, lockId: string): Promise<boolean> {
  const rows = await db.query(sql`select 1 from environments where lock_id = ${lockId} limit 1`);
  return rows.length > 0;
}

// Other versions may have the same lock.
export async function removeUnusedLock(db: Queryable, lockId: string): Promise<void> {
  await db.execute(sql`
    delete from environment_locks where id = ${lockId} and not exists (select 1 from environments where lock_id = ${lockId})`);
}

function toEnvironment({ weight_bytes, ...row }: EnvironmentRow): SavedEnvironment {
  return { ...fromRow<Omit<SavedEnvironment, "weightBytes">>(row), weightBytes: Number(weight_bytes) };
}
