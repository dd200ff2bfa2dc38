import { type Queryable, sql } from "../../../foundation/database/index.ts";
import { type Id, trustedId } from "../../../foundation/ids.ts";
export type PublisherTokenId = Id<"publisher-token">;

export interface StoredPublisherToken {
  readonly id: PublisherTokenId;
  readonly name: string;
  readonly description: string | null;
  // The first characters.
  readonly beginning: string;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
}

export interface NewPublisherToken extends StoredPublisherToken {
  readonly publisherId: string;
  readonly hash: Buffer;
}

export async function insertPublisherToken(db: Queryable, token: NewPublisherToken): Promise<void> {
  await db.execute(sql`
    insert into publisher_tokens (id, publisher_id, name, description, beginning, hash, created_at, expires_at)
    values (${token.id}, ${token.publisherId}, ${token.name}, ${token.description}, ${token.beginning}, ${token.hash},
      ${token.createdAt}, ${token.expiresAt})`);
}

export async function countPublisherTokens(db: Queryable, publisherId: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(sql`
    select count(*)::int as count from publisher_tokens where publisher_id = ${publisherId} and revoked_at is null`);
  return row?.count ?? 0;
}

// Those that were not revoked; one that ran out is shown until it is.
export async function listPublisherTokens(db: Queryable, publisherId: string): Promise<StoredPublisherToken[]> {
  const rows = await db.query<TokenRow>(sql`
    select id, name, description, beginning, created_at, last_used_at, expires_at from publisher_tokens
    where publisher_id = ${publisherId} and revoked_at is null order by created_at, id`);
  return rows.map(toToken);
}

// False when the publisher has no such token.
export async function revokePublisherToken(
  db: Queryable,
  revocation: { publisherId: string; id: PublisherTokenId; now: Date },
): Promise<boolean> {
  const rows = await db.execute(sql`
    update publisher_tokens set revoked_at = ${revocation.now}
    where publisher_id = ${revocation.publisherId} and id = ${revocation.id} and revoked_at is null`);
  return rows === 1;
}

// Also notes the use. Null: unknown, revoked, past its end, or of a publisher that is gone.
export async function takePublisherToken(
  db: Queryable,
  look: { hash: Buffer; now: Date },
): Promise<{ id: PublisherTokenId; publisherId: string } | null> {
  const [row] = await db.query<{ id: string; publisher_id: string }>(sql`
    update publisher_tokens as token set last_used_at = ${look.now} from publishers as publisher
    where token.hash = ${look.hash} and token.revoked_at is null
      and (token.expires_at is null or token.expires_at > ${look.now})
      and publisher.id = token.publisher_id and publisher.deleted_at is null
    returning token.id, token.publisher_id`);
  return row === undefined ? null : { id: trustedId(row.id), publisherId: row.publisher_id };
}

interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly beginning: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
}

function toToken(row: TokenRow): StoredPublisherToken {
  const { name, description, beginning } = row;
  return {
    id: trustedId(row.id),
    name,
    description,
    beginning,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
    expiresAt: row.expires_at,
  };
}
