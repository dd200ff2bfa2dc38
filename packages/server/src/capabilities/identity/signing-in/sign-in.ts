// How a person signs in: a one-time link (10 minutes, single use) becomes a session (an opaque cookie, 30 days at most, 7
// days idle). We store only hashes of both. Viewing a link does not use it up, so a mail or chat program that previews it
// does no harm. Signing in ends the browser's previous session.
import type { Queryable } from "../../../foundation/database/database.ts";
import { Fault, orNotFound } from "../../../foundation/fault.ts";
import { newId, type PersonId, type WorkspaceId } from "../../../foundation/ids.ts";
import type { Acting, ChangeDeps } from "../acting.ts";
import { hashSecret, isRandomToken, randomToken } from "../api-key.ts";
import {
  findPerson,
  findRole,
  hasSignedIn,
  listMemberships,
  markAccepted,
  markSignedIn,
} from "../people/member-store.ts";
import type { Person } from "../people/person.ts";
import { type IdentityPrincipal, identityPrincipal, type SessionId } from "../principal.ts";
import { admitVouched, type VouchedEntry } from "./enter-vouched.ts";
import type { Browser, ListedSession, SignedInBy } from "./session.ts";
import {
  endSignInLinks,
  findSession,
  findSignInLink,
  forgetEnded,
  hasSessions,
  insertSession,
  insertSignInLink,
  type LiveAt,
  listSessions,
  moveSession,
  revokeSession,
  revokeSessionsOf,
  type StoredSession,
  touchSession,
  useSignInLink,
} from "./session-store.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
export const linkMs = 10 * minuteMs;
// For invited people: the link is passed on by mail or chat and read later.
export const invitationMs = 3 * dayMs;
const sessionMs = 30 * dayMs;
export const idleMs = 7 * dayMs;
const touchMs = 5 * minuteMs;
const keepEndedMs = 30 * dayMs;

const userAgentCharactersMax = 400;
const addressCharactersMax = 64;

export interface Session {
  readonly id: SessionId;
  readonly person: Person;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  // Null if the person is in no workspace.
  readonly principal: IdentityPrincipal | null;
}

export interface LinkLook {
  readonly state: "good" | "used" | "expired";
  readonly person: Person;
  readonly expiresAt: Date;
}

// What a browser gets when it signs in: `token` is its new cookie.
export interface NewCookie {
  readonly token: string;
  readonly expiresAt: Date;
}

export interface SignIn {
  // Ten minutes by default.
  createLink(personId: PersonId, by: Acting, lifeMs?: number): Promise<{ token: string; expiresAt: Date }>;
  // For a person who is only in this workspace and never signed in, because their first link got lost or expired. The new
  // link ends the old one. Throws not_found, or conflict for everybody else.
  inviteAgain(invited: InvitedAgain, by: Acting): Promise<{ token: string; expiresAt: Date }>;
  // Null if there is no such link. The holder of a link may learn what became of it.
  lookAtLink(token: string): Promise<LinkLook | null>;
  // Uses up the link and ends the browser's previous session.
  useLink(
    token: string,
    earlierSession: string | null,
    requestId: Acting["requestId"],
    browser?: Browser,
  ): Promise<NewCookie | null>;
  // Signs in a person whom an issuer vouches for, and creates them the first time.
  enterVouched(entry: VouchedEntry, use: BrowserUse): Promise<NewCookie>;
  readSession(token: string): Promise<Session | null>;
  // The person's live sessions, newest first.
  listSessions(personId: PersonId): Promise<ListedSession[]>;
  // Ends one of the person's sessions. Throws not_found.
  endSession(personId: PersonId, sessionId: SessionId, by: Acting): Promise<void>;
  // Ends all of the person's sessions but one, and returns how many.
  endOtherSessions(personId: PersonId, kept: SessionId | null, by: Acting): Promise<number>;
  chooseWorkspace(session: Session, workspaceId: WorkspaceId, requestId: Acting["requestId"]): Promise<void>;
  signOut(token: string, requestId: Acting["requestId"]): Promise<void>;
  // Whether there ever was a session, as far back as they are kept.
  wasUsed(): Promise<boolean>;
}

export interface InvitedAgain {
  readonly workspaceId: WorkspaceId;
  readonly personId: PersonId;
  readonly lifeMs: number;
}

export interface SignInDeps extends ChangeDeps {
  // Called once sessions have ended, so that tokens made from them are refused right away.
  sessionsEnded(sessionIds: readonly SessionId[]): Promise<void>;
  authorityChanged(workspaceId: WorkspaceId): Promise<void>;
}

export function liveAt(now: Date): LiveAt {
  return { now, idleSince: new Date(now.getTime() - idleMs) };
}

export function createSignIn(deps: SignInDeps): SignIn {
  const { db, clock } = deps;
  return {
    createLink: (personId, by, lifeMs = linkMs) => createLink(deps, personId, by, lifeMs),
    inviteAgain: (invited, by) => inviteAgain(deps, invited, by),
    lookAtLink: (token) => lookAtLink(deps, token),
    useLink: (token, earlier, requestId, browser = { userAgent: null, address: null }) =>
      useLink(deps, { token, earlier, requestId, browser }),
    async enterVouched(entry, use) {
      const opened = await deps.db.transaction(async (tx) => {
        const { personId, changed } = await admitVouched(tx, deps, entry);
        return { ...(await openSession(tx, deps, { ...use, personId, signedInBy: "oidc" })), changed };
      });
      await Promise.all([deps.sessionsEnded(opened.ended), ...opened.changed.map((id) => deps.authorityChanged(id))]);
      return opened.cookie;
    },
    readSession: (token) => readSession(deps, token),
    listSessions: (personId) => listSessions(db, personId, liveAt(clock.now())),
    endSession: (personId, sessionId, by) => endSession(deps, { personId, sessionId }, by),
    endOtherSessions: (personId, kept, by) => endAll(deps, { personId, except: kept }, by),
    chooseWorkspace: (session, workspaceId, requestId) => chooseWorkspace(deps, { session, workspaceId, requestId }),
    signOut: (token, requestId) => signOut(deps, token, requestId),
    wasUsed: () => hasSessions(db),
  };
}

async function lookAtLink({ db, clock }: ChangeDeps, token: string): Promise<LinkLook | null> {
  const stored = isRandomToken(token) ? await findSignInLink(db, hashSecret(token)) : null;
  if (stored === null) return null;
  const { person, expiresAt, isUsed } = stored;
  return { state: isUsed ? "used" : expiresAt <= clock.now() ? "expired" : "good", person, expiresAt };
}

async function createLink(deps: ChangeDeps, personId: PersonId, by: Acting, lifeMs: number) {
  const now = deps.clock.now();
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + lifeMs);
  await deps.db.transaction(async (tx) => {
    if ((await findPerson(tx, personId)) === null) throw new Fault("not_found", "There is no person with this id.");
    await forgetEnded(tx, new Date(now.getTime() - keepEndedMs));
    await insertSignInLink(tx, { hash: hashSecret(token), personId, createdAt: now, expiresAt });
    await deps.audit.append(tx, { ...by, action: "sign_in_link.create", subject: { kind: "person", id: personId } });
  });
  return { token, expiresAt };
}

async function inviteAgain(deps: ChangeDeps, { workspaceId, personId, lifeMs }: InvitedAgain, by: Acting) {
  if ((await findRole(deps.db, workspaceId, personId)) === null)
    throw new Fault("not_found", "There is no such member in this workspace.");
  const memberships = await listMemberships(deps.db, personId);
  const mayBe = memberships.length === 1 && !(await hasSignedIn(deps.db, personId));
  if (!mayBe)
    throw new Fault(
      "conflict",
      "This person has signed in before, or is also in another workspace. Only they or the server's operator can create a link for them.",
    );
  await endSignInLinks(deps.db, personId);
  return createLink(deps, personId, by, lifeMs);
}

export interface BrowserUse {
  // The cookie of the browser's previous session.
  readonly earlier: string | null;
  readonly requestId: Acting["requestId"];
  readonly browser: Browser;
}

interface LinkUse extends BrowserUse {
  readonly token: string;
}

async function useLink(deps: SignInDeps, use: LinkUse): Promise<NewCookie | null> {
  if (!isRandomToken(use.token)) return null;
  const opened = await deps.db.transaction(async (tx) => {
    const personId = await useSignInLink(tx, hashSecret(use.token), deps.clock.now());
    return personId && openSession(tx, deps, { ...use, personId, signedInBy: "link" });
  });
  if (opened === null) return null;
  await deps.sessionsEnded(opened.ended);
  return opened.cookie;
}

interface SessionOpening extends BrowserUse {
  readonly personId: PersonId;
  readonly signedInBy: SignedInBy;
}

// Opens a new session for the browser and ends its previous one in the same transaction. After the commit the caller must
// announce the sessions that ended.
async function openSession(
  tx: Queryable,
  { clock, audit }: Pick<ChangeDeps, "clock" | "audit">,
  { personId, signedInBy, earlier, requestId, browser }: SessionOpening,
): Promise<{ readonly cookie: NewCookie; readonly ended: readonly SessionId[] }> {
  const now = clock.now();
  const token = randomToken();
  const expiresAt = new Date(now.getTime() + sessionMs);
  const id = newId<"session">(now.getTime());
  const ended = earlier !== null && isRandomToken(earlier) ? await revokeSession(tx, hashSecret(earlier), now) : null;
  const [first] = await listMemberships(tx, personId);
  await markSignedIn(tx, personId, now);
  await insertSession(tx, {
    id,
    hash: hashSecret(token),
    personId,
    workspaceId: first?.workspaceId ?? null,
    signedInBy,
    userAgent: shortened(browser.userAgent, userAgentCharactersMax),
    address: shortened(browser.address, addressCharactersMax),
    createdAt: now,
    expiresAt,
  });
  await audit.append(tx, {
    ...personActing(personId, requestId),
    action: "person.sign_in",
    subject: { kind: "session", id },
    after: { signed_in_by: signedInBy },
  });
  return { cookie: { token, expiresAt }, ended: ended === null ? [] : [ended.id] };
}

// Cleans a header's text for storage. What a browser says about itself is shown only to its person.
function shortened(text: string | null, charactersMax: number): string | null {
  const kept = [...(text ?? "").toWellFormed().replaceAll(/\p{Cc}/gu, "")].slice(0, charactersMax).join("");
  return kept === "" ? null : kept;
}

async function readSession(deps: ChangeDeps, token: string): Promise<Session | null> {
  if (!isRandomToken(token)) return null;
  const now = deps.clock.now();
  const stored = await findSession(deps.db, { hash: hashSecret(token), ...liveAt(now) });
  if (stored === null) return null;
  if (now.getTime() - stored.lastSeenAt.getTime() >= touchMs) await touchSession(deps.db, stored.id, now);
  const { id, person, createdAt, expiresAt } = stored;
  return { id, person, createdAt, expiresAt, principal: await principalOf(deps, stored) };
}

// Authority is read each time: a person removed from a workspace is out with the next request, and their session moves to
// another of their workspaces.
async function principalOf(deps: ChangeDeps, stored: StoredSession): Promise<IdentityPrincipal | null> {
  const memberships = await listMemberships(deps.db, stored.person.id);
  const chosen = memberships.find((one) => one.workspaceId === stored.workspaceId) ?? memberships[0];
  if ((chosen?.workspaceId ?? null) !== stored.workspaceId) {
    await moveSession(deps.db, stored.id, chosen?.workspaceId ?? null);
  }
  if (chosen === undefined) return null;
  const holder = {
    workspaceId: chosen.workspaceId,
    personId: stored.person.id,
    sessionId: stored.id,
    signedInAt: stored.createdAt,
  };
  return identityPrincipal(holder, chosen.role);
}

interface WorkspaceChoice {
  readonly session: Session;
  readonly workspaceId: WorkspaceId;
  readonly requestId: Acting["requestId"];
}

async function chooseWorkspace(deps: ChangeDeps, { session, workspaceId, requestId }: WorkspaceChoice): Promise<void> {
  await deps.db.transaction(async (tx) => {
    orNotFound(await findRole(tx, workspaceId, session.person.id), "There is no such workspace.");
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

async function signOut(deps: SignInDeps, token: string, requestId: Acting["requestId"]): Promise<void> {
  if (!isRandomToken(token)) return;
  const ended = await deps.db.transaction(async (tx) => {
    const session = await revokeSession(tx, hashSecret(token), deps.clock.now());
    if (session === null) return [];
    await deps.audit.append(tx, {
      ...personActing(session.personId, requestId),
      action: "person.sign_out",
      subject: { kind: "person", id: session.personId },
    });
    return [session.id];
  });
  await deps.sessionsEnded(ended);
}

async function endSession(
  deps: SignInDeps,
  { personId, sessionId }: { personId: PersonId; sessionId: SessionId },
  by: Acting,
): Promise<void> {
  await deps.db.transaction(async (tx) => {
    const ended = await revokeSessionsOf(tx, { personId, only: sessionId, now: deps.clock.now() });
    if (ended.length === 0) throw new Fault("not_found", "There is no such session.");
    const subject = { kind: "session", id: sessionId };
    await deps.audit.append(tx, { ...by, action: "session.end", subject });
  });
  await deps.sessionsEnded([sessionId]);
}

async function endAll(
  deps: SignInDeps,
  { personId, except }: { personId: PersonId; except: SessionId | null },
  by: Acting,
): Promise<number> {
  const ended = await deps.db.transaction(async (tx) => {
    const sessions = await revokeSessionsOf(tx, { personId, except, now: deps.clock.now() });
    await deps.audit.append(tx, {
      ...by,
      action: except === null ? "person.sign_out_everywhere" : "person.sign_out_elsewhere",
      subject: { kind: "person", id: personId },
      after: { sessions: sessions.length },
    });
    return sessions.map(({ id }) => id);
  });
  await deps.sessionsEnded(ended);
  return ended.length;
}

function personActing(personId: PersonId, requestId: Acting["requestId"]): Acting {
  const actor = { kind: "person", id: personId } as const;
  return requestId === undefined ? { actor } : { actor, requestId };
}
