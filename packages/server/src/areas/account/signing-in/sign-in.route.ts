// Signing in. Opening a link only shows whom it would sign in; the POST of our own page uses it up. So a mail or chat program
// that previews the link signs no one in and does not invalidate it.
import { operations } from "@atelier/contract";
import type { Browser, Identity, LinkLook } from "../../../capabilities/identity/index.ts";
import type { Clock } from "../../../foundation/clock.ts";
import { Fault } from "../../../foundation/fault.ts";
import {
  type Answer,
  type Arrival,
  type BytesAnswer,
  type Incoming,
  jsonAnswer,
  type Route,
} from "../../../foundation/http/area.ts";
import { seeOther, wantsJson } from "./page.ts";
import { type IsOwnOrigin, requireOwnPage } from "./request-origin.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { publicPage, type Visitor } from "./visitor.ts";

// For a body whose content is ignored.
export const plainBytesMax = 16 * 1024;

export interface SignInPagesDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly cookie: SessionCookie;
  readonly isOwnOrigin: IsOwnOrigin;
  readonly showConsole: (arrival: Pick<Arrival, "headers" | "path">) => Promise<BytesAnswer>;
}

export function showSignInRoute({ showConsole }: SignInPagesDeps): Route<Visitor> {
  return publicPage({ operation: operations.showSignIn, handle: showConsole });
}

export function confirmSignInRoute(deps: SignInPagesDeps): Route<Visitor> {
  return publicPage({ operation: operations.confirmSignIn, handle: (incoming) => confirmSignIn(deps, incoming) });
}

export function signInRoute(deps: SignInPagesDeps): Route<Visitor> {
  return publicPage({
    operation: operations.signIn,
    bodyBytesMax: plainBytesMax,
    handle: (incoming) => signIn(deps, incoming),
  });
}

// A browser gets the console, which then asks for JSON. So the budget for guesses is charged once, by the request that is
// checked.
async function confirmSignIn(deps: SignInPagesDeps, incoming: Incoming<Visitor>): Promise<Answer> {
  if (!wantsJson(incoming.headers)) return deps.showConsole(incoming);
  const link = await deps.identity.signIn.lookAtLink(incoming.params["token"] ?? "");
  if (link?.state !== "good") throw refuseLink(deps, incoming.peer, link);
  const body = { person: { name: link.person.name }, expires_at: link.expiresAt.toISOString() };
  return jsonAnswer(200, body, { "cache-control": "no-store" });
}

async function signIn(deps: SignInPagesDeps, incoming: Incoming<Visitor>): Promise<Answer> {
  const token = incoming.params["token"] ?? "";
  requireOwnPage(incoming.headers, deps.isOwnOrigin);
  const isJson = wantsJson(incoming.headers);
  await incoming.bytes();
  const { requestId, caller, peer } = incoming;
  const { signIn: links } = deps.identity;
  const session = await links.useLink(token, caller.cookie, requestId, browserOf(incoming));
  if (session === null) throw refuseLink(deps, peer, await links.lookAtLink(token));
  const headers = { "set-cookie": deps.cookie.set(session.token, session.expiresAt, deps.clock.now()) };
  return isJson ? { status: 204, headers } : seeOther("/", headers);
}

export function browserOf({ headers, peer }: Pick<Arrival, "headers" | "peer">): Browser {
  return { userAgent: headers["user-agent"] ?? null, address: peer };
}

// Guessing links uses the same budget as guessing keys.
function refuseLink(deps: SignInPagesDeps, peer: string, link: LinkLook | null): Fault {
  const fault = deps.identity.refuse(peer);
  if (fault.code === "rate_limited") return fault;
  const state = link === null || link.state === "good" ? "unknown" : link.state;
  return new Fault("not_found", `This sign-in link ${linkFates[state]}. Get a new one: atelier keys link`, {
    details: { link: state },
  });
}

const linkFates = {
  unknown: "is unknown",
  used: "has already been used",
  expired: "has expired (it works for ten minutes)",
} as const;
