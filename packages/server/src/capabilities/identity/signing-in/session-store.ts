// One-time sign-in links and the sessions they become. Both belong to a person, not to a workspace.
import { fromRow, type Queryable, type RowOf, sql } from "../../../foundation/database/index.ts";
import { type PersonId, trustedId, type WorkspaceId } from "../../../foundation/ids.ts";
import { personColumns } from "../people/member-store.ts";
import type { Person } from "../people/person.ts";
import type { Role, SessionId } from "../principal.ts";
import type { Browser, ListedSession, SignedInBy } from "./session.ts";

export interface StoredSession {
  readonly id: SessionId;
  readonly person: Person;
  readonly workspaceId: WorkspaceId | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

export interface StoredLink {
  readonly person: Person;
  readonly expiresAt: Date;
  readonly isUsed: boolean;
}

export async function insertSignInLink(
  db: Queryable,
  link: { hash: Buffer; personId: PersonId; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.execute(sql`
    insert into sign_in_links (hash, person_id, created_at, expires_at)
    values (${link.hash}, ${link.personId}, ${link.createdAt}, ${link.expiresAt})`);
}

// Ends the unused ones.
export async function endSignInLinks(db: Queryable, personId: PersonId): Promise<void> {
  await db.execute(sql`delete from sign_in_links where person_id = ${personId} and used_at is null`);
}

// Who would sign in. Reading a link does not use it up.
export async function findSignInLink(db: Queryable, hash: Buffer): Promise<StoredLink | null> {
  const [row] = await db.query<RowOf<Person & Omit<StoredLink, "person">>>(sql`
    select ${personColumns}, link.expires_at, link.used_at is not null as is_used
    from sign_in_links as link join people as person on person.id = link.person_id
    where link.hash = ${hash}`);
  if (row === undefined) return null;
  const { expires_at: expiresAt, is_used: isUsed, ...person } = row;
  return { person: fromRow<Person>(person), expiresAt, isUsed };
}

// Of concurrent attempts exactly one gets the person.
export async function useSignInLink(db: Queryable, hash: Buffer, now: Date): Promise<PersonId | null> {
  const [row] = await db.query<{ person_id: string }>(sql`
    update sign_in_links set used_at = ${now}
    where hash = ${hash} and used_at is null and expires_at > ${now}
    returning person_id`);
  return row === undefined ? null : trustedId(row.person_id);
}

export interface NewSession extends Browser {
  readonly id: SessionId;
  readonly hash: Buffer;
  readonly personId: PersonId;
  readonly workspaceId: WorkspaceId | null;
  readonly signedInBy: SignedInBy;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.execute(sql`
    insert into sessions (id, hash, person_id, workspace_id, signed_in_by, user_agent, address, created_at, last_seen_at,
      expires_at)
    values (${session.id}, ${session.hash}, ${session.personId}, ${session.workspaceId}, ${session.signedInBy},
      ${session.userAgent}, ${session.address}, ${session.createdAt}, ${session.createdAt}, ${session.expiresAt})`);
}

// A session is live unless it was ended, is too old or has been idle for too long.
export interface LiveAt {
  readonly now: Date;
  readonly idleSince: Date;
}

export const isLiveSession = ({ now, idleSince }: LiveAt) => sql`session.revoked_at is null
  and session.expires_at > ${now} and session.last_seen_at > ${idleSince}`;

type SessionRow = RowOf<Person & Omit<StoredSession, "id" | "person" | "createdAt"> & SessionNames>;
interface SessionNames {
  readonly sessionId: SessionId;
  readonly startedAt: Date;
}

export async function findSession(db: Queryable, look: LiveAt & { hash: Buffer }): Promise<StoredSession | null> {
  const [row] = await db.query<SessionRow>(sql`
    select session.id as session_id, session.workspace_id, session.created_at as started_at, session.last_seen_at,
      session.expires_at, ${personColumns}
    from sessions as session join people as person on person.id = session.person_id
    where session.hash = ${look.hash} and ${isLiveSession(look)}`);
  if (row === undefined) return null;
  const { session_id: id, workspace_id: workspaceId, started_at: createdAt, ...rest } = row;
  const { last_seen_at: lastSeenAt, expires_at: expiresAt, ...person } = rest;
  return { id, person: fromRow<Person>(person), workspaceId, createdAt, lastSeenAt, expiresAt };
}

const listedColumns = sql`session.id, session.signed_in_by, session.user_agent, session.address, session.created_at,
  session.last_seen_at, session.expires_at`;

export async function listSessions(db: Queryable, personId: PersonId, at: LiveAt): Promise<ListedSession[]> {
  const rows = await db.query<RowOf<ListedSession>>(sql`
    select ${listedColumns} from sessions as session
    where session.person_id = ${personId} and ${isLiveSession(at)}
    order by session.created_at desc, session.id desc limit 200`);
  return rows.map(fromRow<ListedSession>);
}

// The person's role in a workspace while their session is live: the authority of a token made from it.
export async function findRoleInSession(
  db: Queryable,
  holder: { workspaceId: WorkspaceId; personId: PersonId; sessionId: SessionId },
  at: LiveAt,
): Promise<{ role: Role; signedInAt: Date } | null> {
  const [row] = await db.query<{ role: Role; signed_in_at: Date }>(sql`
    select member.role, session.created_at as signed_in_at
    from members as member join sessions as session on session.person_id = member.person_id
    where member.workspace_id = ${holder.workspaceId} and member.person_id = ${holder.personId}
      and member.removed_at is null and session.id = ${holder.sessionId} and ${isLiveSession(at)}`);
  return row === undefined ? null : { role: row.role, signedInAt: row.signed_in_at };
}

export async function touchSession(db: Queryable, sessionId: SessionId, now: Date): Promise<void> {
  await db.execute(sql`update sessions set last_seen_at = greatest(last_seen_at, ${now}) where id = ${sessionId}`);
}

export async function moveSession(db: Queryable, sessionId: SessionId, workspaceId: WorkspaceId | null): Promise<void> {
  await db.execute(sql`update sessions set workspace_id = ${workspaceId} where id = ${sessionId}`);
}

export interface EndedSession {
  readonly id: SessionId;
  readonly personId: PersonId;
}

export async function revokeSession(db: Queryable, hash: Buffer, now: Date): Promise<EndedSession | null> {
  const [row] = await db.query<RowOf<EndedSession>>(sql`
    update sessions set revoked_at = ${now} where hash = ${hash} and revoked_at is null returning id, person_id`);
  return row === undefined ? null : fromRow<EndedSession>(row);
}

// One of the person's sessions by id, or all but one, or all.
export async function revokeSessionsOf(
  db: Queryable,
  ending: { personId: PersonId; only?: SessionId; except?: SessionId | null; now: Date },
): Promise<EndedSession[]> {
  const rows = await db.query<RowOf<EndedSession>>(sql`
    update sessions set revoked_at = ${ending.now}
    where person_id = ${ending.personId} and revoked_at is null
      and (${ending.only ?? null}::uuid is null or id = ${ending.only ?? null}::uuid)
      and id is distinct from ${ending.except ?? null}::uuid
    returning id, person_id`);
  return rows.map(fromRow<EndedSession>);
}

export async function hasSessions(db: Queryable): Promise<boolean> {
  const [row] = await db.query<{ has: boolean }>(sql`select exists (select from sessions) as has`);
  return row?.has ?? false;
}

// Ended sessions and links are kept for a while, so that the audit's subjects can still be looked up.
export async function forgetEnded(db: Queryable, endedBefore: Date): Promise<void> {
  await db.execute(sql`delete from sign_in_links where expires_at < ${endedBefore}`);
  await db.execute(sql`delete from sessions where expires_at < ${endedBefore}`);
}
