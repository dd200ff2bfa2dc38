// Signing in through an OpenID Connect issuer: there and back. If it fails, a browser is sent to the sign-in page, which says
// what happened; a program gets the fault as JSON.
import { operations } from "@atelier/contract";
import type { GroupRule, Identity, Role } from "../../../capabilities/identity/index.ts";
import type { Oidc } from "../../../capabilities/oidc/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import type { BytesAnswer, Incoming, Route } from "../../../foundation/http/area.ts";
import type { WorkspaceId } from "../../../foundation/ids.ts";
import type { Log } from "../../../foundation/log.ts";
import type { OidcCookie } from "./oidc-cookie.ts";
import { ownPath } from "./own-path.ts";
import { seeOther, wantsJson } from "./page.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { browserOf } from "./sign-in.route.ts";
import { publicPage, type Visitor } from "./visitor.ts";

export interface OidcSignIn {
  readonly flow: Oidc;
  readonly firstRole: Role;
  readonly firstWorkspaceId: WorkspaceId | null;
  readonly groupRules: readonly GroupRule[];
  readonly log: Log;
}

export interface OidcRouteDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly cookie: SessionCookie;
  readonly flowCookie: OidcCookie;
  readonly oidc: OidcSignIn | null;
  readonly platformUrl: () => string;
}

export function beginOidcSignInRoute(deps: OidcRouteDeps): Route<Visitor> {
  return publicPage({
    operation: operations.beginOidcSignIn,
    handle: (incoming) => orSignInPage(deps, incoming, () => begin(deps, incoming)),
  });
}

export function finishOidcSignInRoute(deps: OidcRouteDeps): Route<Visitor> {
  return publicPage({
    operation: operations.finishOidcSignIn,
    handle: (incoming) => orSignInPage(deps, incoming, () => finish(deps, incoming)),
  });
}

async function begin(deps: OidcRouteDeps, incoming: Incoming<Visitor>): Promise<BytesAnswer> {
  incoming.waitsForOthers();
  const { url, flow } = await requireOidc(deps).flow.begin(redirectUrl(deps));
  const returnTo = ownPath(incoming.query.get("return_to"));
  const headers = { location: url, "cache-control": "no-store", "referrer-policy": "no-referrer" };
  return { status: 302, headers: { ...headers, "set-cookie": deps.flowCookie.set({ ...flow, returnTo }) } };
}

async function finish(deps: OidcRouteDeps, incoming: Incoming<Visitor>): Promise<BytesAnswer> {
  incoming.waitsForOthers();
  const { flow, firstRole, firstWorkspaceId, groupRules: rules } = requireOidc(deps);
  const kept = deps.flowCookie.read(incoming.headers.cookie);
  const { issuer, subject, name, email, groups } = await flow.finish(incoming.query, kept, redirectUrl(deps));
  const session = await deps.identity.signIn.enterVouched(
    { vouched: { issuer, subject }, name, email, firstRole, firstWorkspaceId, groupRoles: { rules, groups } },
    { earlier: incoming.caller.cookie, requestId: incoming.requestId, browser: browserOf(incoming) },
  );
  const cookie = deps.cookie.set(session.token, session.expiresAt, deps.clock.now());
  return seeOther(ownPath(kept?.returnTo), { "set-cookie": [cookie, deps.flowCookie.clear()] });
}

function requireOidc({ oidc }: OidcRouteDeps): OidcSignIn {
  if (oidc === null)
    throw new Fault("not_found", "Sign-in with an OpenID provider is not set up on this server (ATELIER_OIDC_ISSUER).");
  return oidc;
}

const redirectUrl = ({ platformUrl }: OidcRouteDeps) => `${platformUrl()}/sign-in/oidc/callback`;

async function orSignInPage(
  deps: OidcRouteDeps,
  incoming: Incoming<Visitor>,
  run: () => Promise<BytesAnswer>,
): Promise<BytesAnswer> {
  try {
    return await run();
  } catch (thrown) {
    if (!(thrown instanceof Fault) || wantsJson(incoming.headers)) throw thrown;
    const { requestId } = incoming;
    deps.oidc?.log.info(
      { requestId, reason: thrown.message, err: thrown.cause },
      "a sign-in with the OpenID provider failed",
    );
    const query = new URLSearchParams({ problem: problemOf(thrown), request: requestId });
    return seeOther(`/sign-in?${query}`, { "set-cookie": deps.flowCookie.clear() });
  }
}

function problemOf({ code, details }: Fault): string {
  if (typeof details === "object" && details !== null && "sign_in" in details) return String(details.sign_in);
  return code === "service_unavailable" ? "issuer_away" : code === "not_found" ? "not_set_up" : "failed";
}
