// Workers that fill their folders, as they last reported. The rows are hints: the bytes that a neighbour sends are checked
// by the one who receives them.
import { type Queryable, sql } from "../../foundation/database/index.ts";
import type { FillReport, WorkerFill } from "./fill-report.ts";

// False if the id belongs to another token.
export async function upsertFill(db: Queryable, { has, ...fill }: FillReport, seenAt: Date): Promise<boolean> {
  const [url, key] = [fill.share?.url ?? null, fill.share?.key ?? null];
  const rows = await db.query(sql`
    insert into weight_fills as f (worker_id, token_id, pool_id, name, state, bytes_done, bytes_total, problem, share_url,
      share_key, has, seen_at)
    values (${fill.workerId}, ${fill.tokenId}, ${fill.poolId}, ${fill.name}, ${fill.state}, ${fill.bytesDone},
      ${fill.bytesTotal}, ${fill.problem}, ${url}, ${key}, coalesce(${has}::text[], '{}'), ${seenAt})
    on conflict (worker_id) do update set pool_id = excluded.pool_id, name = excluded.name, state = excluded.state,
      bytes_done = excluded.bytes_done, bytes_total = excluded.bytes_total, problem = excluded.problem,
      share_url = excluded.share_url, share_key = excluded.share_key, has = coalesce(${has}::text[], f.has),
      seen_at = excluded.seen_at
    where f.token_id = excluded.token_id
    returning worker_id`);
  return rows.length > 0;
}

export interface NeighbourRow {
  readonly worker_id: string;
  readonly name: string;
  readonly share_url: string;
  readonly share_key: string;
}

export async function findNeighbours(
  db: Queryable,
  { workerId, poolId, wants }: { readonly workerId: string; readonly poolId: string; readonly wants: string },
  since: Date,
): Promise<NeighbourRow[]> {
  return db.query<NeighbourRow>(sql`
    select worker_id, name, share_url, share_key from weight_fills
    where pool_id = ${poolId} and worker_id <> ${workerId} and seen_at > ${since} and share_url is not null
      and ${wants} = any(has)
    order by worker_id limit 64`);
}

// Only within the pool: a worker cannot accuse one of another pool.
export async function noteAccused(
  db: Queryable,
  { poolId, accuses, name }: { readonly poolId: string; readonly accuses: readonly string[]; readonly name: string },
): Promise<void> {
  await db.execute(sql`
    update weight_fills set accusations = accusations + 1, accused_by = ${name}
    where pool_id = ${poolId} and worker_id = any(${accuses}::uuid[])`);
}

type FillRow = {
  readonly worker_id: string;
  readonly pool_id: string;
  readonly name: string;
  readonly state: WorkerFill["state"];
  readonly bytes_done: string;
  readonly bytes_total: string;
  readonly problem: string | null;
  readonly weights: number;
  readonly is_sharing: boolean;
  readonly accusations: number;
  readonly accused_by: string | null;
  readonly seen_at: Date;
};

export async function findFills(db: Queryable, since: Date): Promise<WorkerFill[]> {
  const rows = await db.query<FillRow>(sql`
    select worker_id, pool_id, name, state, bytes_done, bytes_total, problem, cardinality(has) as weights,
      share_url is not null as is_sharing, accusations, accused_by, seen_at
    from weight_fills where seen_at > ${since} order by name, worker_id limit 1000`);
  return rows.map((row) => ({
    workerId: row.worker_id,
    poolId: row.pool_id,
    name: row.name,
    state: row.state,
    bytesDone: Number(row.bytes_done),
    bytesTotal: Number(row.bytes_total),
    problem: row.problem,
    weights: row.weights,
    isSharing: row.is_sharing,
    accusations: row.accusations,
    accusedBy: row.accused_by,
    seenAt: row.seen_at,
  }));
}

export interface HolderRow {
  readonly blake3: string;
  readonly worker_id: string;
  readonly name: string;
  readonly pool_id: string;
}

export async function findHolders(db: Queryable, hashes: readonly string[], since: Date): Promise<HolderRow[]> {
  return db.query<HolderRow>(sql`
    select wanted.blake3, worker_id, name, pool_id
    from weight_fills, unnest(${hashes}::text[]) as wanted (blake3)
    where seen_at > ${since} and wanted.blake3 = any(has) order by name, worker_id`);
}

export async function bytesLeft(db: Queryable, since: Date): Promise<number> {
  const [row] = await db.query<{ left: string | null }>(sql`
    select sum(bytes_total - bytes_done) as left from weight_fills where state = 'filling' and seen_at > ${since}`);
  return Number(row?.left ?? 0);
}

export async function deleteFillsBefore(db: Queryable, before: Date): Promise<void> {
  await db.execute(sql`delete from weight_fills where seen_at < ${before}`);
}
