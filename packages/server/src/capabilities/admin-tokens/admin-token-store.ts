import { type Queryable, sql } from "../../foundation/database/index.ts";
import { type AdminTokenId, trustedId } from "../../foundation/ids.ts";

export interface AdminToken {
  readonly id: AdminTokenId;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
}

// A second living token of the same name breaks admin_tokens_live_name.
export async function insertToken(
  db: Queryable,
  token: { id: AdminTokenId; name: string; hash: Buffer; expiresAt: Date | null },
): Promise<AdminToken | null> {
  const rows = await db.query<TokenRow>(sql`
    insert into admin_tokens (id, name, hash, expires_at)
    values (${token.id}, ${token.name}, ${token.hash}, ${token.expiresAt})
    on conflict (lower(name)) where revoked_at is null do nothing
    returning id, name, created_at, expires_at, last_used_at, revoked_at`);
  return rows.map(toToken)[0] ?? null;
}

// Revoked and expired tokens are not found: the database's clock decides.
export async function findUsableToken(
  db: Queryable,
  hash: Buffer,
): Promise<{ id: AdminTokenId; name: string; hash: Buffer; isUseDue: boolean } | null> {
  const [row] = await db.query<{ id: string; name: string; hash: Buffer; is_use_due: boolean }>(sql`
    select id, name, hash, coalesce(last_used_at < now() - interval '1 minute', true) as is_use_due
    from admin_tokens
    where hash = ${hash} and revoked_at is null and (expires_at is null or expires_at > now())`);
  return row === undefined ? null : { id: trustedId(row.id), name: row.name, hash: row.hash, isUseDue: row.is_use_due };
}

export async function noteTokenUse(db: Queryable, id: AdminTokenId): Promise<void> {
  await db.execute(sql`update admin_tokens set last_used_at = now() where id = ${id}`);
}

export async function listTokens(db: Queryable): Promise<AdminToken[]> {
  const rows = await db.query<TokenRow>(sql`
    select id, name, created_at, expires_at, last_used_at, revoked_at
    from admin_tokens order by created_at desc, id desc limit 1000`);
  return rows.map(toToken);
}

// Held until the transaction ends.
export async function lockToken(tx: Queryable, id: AdminTokenId): Promise<AdminToken | null> {
  const rows = await tx.query<TokenRow>(sql`
    select id, name, created_at, expires_at, last_used_at, revoked_at from admin_tokens where id = ${id} for update`);
  return rows.map(toToken)[0] ?? null;
}

export async function revokeToken(db: Queryable, id: AdminTokenId): Promise<void> {
  await db.execute(sql`update admin_tokens set revoked_at = now() where id = ${id} and revoked_at is null`);
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly expires_at: Date | null;
  readonly last_used_at: Date | null;
  readonly revoked_at: Date | null;
}

function toToken(row: TokenRow): AdminToken {
  return {
    id: trustedId(row.id),
    name: row.name,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
    revokedAt: row.revoked_at,
  };
}
