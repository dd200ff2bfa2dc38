// Who is calling? The one answer for every authenticated area. Look-ups are cached for five seconds at most. This process
// forgets a revoked key immediately, the others when they hear of it over the bus; if the bus fails, the key can still
// work there for those seconds. Unknown, revoked, expired and malformed credentials get the same status and text, and
// each counts as one failure.
import { timingSafeEqual } from "node:crypto";
import type { Operation } from "@atelier/contract";
import type { Background } from "../../foundation/background.ts";
import { type Forgetting, forgettingAlone } from "../../foundation/bus/forgetting.ts";
import type { Database, Queryable } from "../../foundation/database/database.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Arrival } from "../../foundation/http/area.ts";
import { trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import { TtlCache } from "../../foundation/memory/ttl-cache.ts";
import { hashSecret, keyShape } from "./api-key.ts";
import { authenticateDerived } from "./deriving/authenticate-derived.ts";
import type { FailureBudget } from "./failure-budget.ts";
import { findKeyByHash } from "./key-store.ts";
import { createLastUsed, type LastUsed } from "./last-used.ts";
import type { IdentityPrincipal, KeyPrincipal, Principal, Scope, SessionId } from "./principal.ts";
import { readCredential } from "./read-credential.ts";
import { type FreshSignInDeps, requireFreshSignIn, requireRoleFor } from "./require-role.ts";
import { type AdmitIdentityDeps, admitIdentity } from "./signing-in/admit-identity.ts";
import { claimedAudience, type JwtVerifier } from "./signing-in/verify-jwt.ts";

const rememberMs = 5_000;
// If the bus loses the news that a session was ended in another process, tokens made from it work for this much longer.
const rememberSessionMs = 1_000;
const entriesMax = 10_000;

export interface AuthenticateDeps extends FreshSignInDeps {
  readonly db: Database;
  readonly log: Log;
  readonly failures: FailureBudget;
  readonly tokens: JwtVerifier;
  readonly admission: AdmitIdentityDeps;
  // Null if there are none.
  readonly limited: LimitedTokens | null;
  readonly forgetting?: Forgetting;
  // Throws for a workspace that moved to another server.
  readonly requireHere?: ((workspaceId: WorkspaceId, operation: Operation | undefined) => void) | undefined;
  // Called when this or another process has changed what a credential may do.
  changed?(): void;
}

// Tokens of one more audience. They have only these scopes, and only in areas that ask for them.
export interface LimitedTokens {
  readonly tokens: JwtVerifier;
  readonly audience: string;
  readonly scopes: readonly Scope[];
}

export type Asking = Pick<Arrival, "rawHeaders" | "peer" | "recognised" | "operationId" | "operation">;

export interface Authenticator {
  // Throws unauthorized, or rate_limited for an address that failed too often, or forbidden for the key of a link. Synchronous
  // if the key is cached.
  authenticate(arrival: Asking): Principal | Promise<Principal>;
  // The same, but also accepts the keys of links. Only an area that keeps them to their work may ask this.
  authenticateWithLinks(arrival: Asking): Principal | Promise<Principal>;
  // The same, but also accepts tokens of the limited kind, with their scopes.
  authenticateLimited(arrival: Asking): Principal | Promise<Principal>;
  // For an area that recognised its caller itself, by a cookie: throws what `authenticate` throws if the caller lacks the
  // operation's role, or signed in too long ago for it.
  allow<Allowed extends Principal>(caller: Allowed, operation: Operation | undefined): Allowed;
  // What an area throws if its own credential (a sign-in link, a cookie) is refused, so that it counts as a failure too.
  refuse(peer: string): Fault;
  // These resolve when the other processes know, too.
  keyChanged(hash: Buffer): Promise<void>;
  authorityChanged(workspaceId: WorkspaceId): Promise<void>;
  sessionsEnded(sessionIds: readonly SessionId[]): Promise<void>;
  // A key, token or session ended, and with it every token made from it.
  ancestorEnded(id: string): Promise<void>;
  flush(): Promise<void>;
  // Writes keys' last use in the background until the signal fires.
  run(background: Background, signal: AbortSignal): Promise<void>;
}

interface KnownKey {
  readonly principal: KeyPrincipal;
  // In the past for a revoked key.
  readonly usableUntilMs: number;
}

export function unauthorized(): Fault {
  return new Fault(
    "unauthorized",
    "No valid credential. Send an API key in X-API-Key, or an API key or identity token in Authorization: Bearer.",
  );
}

export function createAuthenticator(deps: AuthenticateDeps): Authenticator {
  const refusals = createRefusals(deps.failures);
  const lastUsed = createLastUsed(deps);
  const derived = authenticateDerived({ ...deps, ...refusals });
  const keys = authenticateKeys(deps, refusals, lastUsed, derived);
  const tokens = authenticateTokens(deps, refusals);
  const { limited } = deps;
  const limitedTokens = limited && authenticateTokens({ ...deps, tokens: limited.tokens }, refusals);
  const { forgetting = forgettingAlone } = deps;
  const forgetKey = forgetting.share("keys", (name) => {
    keys.drop(name);
    deps.changed?.();
  });
  const forgetSession = forgetting.share("sessions", (sessionId) => {
    for (const known of [tokens, limitedTokens]) known?.dropSession(trustedId(sessionId));
    deps.changed?.();
  });
  const ancestorEnded = forgetting.share("what tokens come from", (id) => {
    derived.dropBelow(id);
    deps.changed?.();
  });
  function authenticate(asking: Asking): Principal | Promise<Principal> {
    const principal = authenticateWithLinks(asking);
    return principal instanceof Promise ? principal.then(refuseLink) : refuseLink(principal);
  }
  function allow<Allowed extends Principal>(caller: Allowed, operation: Operation | undefined): Allowed {
    deps.requireHere?.(caller.workspaceId, operation);
    requireRoleFor(caller.role, operation);
    if (operation?.freshSignIn === "always") requireFreshSignIn(deps, caller);
    return caller;
  }
  function authenticateWithLinks(asking: Asking): Principal | Promise<Principal> {
    const principal = recognise(asking);
    const { operation } = asking;
    return principal instanceof Promise
      ? principal.then((late) => allow(late, operation))
      : allow(principal, operation);
  }
  function recognise(asking: Asking): Principal | Promise<Principal> {
    const credential = readCredential(asking.rawHeaders);
    if (credential.kind === "key") return keys.byKey(credential.value, asking);
    if (credential.kind === "token") return tokens.byToken(credential.value, asking);
    throw credential.kind === "none" ? unauthorized() : refusals.refuse(asking.peer);
  }
  return {
    refuse: refusals.refuse,
    allow,
    authenticate,
    authenticateWithLinks,
    authenticateLimited(arrival) {
      const credential = readCredential(arrival.rawHeaders);
      if (credential.kind !== "token" || limited === null || limitedTokens === null) return authenticate(arrival);
      if (claimedAudience(credential.value) !== limited.audience) return authenticate(arrival);
      const { scopes } = limited;
      return limitedTokens
        .byToken(credential.value, arrival)
        .then((principal) => allow({ ...principal, scopes }, arrival.operation));
    },
    keyChanged: (hash) => forgetKey(nameOfKey(hash)),
    authorityChanged: forgetting.share("authority in workspaces", (workspaceId) => {
      keys.dropWorkspace(trustedId(workspaceId));
      derived.dropWorkspace(trustedId(workspaceId));
      for (const known of [tokens, limitedTokens]) known?.dropWorkspace(trustedId(workspaceId));
      deps.changed?.();
    }),
    async sessionsEnded(ended) {
      await Promise.all(ended.flatMap((sessionId) => [forgetSession(sessionId), ancestorEnded(sessionId)]));
    },
    ancestorEnded,
    flush: () => lastUsed.flush(),
    run: (background, signal) => lastUsed.run(background, signal),
  };
}

function refuseLink(principal: Principal): Principal {
  if (principal.kind !== "key" || principal.onlyModel === undefined) return principal;
  throw new Fault("forbidden", "This key belongs to a link and can only call the link's work.");
}

interface Refusals {
  refuse(peer: string): Fault;
  // An address far over its budget costs us no more look-ups, except for credentials that were good before.
  requireOpen(peer: string, isKnownGood: boolean): void;
}

function createRefusals(failures: FailureBudget): Refusals {
  const tooMany = (retryAfterSeconds: number): Fault =>
    new Fault("rate_limited", "Too many invalid credentials from this address. Try again later.", {
      retryAfterSeconds,
    });
  return {
    refuse(peer) {
      const retryAfterSeconds = failures.spend(peer);
      return retryAfterSeconds === null ? unauthorized() : tooMany(retryAfterSeconds);
    },
    requireOpen(peer, isKnownGood) {
      if (isKnownGood || !failures.isClosed(peer)) return;
      failures.spend(peer);
      throw tooMany(failures.retryAfterSeconds(peer));
    },
  };
}

// How a key is identified in caches and messages, without anything that could be used as a credential.
const nameOfKey = (hash: Buffer) => hash.toString("base64");

function authenticateKeys(
  { db, clock }: AuthenticateDeps,
  refusals: Refusals,
  lastUsed: LastUsed,
  derived: Pick<ReturnType<typeof authenticateDerived>, "byHash">,
) {
  const keys = new TtlCache<string, KnownKey | null>({ clock, keepMs: rememberMs, entriesMax });

  // A key that was once good is named in the log when refused; its caller gets the same answer as any other.
  function admit(known: KnownKey | null, asking: Asking): KeyPrincipal {
    if (known !== null) asking.recognised?.(known.principal);
    if (known === null || known.usableUntilMs <= clock.now().getTime()) throw refusals.refuse(asking.peer);
    lastUsed.note(known.principal);
    return known.principal;
  }

  return {
    byKey(value: string, asking: Asking): Principal | Promise<Principal> {
      const shape = keyShape(value);
      if (shape === "bad_checksum" || shape === "not_a_key") throw refusals.refuse(asking.peer);
      const hash = hashSecret(value);
      if (shape === "token") return derived.byHash(hash, asking);
      const name = nameOfKey(hash);
      refusals.requireOpen(asking.peer, keys.getStale(name) !== undefined);
      const known = keys.getOrLoad(name, () => lookUpKey(db, hash));
      return known instanceof Promise ? known.then((late) => admit(late, asking)) : admit(known, asking);
    },
    drop: (name: string) => keys.delete(name),
    dropWorkspace: (workspaceId: WorkspaceId) =>
      keys.deleteWhere((known) => known?.principal.workspaceId === workspaceId),
  };
}

async function lookUpKey(db: Queryable, hash: Buffer): Promise<KnownKey | null> {
  const found = await findKeyByHash(db, hash);
  if (found === null || !timingSafeEqual(found.hash, hash)) return null;
  const { id, workspaceId, role, scopes, expiresAt, revokedAt, onlyModel, serviceAccount } = found;
  const only = { ...(onlyModel === null ? {} : { onlyModel }), ...(serviceAccount === null ? {} : { serviceAccount }) };
  return {
    principal: { kind: "key", keyId: id, personId: null, workspaceId, role, scopes, ...only },
    usableUntilMs: revokedAt === null ? (expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY,
  };
}

function authenticateTokens({ clock, tokens, admission }: AuthenticateDeps, refusals: Refusals) {
  const people = new TtlCache<string, IdentityPrincipal | null>({ clock, keepMs: rememberMs, entriesMax });
  const signedIn = new TtlCache<string, IdentityPrincipal | null>({ clock, keepMs: rememberSessionMs, entriesMax });
  return {
    async byToken(value: string, asking: Asking): Promise<Principal> {
      const { peer } = asking;
      refusals.requireOpen(peer, tokens.isRemembered(value));
      const token = await tokens.verify(value);
      if (token === null) throw refusals.refuse(peer);
      const name = JSON.stringify([token.issuer.name(), token.subject, token.workspace, token.session]);
      const known = token.issuer.kind === "embedded" ? signedIn : people;
      const principal = await known.getOrLoad(name, () => admitIdentity(admission, token));
      if (principal === null) throw refusals.refuse(peer);
      asking.recognised?.(principal);
      return principal;
    },
    dropWorkspace(workspaceId: WorkspaceId): void {
      for (const known of [people, signedIn]) known.deleteWhere((principal) => principal?.workspaceId === workspaceId);
    },
    dropSession(ended: SessionId): void {
      signedIn.deleteWhere((principal) => principal?.sessionId === ended);
    },
  };
}
