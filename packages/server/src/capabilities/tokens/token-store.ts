// The rows of every kind of token. Their tables share most columns; a kind names the ones that only it has.
import { identifier, joinSql, type Queryable, type Statement, sql } from "../../foundation/database/index.ts";
import type { Id } from "../../foundation/ids.ts";

export interface TokenTable<Carried extends object> {
  readonly table: string;
  // The columns that only this kind has.
  readonly columns: readonly (readonly [name: keyof Carried & string, column: string])[];
}

export type Token<Name extends string, Carried extends object> = {
  readonly id: Id<Name>;
  readonly name: string;
  readonly createdAt: Date;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  readonly revokedAt: Date | null;
} & Carried;

export type NewToken<Name extends string, Carried extends object> = {
  readonly id: Id<Name>;
  readonly name: string;
  readonly hash: Buffer;
  readonly expiresAt: Date | null;
} & Carried;

// Null if a live token already has this name and the kind's names are unique.
export async function insertToken<Name extends string, Carried extends object>(
  db: Queryable,
  kind: TokenTable<Carried>,
  token: NewToken<Name, Carried>,
): Promise<Token<Name, Carried> | null> {
  const names = kind.columns.map(([, column]) => sql`, ${identifier(column)}`);
  const values = kind.columns.map(([name]) => sql`, ${token[name]}`);
  const rows = await db.query<Token<Name, Carried>>(sql`
    insert into ${identifier(kind.table)} (id, name, hash, created_at, expires_at${joined(names)})
    values (${token.id}, ${token.name}, ${token.hash}, clock_timestamp(), ${token.expiresAt}${joined(values)})
    on conflict do nothing
    returning ${shown(kind)}`);
  return rows[0] ?? null;
}

// Revoked and expired tokens are not found. With `now: null` the database's clock decides.
export async function findUsableToken<Name extends string, Carried extends object>(
  db: Queryable,
  kind: TokenTable<Carried>,
  { hash, now }: { readonly hash: Buffer; readonly now: Date | null },
): Promise<(Token<Name, Carried> & { readonly hash: Buffer }) | null> {
  const rows = await db.query<Token<Name, Carried> & { readonly hash: Buffer }>(sql`
    select hash, ${shown(kind)} from ${identifier(kind.table)}
    where hash = ${hash} and revoked_at is null
      and (expires_at is null or expires_at > coalesce(${now}::timestamptz, clock_timestamp()))`);
  return rows[0] ?? null;
}

// True if it is neither revoked nor expired. Once false, it stays false.
export async function isUsableToken(
  db: Queryable,
  { table }: { readonly table: string },
  id: string,
): Promise<boolean> {
  const rows = await db.query(sql`
    select id from ${identifier(table)}
    where id = ${id} and revoked_at is null and (expires_at is null or expires_at > clock_timestamp())`);
  return rows.length > 0;
}

// At most once in this many seconds.
export async function noteTokenUse(
  db: Queryable,
  { table }: { readonly table: string },
  { id, everySeconds }: { readonly id: string; readonly everySeconds: number },
): Promise<void> {
  await db.execute(sql`
    update ${identifier(table)} set last_used_at = clock_timestamp()
    where id = ${id} and coalesce(last_used_at <= clock_timestamp() - ${everySeconds} * interval '1 second', true)`);
}

export async function listTokens<Name extends string, Carried extends object>(
  db: Queryable,
  kind: TokenTable<Carried>,
): Promise<Token<Name, Carried>[]> {
  return db.query(sql`
    select ${shown(kind)} from ${identifier(kind.table)} order by created_at desc, id desc limit 1000`);
}

// Whose tokens are meant, if the tokens of a kind have an owner: the column and its value.
export interface TokenOwner {
  readonly column: string;
  readonly id: string;
}

// Tokens that were not revoked, oldest first. An expired one is listed until it is revoked.
export async function listTokensOf<Name extends string, Carried extends object>(
  db: Queryable,
  kind: TokenTable<Carried>,
  owner: TokenOwner,
): Promise<Token<Name, Carried>[]> {
  return db.query(sql`
    select ${shown(kind)} from ${identifier(kind.table)}
    where ${identifier(owner.column)} = ${owner.id} and revoked_at is null order by created_at, id`);
}

// Revokes one of the owner's tokens, or all of them (`id: null`). Returns how many.
export async function revokeTokensOf(
  db: Queryable,
  { table }: { readonly table: string },
  { owner, id }: { readonly owner: TokenOwner; readonly id: string | null },
): Promise<number> {
  return db.execute(sql`
    update ${identifier(table)} set revoked_at = clock_timestamp()
    where ${identifier(owner.column)} = ${owner.id} and (${id}::uuid is null or id = ${id}::uuid)
      and revoked_at is null`);
}

// Locked until the transaction ends.
export async function lockToken<Name extends string, Carried extends object>(
  tx: Queryable,
  kind: TokenTable<Carried>,
  id: Id<Name>,
): Promise<Token<Name, Carried> | null> {
  const rows = await tx.query<Token<Name, Carried>>(sql`
    select ${shown(kind)} from ${identifier(kind.table)} where id = ${id} for update`);
  return rows[0] ?? null;
}

export async function markTokenRevoked(
  db: Queryable,
  { table }: { readonly table: string },
  id: string,
): Promise<void> {
  await db.execute(sql`
    update ${identifier(table)} set revoked_at = clock_timestamp() where id = ${id} and revoked_at is null`);
}

// Under the names used in code.
function shown({ columns }: { readonly columns: readonly (readonly [name: string, column: string])[] }): Statement {
  const carried = columns.map(([name, column]) => sql`, ${identifier(column)} as ${identifier(name)}`);
  return sql`id, name, created_at as "createdAt", expires_at as "expiresAt", last_used_at as "lastUsedAt",
    revoked_at as "revokedAt"${joined(carried)}`;
}

const joined = (parts: readonly Statement[]) => joinSql(parts, sql``);
