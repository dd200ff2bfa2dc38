import { includesRole, workspaceRoles } from "@atelier/contract";
import type { Queryable } from "../../foundation/database/database.ts";
import { fromRow, type RowOf } from "../../foundation/database/rows.ts";
import { sql } from "../../foundation/database/sql.ts";
import { type KeyId, type PersonId, type ServiceAccountId, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { ApiKey } from "./api-key.ts";
import type { Role } from "./principal.ts";

const serviceAccount = sql`(
  select json_build_object('id', account.id, 'name', account.name) from service_accounts as account
  where account.id = api_keys.service_account_id) as service_account`;

export interface FoundKey extends Omit<ApiKey, "name" | "prefix" | "createdBy" | "createdAt" | "lastUsedAt"> {
  readonly hash: Buffer;
}

// The one read without a workspace, because the workspace is what we are looking for. The caller decides whether the key
// is still valid and caches that for some seconds. Invalid keys are returned too, so that the log can name them.
export async function findKeyByHash(db: Queryable, hash: Buffer): Promise<FoundKey | null> {
  const [row] = await db.query<FoundKeyRow>(sql`
    select id, workspace_id, hash, role, scopes, expires_at, revoked_at, only_model, ${serviceAccount}
    from api_keys where hash = ${hash} and ancestors is null`);
  return row === undefined ? null : toFoundKey(row);
}

export async function insertKey(db: Queryable, key: ApiKey & { readonly hash: Buffer }): Promise<void> {
  await db.execute(sql`
    insert into api_keys (id, workspace_id, name, prefix, hash, role, scopes, created_by, created_at, expires_at,
      only_model, service_account_id)
    values (${key.id}, ${key.workspaceId}, ${key.name}, ${key.prefix}, ${key.hash}, ${key.role}, ${key.scopes},
      ${key.createdBy}, ${key.createdAt}, ${key.expiresAt}, ${key.onlyModel}, ${key.serviceAccount?.id ?? null})`);
}

// Ordinary keys, or the links of one work.
export async function findKey(
  db: Queryable,
  workspaceId: WorkspaceId,
  keyId: KeyId,
  onlyModel: string | null = null,
): Promise<ApiKey | null> {
  const [row] = await db.query<KeyRow>(sql`
    select ${columns} from api_keys
    where workspace_id = ${workspaceId} and id = ${keyId} and only_model is not distinct from ${onlyModel}
      and ancestors is null`);
  return row === undefined ? null : toKey(row);
}

// The links of a work, newest first, ended ones too.
export async function listLinkKeys(
  db: Queryable,
  { workspaceId, onlyModel, count }: { workspaceId: WorkspaceId; onlyModel: string; count: number },
): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(sql`
    select ${columns} from api_keys where workspace_id = ${workspaceId} and only_model = ${onlyModel}
    order by created_at desc, id desc limit ${count}`);
  return rows.map(toKey);
}

// Every key that is not revoked (the quota bounds their number) and the last hundred revoked ones, newest first.
export async function listKeys(db: Queryable, workspaceId: WorkspaceId): Promise<ApiKey[]> {
  const rows = await db.query<KeyRow>(sql`
    (select ${columns} from api_keys
      where workspace_id = ${workspaceId} and revoked_at is null and only_model is null
        and ancestors is null)
    union all
    (select ${columns} from api_keys
      where workspace_id = ${workspaceId} and revoked_at is not null and only_model is null
        and ancestors is null
      order by revoked_at desc limit 100)
    order by created_at desc, id desc`);
  return rows.map(toKey);
}

// Ordinary keys, or the links of one work.
export async function countLiveKeys(
  db: Queryable,
  workspaceId: WorkspaceId,
  now: Date,
  onlyModel: string | null = null,
): Promise<number> {
  const [row] = await db.query<{ keys: number }>(sql`
    select count(*)::int as keys from api_keys
    where workspace_id = ${workspaceId} and revoked_at is null and (expires_at is null or expires_at > ${now})
      and only_model is not distinct from ${onlyModel} and ancestors is null`);
  return row?.keys ?? 0;
}

export async function setKeyName(
  db: Queryable,
  { workspaceId, keyId, name }: { workspaceId: WorkspaceId; keyId: KeyId; name: string },
): Promise<void> {
  await db.execute(sql`update api_keys set name = ${name} where workspace_id = ${workspaceId} and id = ${keyId}`);
}

// Null if there is no such key or it was already revoked; the time of the first revocation stays.
export async function markRevoked(
  db: Queryable,
  revocation: { workspaceId: WorkspaceId; keyId: KeyId; now: Date },
): Promise<Buffer | null> {
  const [row] = await db.query<{ hash: Buffer }>(sql`
    update api_keys set revoked_at = ${revocation.now}
    where workspace_id = ${revocation.workspaceId} and id = ${revocation.keyId} and revoked_at is null
    returning hash`);
  return row?.hash ?? null;
}

// Null if it ends before that anyway, was revoked, or does not exist.
export async function bringForwardEnd(
  db: Queryable,
  { workspaceId, keyId, end }: { workspaceId: WorkspaceId; keyId: KeyId; end: Date },
): Promise<Buffer | null> {
  const [row] = await db.query<{ hash: Buffer }>(sql`
    update api_keys set expires_at = ${end}
    where workspace_id = ${workspaceId} and id = ${keyId} and revoked_at is null
      and (expires_at is null or expires_at > ${end})
    returning hash`);
  return row?.hash ?? null;
}

// With the tokens made from them, which are not listed.
export async function revokeKeysOf(
  db: Queryable,
  revocation: { workspaceId: WorkspaceId; personId: PersonId; now: Date },
): Promise<KeyId[]> {
  const rows = await db.query<{ id: string }>(sql`
    with revoked as (
      update api_keys set revoked_at = ${revocation.now}
      where workspace_id = ${revocation.workspaceId} and created_by = ${revocation.personId} and revoked_at is null
      returning id, ancestors
    )
    select id from revoked where ancestors is null`);
  return rows.map((row) => trustedId(row.id));
}

// The keys of a person or a service account never have more authority than their holder. An owner's get the holder's role; any
// other role that the holder's does not include becomes viewer, which all include. Tokens made from them are lowered too.
export async function lowerKeyRoles(
  db: Queryable,
  { workspaceId, holderId, role }: { workspaceId: WorkspaceId; holderId: PersonId | ServiceAccountId; role: Role },
): Promise<KeyId[]> {
  const fitting = workspaceRoles.filter((one) => includesRole(role, one));
  const rows = await db.query<{ id: string; ancestors: string[] | null }>(sql`
    update api_keys set role = case when role = 'owner' then ${role} else 'viewer' end
    where workspace_id = ${workspaceId} and (created_by = ${holderId} or service_account_id = ${holderId})
      and role <> all (${fitting}::text[]) and revoked_at is null
    returning id, ancestors`);
  return rows.filter(({ ancestors }) => ancestors === null).map((row) => trustedId(row.id));
}

export interface KeyUse {
  readonly workspaceId: WorkspaceId;
  readonly keyId: KeyId;
  readonly usedAt: Date;
}

// Written at most once a minute per key, even if several processes report the same key. Rows are locked in id order, so
// that two processes cannot deadlock.
export async function writeLastUsed(db: Queryable, uses: readonly KeyUse[]): Promise<number> {
  return db.execute(sql`
    with uses as (
      select * from unnest(
        ${uses.map((use) => use.workspaceId)}::uuid[],
        ${uses.map((use) => use.keyId)}::uuid[],
        ${uses.map((use) => use.usedAt)}::timestamptz[]
      ) as use (workspace_id, id, used_at)
    ), due as (
      select key.id, uses.used_at from api_keys as key join uses using (workspace_id, id)
      where key.last_used_at is null or key.last_used_at <= uses.used_at - interval '60 seconds'
      order by key.id for update of key
    )
    update api_keys as key set last_used_at = due.used_at from due where key.id = due.id`);
}

const columns = sql`id, workspace_id, name, prefix, role, scopes, created_by, created_at, last_used_at, expires_at,
  revoked_at, only_model, ${serviceAccount}`;

type FoundKeyRow = RowOf<FoundKey>;

type KeyRow = RowOf<ApiKey>;

const toFoundKey = fromRow<FoundKey>;

const toKey = fromRow<ApiKey>;
