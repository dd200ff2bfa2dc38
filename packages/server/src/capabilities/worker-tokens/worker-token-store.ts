import { type Queryable, sql } from "../../foundation/database/index.ts";
import { type Id, trustedId } from "../../foundation/ids.ts";

export type WorkerTokenId = Id<"worker-token">;

export interface WorkerToken {
  readonly id: WorkerTokenId;
  readonly name: string;
  readonly poolIds: readonly Id<"pool">[];
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

const columns = sql`id, name, pool_ids::text[] as pool_ids, created_at, expires_at, last_used_at, revoked_at`;

// Null: there is a living token of this name.
export async function insertWorkerToken(
  db: Queryable,
  token: Pick<WorkerToken, "id" | "name" | "poolIds" | "expiresAt"> & { readonly hash: Buffer },
): Promise<WorkerToken | null> {
  const rows = await db.query<TokenRow>(sql`
    insert into worker_tokens (id, name, hash, pool_ids, expires_at)
    values (${token.id}, ${token.name}, ${token.hash}, ${token.poolIds}::uuid[], ${token.expiresAt})
    on conflict (lower(name)) where revoked_at is null do nothing
    returning ${columns}`);
  return rows.map(toToken)[0] ?? null;
}

// Revoked and expired tokens are not found: the database's clock decides. Its use is noted once a minute.
export async function findUsableWorkerToken(db: Queryable, hash: Buffer): Promise<WorkerToken | null> {
  const rows = await db.query<TokenRow>(sql`
    select ${columns} from worker_tokens
    where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`);
  return rows.map(toToken)[0] ?? null;
}

// Whether it is neither revoked nor expired. One that is not never will be again.
export async function isUsableWorkerToken(db: Queryable, id: WorkerTokenId): Promise<boolean> {
  const [row] = await db.query<{ usable: boolean }>(sql`
    select exists (select from worker_tokens where id = ${id} and revoked_at is null
      and (expires_at is null or expires_at > clock_timestamp())) as usable`);
  return row?.usable ?? false;
}

export async function noteWorkerTokenUse(db: Queryable, id: WorkerTokenId): Promise<void> {
  await db.execute(sql`
    update worker_tokens set last_used_at = clock_timestamp()
    where id = ${id} and coalesce(last_used_at < clock_timestamp() - interval '1 minute', true)`);
}

export async function listWorkerTokens(db: Queryable): Promise<WorkerToken[]> {
  const rows = await db.query<TokenRow>(sql`
    select ${columns} from worker_tokens order by created_at desc, id desc limit 1000`);
  return rows.map(toToken);
}

// Held until the transaction ends.
export async function lockWorkerToken(tx: Queryable, id: WorkerTokenId): Promise<WorkerToken | null> {
  const rows = await tx.query<TokenRow>(sql`select ${columns} from worker_tokens where id = ${id} for update`);
  return rows.map(toToken)[0] ?? null;
}

export async function markRevoked(tx: Queryable, id: WorkerTokenId): Promise<void> {
  await tx.execute(
    sql`update worker_tokens set revoked_at = clock_timestamp() where id = ${id} and revoked_at is null`,
  );
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly pool_ids: readonly string[];
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

function toToken(row: TokenRow): WorkerToken {
  return {
    id: trustedId(row.id),
    name: row.name,
    poolIds: row.pool_ids.map((id) => trustedId<"pool">(id)),
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
