// Derived tokens are rows of api_keys with ancestors. Ordinary keys and links have none.
import type { TokenCapability } from "@atelier/contract";
import type { Queryable } from "../../../foundation/database/database.ts";
import { type Statement, sql } from "../../../foundation/database/sql.ts";
import { type KeyId, type PersonId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Role, Scope, SessionId } from "../principal.ts";
import { isLiveSession, type LiveAt } from "../signing-in/session-store.ts";
import type { DerivedToken, TokenView } from "./derived-token.ts";

export interface FoundToken {
  readonly hash: Buffer;
  readonly token: DerivedToken;
  // A member's, or less if its maker's role was lowered since.
  readonly role: Role;
  // Neither it nor anything it was made from has ended.
  readonly isLive: boolean;
}

// How far the clocks of our processes may differ. A token from further in the future was made under a wrong clock.
const skewSeconds = 60;

// Without a workspace, because the workspace is what we are looking for. Ended tokens are returned too, so that the log can
// name them.
export async function findTokenByHash(db: Queryable, hash: Buffer, at: LiveAt): Promise<FoundToken | null> {
  const [row] = await db.query<TokenRow & { hash: Buffer; role: Role; is_live: boolean }>(sql`
    select ${columns}, hash, role, ${isLiveToken(at)} as is_live from api_keys as token
    where hash = ${hash} and ancestors is not null`);
  return row === undefined ? null : { hash: row.hash, role: row.role, isLive: row.is_live, token: toToken(row) };
}

// Of the row `token`.
export function isLiveToken(at: LiveAt): Statement {
  return sql`(token.revoked_at is null and token.expires_at > ${at.now}
    and token.created_at <= ${at.now}::timestamptz + ${skewSeconds} * interval '1 second'
    and cardinality(token.ancestors) = (
      select count(*) from api_keys as ancestor
      where ancestor.id = any (token.ancestors) and ancestor.workspace_id = token.workspace_id
        and ancestor.revoked_at is null and (ancestor.expires_at is null or ancestor.expires_at > ${at.now}))
    and (token.session_id is null or exists (
      select from sessions as session where session.id = token.session_id and ${isLiveSession(at)})))`;
}

export async function insertToken(
  tx: Queryable,
  token: DerivedToken & { readonly hash: Buffer; readonly scopes: readonly Scope[] },
): Promise<void> {
  const { capabilities, models, addresses, endUser, creditsMax, label } = token;
  const restrictions: StoredRestrictions = {
    capabilities,
    models,
    addresses,
    end_user: endUser,
    credits_max: creditsMax === null ? null : String(creditsMax),
    label,
    depth: token.depth,
  };
  await tx.execute(sql`
    insert into api_keys (id, workspace_id, name, prefix, hash, role, scopes, created_by, created_at, expires_at,
      ancestors, session_id, restrictions, origins)
    values (${token.id}, ${token.workspaceId}, ${label ?? "token"}, ${token.prefix}, ${token.hash}, 'member',
      ${token.scopes}, ${token.createdBy}, ${token.createdAt}, ${token.expiresAt}, ${token.ancestors}::uuid[],
      ${token.sessionId}, ${JSON.stringify(restrictions)}::jsonb, ${token.origins}::text[])`);
}

export async function countLiveTokens(db: Queryable, workspaceId: WorkspaceId, now: Date): Promise<number> {
  const [row] = await db.query<{ tokens: number }>(sql`
    select count(*)::int as tokens from api_keys
    where workspace_id = ${workspaceId} and ancestors is not null and revoked_at is null and expires_at > ${now}`);
  return row?.tokens ?? 0;
}

// The newest first, ended ones too.
export async function listTokens(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; view: TokenView; before: KeyId | null; count: number },
): Promise<DerivedToken[]> {
  const rows = await db.query<TokenRow>(sql`
    select ${columns} from api_keys as token
    where workspace_id = ${wanted.workspaceId} and ancestors is not null and ${isSeen(wanted.view)}
      and (${wanted.before}::uuid is null or id < ${wanted.before}::uuid)
    order by id desc limit ${wanted.count}`);
  return rows.map(toToken);
}

export async function findToken(
  db: Queryable,
  wanted: { workspaceId: WorkspaceId; tokenId: KeyId; view: TokenView },
): Promise<DerivedToken | null> {
  const [row] = await db.query<TokenRow>(sql`
    select ${columns} from api_keys as token
    where workspace_id = ${wanted.workspaceId} and id = ${wanted.tokenId} and ancestors is not null
      and (${isSeen(wanted.view)} or ${wanted.view.kind === "below" ? wanted.view.ancestorId : null}::uuid = id)`);
  return row === undefined ? null : toToken(row);
}

function isSeen(view: TokenView): Statement {
  if (view.kind === "below") return sql`${view.ancestorId}::uuid = any (ancestors)`;
  return view.kind === "of_person" ? sql`created_by = ${view.personId}` : sql`true`;
}

// The time of the first revocation stays.
export async function revokeToken(
  tx: Queryable,
  which: { workspaceId: WorkspaceId; tokenId: KeyId; now: Date },
): Promise<boolean> {
  const changed = await tx.execute(sql`
    update api_keys set revoked_at = ${which.now}
    where workspace_id = ${which.workspaceId} and id = ${which.tokenId} and ancestors is not null and revoked_at is null`);
  return changed === 1;
}

// Whether pages of an origin may ask: a token names it, or did until a day ago, so that they can read why it is refused now.
export async function isOriginOfTokens(db: Queryable, origin: string, now: Date): Promise<boolean> {
  const rows = await db.query(sql`
    select from api_keys
    where origins @> array[${origin}::text] and expires_at > ${now}::timestamptz - interval '1 day' limit 1`);
  return rows.length > 0;
}

// Deletes one batch of tokens that ended long ago. What they spent stays in the books.
export async function forgetTokens(
  db: Queryable,
  { endedBefore, batchRows }: { endedBefore: Date; batchRows: number },
) {
  return db.execute(sql`
    delete from api_keys where id in (
      select id from api_keys where ancestors is not null and expires_at < ${endedBefore}
      order by expires_at limit ${batchRows} for update skip locked)`);
}

interface StoredRestrictions {
  readonly capabilities: readonly TokenCapability[];
  readonly models: readonly string[];
  readonly addresses: readonly string[] | null;
  readonly end_user: string | null;
  readonly credits_max: string | null;
  readonly label: string | null;
  readonly depth: number;
}

interface TokenRow {
  readonly id: KeyId;
  readonly workspace_id: WorkspaceId;
  readonly prefix: string;
  readonly ancestors: readonly string[];
  readonly session_id: SessionId | null;
  readonly restrictions: StoredRestrictions;
  readonly origins: readonly string[] | null;
  readonly created_by: PersonId | null;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly revoked_at: Date | null;
}

const columns = sql`id, workspace_id, prefix, ancestors, session_id, restrictions, origins, created_by, created_at,
  expires_at, revoked_at`;

function toToken(row: TokenRow): DerivedToken {
  const { capabilities, models, addresses, end_user, credits_max, label, depth } = row.restrictions;
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    prefix: row.prefix,
    label,
    ancestors: row.ancestors.map((id) => trustedId<"key">(id)),
    sessionId: row.session_id,
    createdBy: row.created_by,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    depth,
    capabilities,
    models,
    origins: row.origins,
    addresses,
    endUser: end_user,
    creditsMax: credits_max === null ? null : BigInt(credits_max),
    expiresAt: row.expires_at,
  };
}
