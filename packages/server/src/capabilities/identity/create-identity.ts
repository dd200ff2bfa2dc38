// Builds the capability: what it needs, what it offers, and which parts notify which others of changes.
import type { Background } from "../../foundation/background.ts";
import type { Clock } from "../../foundation/clock.ts";
import type { Fault } from "../../foundation/fault.ts";
import type { WorkspaceId } from "../../foundation/ids.ts";
import type { Log } from "../../foundation/log.ts";
import type { ChangeDeps } from "./acting.ts";
import {
  type Asking,
  type AuthenticateDeps,
  type Authenticator,
  createAuthenticator,
  type LimitedTokens,
} from "./authenticate.ts";
import { createDerivedTokens, type DerivedTokens } from "./deriving/derived-tokens.ts";
import { createEntitlements, type Entitlements } from "./entitlements.ts";
import type { FailureBudget } from "./failure-budget.ts";
import { createKeys, type Keys, type RequireQuota } from "./keys.ts";
import { createMembers, type Members } from "./people/members.ts";
import { createOperators, type Operators } from "./people/operators.ts";
import { createServiceAccounts, type ServiceAccounts } from "./people/service-accounts.ts";
import { createWorkspaces, type WorkspaceCreated, type Workspaces } from "./people/workspaces.ts";
import type { Principal, SessionId } from "./principal.ts";
import { type FreshSignInDeps, requireFreshSignIn } from "./require-role.ts";
import type { UnknownWorkspace } from "./signing-in/admit-identity.ts";
import {
  createEmbeddedIssuer,
  type EmbeddedIssuer,
  embeddedAudience,
  embeddedTokenKind,
  type KeyRing,
} from "./signing-in/embedded-issuer.ts";
import { type FetchKeySet, remoteKeySet } from "./signing-in/key-set.ts";
import { createSignIn, type SignIn } from "./signing-in/sign-in.ts";
import { createJwtVerifier, type TrustedIssuer } from "./signing-in/verify-jwt.ts";
import { createCallerWatch } from "./watch-callers.ts";

// An external identity issuer, trusted about persons and their workspace.
export interface ExternalIssuer {
  readonly issuer: string;
  readonly audience: string;
  readonly jwksUrl: string;
  // The `typ` of its tokens; "JWT" unless configured otherwise.
  readonly tokenKind: string;
  readonly fetchKeySet: FetchKeySet;
}

export interface IdentityDeps extends ChangeDeps, FreshSignInDeps {
  readonly log: Log;
  readonly requireHere?: AuthenticateDeps["requireHere"];
  readonly keyRing: KeyRing;
  readonly failures: FailureBudget;
  readonly requireQuota: RequireQuota;
  readonly workspaceCreated: WorkspaceCreated;
  readonly baseUrl: () => string;
  readonly externalIssuer: ExternalIssuer | null;
  readonly unknownWorkspace: UnknownWorkspace;
  // Model patterns for workspaces without their own.
  readonly defaultEntitlements: readonly string[];
  readonly workspacesPerPersonMax: number;
  readonly membersPerWorkspaceMax: number;
  // An audience for tokens of our own issuer that reach only the partners. Null if there is none.
  readonly partnerAudience: string | null;
}

export interface Identity {
  authenticate(arrival: Asking): Principal | Promise<Principal>;
  // For the model router, which keeps the keys of links to their work: the same, but also accepts those keys. Every other area
  // refuses them.
  authenticateWithLinks(arrival: Asking): Principal | Promise<Principal>;
  // For the partner area: the same, but also accepts tokens that are valid only there.
  authenticateForPartners(arrival: Asking): Principal | Promise<Principal>;
  // For callers whom an area recognises by a cookie: throws if they lack the operation's role, or signed in too long ago for it.
  readonly allow: Authenticator["allow"];
  // Throws sign_in_again for a person who signed in too long ago for a dangerous step.
  requireFreshSignIn(principal: Principal): void;
  // For credentials that an area reads itself: counts the failure and returns 401 or 429.
  refuse(peer: string): Fault;
  readonly keys: Keys;
  readonly tokens: DerivedTokens;
  readonly workspaces: Workspaces;
  readonly members: Members;
  readonly serviceAccounts: ServiceAccounts;
  readonly signIn: SignIn;
  readonly operators: Operators;
  readonly entitlements: Entitlements;
  readonly issuer: EmbeddedIssuer;
  // For long-lived connections: calls back once when this caller's credential stops being valid. Returns a function that
  // ends the watch.
  watch(principal: Principal, lost: () => void): () => void;
  // After a person was erased: makes every process refuse their sessions, keys and memberships.
  forget(erased: {
    readonly sessionIds: readonly SessionId[];
    readonly workspaceIds: readonly WorkspaceId[];
  }): Promise<void>;
  flush(): Promise<void>;
  run(background: Background, signal: AbortSignal): Promise<void>;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const issuer = createEmbeddedIssuer(deps);
  const issuers = [trustEmbedded(issuer)];
  if (deps.externalIssuer !== null) issuers.push(trustExternal(deps.externalIssuer, deps.clock));
  const callers = createCallerWatch(deps);
  const authenticator = createAuthenticator({
    ...deps,
    changed: callers.changed,
    tokens: createJwtVerifier({ issuers, clock: deps.clock }),
    admission: deps,
    limited: partnerTokens(deps, issuer),
  });
  const { keyChanged, authorityChanged, ancestorEnded } = authenticator;
  const changes = { keyChanged, authorityChanged, ancestorEnded };
  return {
    authenticate: authenticator.authenticate,
    authenticateWithLinks: authenticator.authenticateWithLinks,
    authenticateForPartners: authenticator.authenticateLimited,
    allow: authenticator.allow,
    requireFreshSignIn: (principal) => requireFreshSignIn(deps, principal),
    refuse: authenticator.refuse,
    flush: authenticator.flush,
    watch: callers.watch,
    async forget({ sessionIds, workspaceIds }) {
      await Promise.all([authenticator.sessionsEnded(sessionIds), ...workspaceIds.map((id) => authorityChanged(id))]);
    },
    async run(background, signal) {
      await Promise.all([authenticator.run(background, signal), callers.run(background, signal)]);
    },
    issuer,
    keys: createKeys({ ...deps, ...changes }),
    tokens: createDerivedTokens({ ...deps, ...changes }),
    workspaces: createWorkspaces(deps),
    members: createMembers({ ...deps, ...changes, membersMax: deps.membersPerWorkspaceMax }),
    serviceAccounts: createServiceAccounts({ ...deps, ...changes }),
    signIn: createSignIn({ ...deps, ...changes, sessionsEnded: authenticator.sessionsEnded }),
    operators: createOperators({ ...deps, authenticate: authenticator.authenticate }),
    entitlements: createEntitlements({ ...deps, defaultPatterns: deps.defaultEntitlements }),
  };
}

function partnerTokens({ partnerAudience, clock }: IdentityDeps, issuer: EmbeddedIssuer): LimitedTokens | null {
  if (partnerAudience === null) return null;
  const tokens = createJwtVerifier({ issuers: [trustEmbedded(issuer, partnerAudience)], clock });
  return { tokens, audience: partnerAudience, scopes: ["partners"] };
}

function trustEmbedded(issuer: EmbeddedIssuer, audience = embeddedAudience): TrustedIssuer {
  return {
    kind: "embedded",
    name: issuer.name,
    audience,
    tokenKind: embeddedTokenKind,
    keys: issuer.keys,
  };
}

function trustExternal(external: ExternalIssuer, clock: Clock): TrustedIssuer {
  return {
    kind: "external",
    name: () => external.issuer,
    audience: external.audience,
    tokenKind: external.tokenKind,
    keys: remoteKeySet({ url: external.jwksUrl, fetchKeySet: external.fetchKeySet, clock }),
  };
}
