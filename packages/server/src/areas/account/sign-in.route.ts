// The way in. A link only ever shows a button; the button's POST uses it up. So a mail or chat program that previews the
// link signs no one in and burns nothing.
import { operations } from "@atelier/contract";
import type { Browser, Identity, LinkLook } from "../../capabilities/identity/index.ts";
import type { Clock } from "../../foundation/clock.ts";
import { Fault } from "../../foundation/fault.ts";
import { type Answer, type Arrival, type Incoming, jsonAnswer, type Route } from "../../foundation/http/area.ts";
import { html } from "../../foundation/http/html.ts";
import { formBytesMax, readForm } from "./form-body.ts";
import type { FormTokens } from "./form-token.ts";
import { pageAnswer, seeOther, wantsJson } from "./page.ts";
import { type IsOwnOrigin, requireOwnPage } from "./request-origin.ts";
import type { SessionCookie } from "./session-cookie.ts";
import { publicPage, type Visitor } from "./visitor.ts";

export interface SignInPagesDeps {
  readonly identity: Identity;
  readonly clock: Clock;
  readonly cookie: SessionCookie;
  readonly formTokens: FormTokens;
  readonly isOwnOrigin: IsOwnOrigin;
}

const title = "Sign in";
const subjectOf = (token: string) => `sign-in link ${token}`;

export function signInPages(deps: SignInPagesDeps): Route<Visitor>[] {
  return [showSignInRoute(), confirmSignInRoute(deps), signInRoute(deps)];
}

export function showSignInRoute(): Route<Visitor> {
  return publicPage({ operation: operations.showSignIn, handle: ({ caller }) => showSignIn(caller) });
}

export function confirmSignInRoute(deps: SignInPagesDeps): Route<Visitor> {
  return publicPage({ operation: operations.confirmSignIn, handle: (incoming) => confirmSignIn(deps, incoming) });
}

export function signInRoute(deps: SignInPagesDeps): Route<Visitor> {
  return publicPage({
    operation: operations.signIn,
    bodyBytesMax: formBytesMax,
    handle: (incoming) => signIn(deps, incoming),
  });
}

function showSignIn(visitor: Visitor): Answer {
  const already =
    visitor.kind === "signed_in"
      ? html`<section class="note"><p>You are signed in as ${visitor.session.person.name}.
<a href="/profile/api-keys">Go to your API keys</a></p></section>`
      : null;
  return pageAnswer(200, {
    title,
    content: html`${already}<section>
<h1>Sign in</h1>
<p>There is no password here. You sign in with a link that works once, for ten minutes.</p>
<h2>Get a link</h2>
<p>On the machine that runs Atelier: <code>atelier keys link</code></p>
<p>The very first start also prints one, or names the file that holds it.</p>
<p class="soft">No access to that machine? Ask whoever runs it, or an owner of your workspace.</p>
</section>`,
  });
}

async function confirmSignIn(deps: SignInPagesDeps, incoming: Incoming<Visitor>): Promise<Answer> {
  const token = incoming.params["token"] ?? "";
  const link = await deps.identity.signIn.lookAtLink(token);
  if (link?.state !== "good") throw refuseLink(deps, incoming.peer, link);
  const { person, expiresAt } = link;
  if (wantsJson(incoming.headers)) {
    const body = { person: { name: person.name }, expires_at: expiresAt.toISOString() };
    return jsonAnswer(200, body, { "cache-control": "no-store" });
  }
  return pageAnswer(200, {
    title,
    content: html`<section>
<h1>Sign in as ${person.name}?</h1>
<p>This uses the link up and signs this browser in for up to 30 days.</p>
<form method="post" action="/sign-in/${token}">
<input type="hidden" name="csrf" value="${deps.formTokens.make(subjectOf(token))}">
<button type="submit">Sign in</button>
</form>
</section>`,
  });
}

async function signIn(deps: SignInPagesDeps, incoming: Incoming<Visitor>): Promise<Answer> {
  const token = incoming.params["token"] ?? "";
  requireOwnPage(incoming.headers, deps.isOwnOrigin);
  const isJson = wantsJson(incoming.headers);
  if (!isJson) deps.formTokens.require(subjectOf(token), (await readForm(incoming)).one("csrf"));
  const { requestId, caller, peer } = incoming;
  const { signIn: links } = deps.identity;
  const session = await links.useLink(token, caller.cookie, requestId, browserOf(incoming));
  if (session === null) throw refuseLink(deps, peer, await links.lookAtLink(token));
  const headers = { "set-cookie": deps.cookie.set(session.token, session.expiresAt, deps.clock.now()) };
  return isJson ? { status: 204, headers } : seeOther("/profile/api-keys", headers);
}

export function browserOf({ headers, peer }: Pick<Arrival, "headers" | "peer">): Browser {
  return { userAgent: headers["user-agent"] ?? null, address: peer };
}

// Guessing links spends the same budget as guessing keys.
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
  used: "was used already",
  expired: "is older than ten minutes",
} as const;
