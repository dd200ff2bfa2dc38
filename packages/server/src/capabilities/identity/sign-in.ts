// How a person signs in: a one-time link (10 minutes, single use) becomes a session (an opaque cookie, 30 days at most,
// 7 days without use). Both exist here as hashes only. Looking at a link does not use it up, so that a mail or chat
// program that previews it burns nothing; signing in ends the session the browser had before.
import { Fault } from "../../foundation/fault.ts";
import { newId, type PersonId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "./acting.ts";
import { hashSecret, isRandomToken, randomToken } from "./api-key.ts";
import { findPerson, findRole, listMemberships, markAccepted, type Person } from "./member-store.ts";
import { type IdentityPrincipal, identityPrincipal } from "./principal.ts";
import {
  findSession,
  findSignInLink,
  forgetEnded,
  insertSession,
  insertSignInLink,
  moveSession,
  revokeSession,
  revokeSessionsOf,
  type SessionId,
  type StoredSession,
  touchSession,
  useSignInLink,
} from "./session-store.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
export const linkMs = 10 * minuteMs;
const sessionMs = 30 * dayMs;
export const idleMs = 7 * dayMs;
const touchMs = 5 * minuteMs;
const keepEndedMs = 30 * dayMs;

export interface Session {
  readonly id: SessionId;
  readonly person: Person;
  // Null for a person who is in no workspace.
  readonly principal: IdentityPrincipal | null;
}

export interface SignIn {
  createLink(personId: PersonId, by: Acting): Promise<{ token: string; expiresAt: Date }>;
  // Who would sign in with this link; null when it is unknown, used or too old.
  readLink(token: string): Promise<Person | null>;
  // Uses the link up. `token` is the new cookie; the earlier session of the same browser ends.
  useLink(
    token: string,
    earlierSession: string | null,
    requestId: Acting["requestId"],
  ): Promise<{ token: string; expiresAt: Date } | null>;
  readSession(token: string): Promise<Session | null>;
  chooseWorkspace(session: Session, workspaceId: WorkspaceId, requestId: Acting["requestId"]): Promise<void>;
  signOut(token: string, requestId: Acting["requestId"]): Promise<void>;
  signOutEverywhere(personId: PersonId, by: Acting): Promise<void>;
}

export function createSignIn(deps: ChangeDeps): SignIn {
  const { db, clock } = deps;
  return {
    createLink: (personId, by) => createLink(deps, personId, by),
    async readLink(token) {
      return isRandomToken(token) ? findSignInLink(db, hashSecret(token), clock.now()) : null;
    },
    useLink: (token, earlier, requestId) => useLink(deps, { token, earlier, requestId }),
    readSession: (token) => readSession(deps, token),
    chooseWorkspace: (session, workspaceId, requestId) => chooseWorkspace(deps, { session, workspaceId, requestId }),
    signOut: (token, requestId) => signOut(deps, token, requestId),
    signOutEverywhere: (personId, by) => signOutEverywhere(deps, personId, by),
  };
}

async function createLink(deps: ChangeDeps, personId: PersonId, by: Acting) {
  const now = deps.clock.now();
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + linkMs);
  await deps.db.transaction(async (tx) => {
    if ((await findPerson(tx, personId)) === null) throw new Fault("not_found", "There is no person with this id.");
    await forgetEnded(tx, new Date(now.getTime() - keepEndedMs));
    await insertSignInLink(tx, { hash: hashSecret(token), personId, createdAt: now, expiresAt });
    await deps.audit.append(tx, { ...by, action: "sign_in_link.create", subject: { kind: "person", id: personId } });
  });
  return { token, expiresAt };
}

interface LinkUse {
  readonly token: string;
  readonly earlier: string | null;
  readonly requestId: Acting["requestId"];
}

async function useLink(deps: ChangeDeps, use: LinkUse): Promise<{ token: string; expiresAt: Date } | null> {
  if (!isRandomToken(use.token)) return null;
  const now = deps.clock.now();
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + sessionMs);
  const id = newId<"session">(now.getTime());
  const signedIn = await deps.db.transaction(async (tx) => {
    const personId = await useSignInLink(tx, hashSecret(use.token), now);
    if (personId === null) return false;
    if (use.earlier !== null && isRandomToken(use.earlier)) await revokeSession(tx, hashSecret(use.earlier), now);
    const [first] = await listMemberships(tx, personId);
    await insertSession(tx, {
      id,
      hash: hashSecret(token),
      personId,
      workspaceId: first?.workspaceId ?? null,
      createdAt: now,
      expiresAt,
    });
    await deps.audit.append(tx, {
      ...personActing(personId, use.requestId),
      action: "person.sign_in",
      subject: { kind: "session", id },
    });
    return true;
  });
  return signedIn ? { token, expiresAt } : null;
}

async function readSession(deps: ChangeDeps, token: string): Promise<Session | null> {
  if (!isRandomToken(token)) return null;
  const now = deps.clock.now();
  const idleSince = new Date(now.getTime() - idleMs);
  const stored = await findSession(deps.db, { hash: hashSecret(token), now, idleSince });
  if (stored === null) return null;
  if (now.getTime() - stored.lastSeenAt.getTime() >= touchMs) await touchSession(deps.db, stored.id, now);
  return { id: stored.id, person: stored.person, principal: await principalOf(deps, stored) };
}

// Authority is read afresh each time: a person who was removed from a workspace is out of it with the next request, and the
// session moves to another workspace of theirs.
async function principalOf(deps: ChangeDeps, stored: StoredSession): Promise<IdentityPrincipal | null> {
  const memberships = await listMemberships(deps.db, stored.person.id);
  const chosen = memberships.find((one) => one.workspaceId === stored.workspaceId) ?? memberships[0];
  if ((chosen?.workspaceId ?? null) !== stored.workspaceId) {
    await moveSession(deps.db, stored.id, chosen?.workspaceId ?? null);
  }
  if (chosen === undefined) return null;
  return identityPrincipal(chosen.workspaceId, stored.person.id, chosen.role);
}

interface WorkspaceChoice {
  readonly session: Session;
  readonly workspaceId: WorkspaceId;
  readonly requestId: Acting["requestId"];
}

async function chooseWorkspace(deps: ChangeDeps, { session, workspaceId, requestId }: WorkspaceChoice): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const role = await findRole(tx, workspaceId, session.person.id);
    if (role === null) throw new Fault("not_found", "There is no such workspace.");
    await moveSession(tx, session.id, workspaceId);
    await markAccepted(tx, { workspaceId, personId: session.person.id, now: deps.clock.now() });
    await deps.audit.append(tx, {
      ...personActing(session.person.id, requestId),
      action: "session.choose_workspace",
      subject: { kind: "session", id: session.id },
      workspaceId,
    });
  });
}

async function signOut(deps: ChangeDeps, token: string, requestId: Acting["requestId"]): Promise<void> {
  if (!isRandomToken(token)) return;
  await deps.db.transaction(async (tx) => {
    const personId = await revokeSession(tx, hashSecret(token), deps.clock.now());
    if (personId === null) return;
    await deps.audit.append(tx, {
      ...personActing(personId, requestId),
      action: "person.sign_out",
      subject: { kind: "person", id: personId },
    });
  });
}

async function signOutEverywhere(deps: ChangeDeps, personId: PersonId, by: Acting): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const sessions = await revokeSessionsOf(tx, personId, deps.clock.now());
    await deps.audit.append(tx, {
      ...by,
      action: "person.sign_out_everywhere",
      subject: { kind: "person", id: personId },
      after: { sessions },
    });
  });
}

function personActing(personId: PersonId, requestId: Acting["requestId"]): Acting {
  const actor = { kind: "person", id: personId } as const;
  return requestId === undefined ? { actor } : { actor, requestId };
}
