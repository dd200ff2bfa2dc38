// One-time sign-in links and the sessions they turn into. Neither belongs to a workspace: both are a person's.
import { fromRow, type Queryable, type RowOf, sql } from "../../foundation/database/index.ts";
import { type Id, type PersonId, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { type Person, personColumns } from "./member-store.ts";

export type SessionId = Id<"session">;

export interface StoredSession {
  readonly id: SessionId;
  readonly person: Person;
  readonly workspaceId: WorkspaceId | null;
  readonly lastSeenAt: Date;
}

export async function insertSignInLink(
  db: Queryable,
  link: { hash: Buffer; personId: PersonId; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await db.execute(sql`
    insert into sign_in_links (hash, person_id, created_at, expires_at)
    values (${link.hash}, ${link.personId}, ${link.createdAt}, ${link.expiresAt})`);
}

// Who would sign in; reading a link does not use it up.
export async function findSignInLink(db: Queryable, hash: Buffer, now: Date): Promise<Person | null> {
  const [row] = await db.query<RowOf<Person>>(sql`
    select ${personColumns}
    from sign_in_links as link join people as person on person.id = link.person_id
    where link.hash = ${hash} and link.used_at is null and link.expires_at > ${now}`);
  return row === undefined ? null : fromRow<Person>(row);
}

// Of any number of simultaneous attempts exactly one gets the person.
export async function useSignInLink(db: Queryable, hash: Buffer, now: Date): Promise<PersonId | null> {
  const [row] = await db.query<{ person_id: string }>(sql`
    update sign_in_links set used_at = ${now}
    where hash = ${hash} and used_at is null and expires_at > ${now}
    returning person_id`);
  return row === undefined ? null : trustedId(row.person_id);
}

export interface NewSession {
  readonly id: SessionId;
  readonly hash: Buffer;
  readonly personId: PersonId;
  readonly workspaceId: WorkspaceId | null;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export async function insertSession(db: Queryable, session: NewSession): Promise<void> {
  await db.execute(sql`
    insert into sessions (id, hash, person_id, workspace_id, created_at, last_seen_at, expires_at)
    values (${session.id}, ${session.hash}, ${session.personId}, ${session.workspaceId}, ${session.createdAt},
      ${session.createdAt}, ${session.expiresAt})`);
}

export async function findSession(
  db: Queryable,
  look: { hash: Buffer; now: Date; idleSince: Date },
): Promise<StoredSession | null> {
  const [row] = await db.query<RowOf<Person & Omit<StoredSession, "id" | "person"> & { sessionId: SessionId }>>(sql`
    select session.id as session_id, session.workspace_id, session.last_seen_at, ${personColumns}
    from sessions as session join people as person on person.id = session.person_id
    where session.hash = ${look.hash} and session.revoked_at is null
      and session.expires_at > ${look.now} and session.last_seen_at > ${look.idleSince}`);
  if (row === undefined) return null;
  const { session_id: id, workspace_id: workspaceId, last_seen_at: lastSeenAt, ...person } = row;
  return { id, person: fromRow<Person>(person), workspaceId, lastSeenAt };
}

export async function touchSession(db: Queryable, sessionId: SessionId, now: Date): Promise<void> {
  await db.execute(sql`update sessions set last_seen_at = greatest(last_seen_at, ${now}) where id = ${sessionId}`);
}

export async function moveSession(db: Queryable, sessionId: SessionId, workspaceId: WorkspaceId | null): Promise<void> {
  await db.execute(sql`update sessions set workspace_id = ${workspaceId} where id = ${sessionId}`);
}

export async function revokeSession(db: Queryable, hash: Buffer, now: Date): Promise<PersonId | null> {
  const [row] = await db.query<{ person_id: string }>(sql`
    update sessions set revoked_at = ${now} where hash = ${hash} and revoked_at is null returning person_id`);
  return row === undefined ? null : trustedId(row.person_id);
}

export async function revokeSessionsOf(db: Queryable, personId: PersonId, now: Date): Promise<number> {
  return db.execute(sql`
    update sessions set revoked_at = ${now} where person_id = ${personId} and revoked_at is null`);
}

// What ended is kept for a while, so that the audit's subjects can still be looked at.
export async function forgetEnded(db: Queryable, endedBefore: Date): Promise<void> {
  await db.execute(sql`delete from sign_in_links where expires_at < ${endedBefore}`);
  await db.execute(sql`delete from sessions where expires_at < ${endedBefore}`);
}
