// The key site's pages for a signed-in person (spec, Authentication 7: keys are created on the profile's API-keys page).
// Every POST is believed only from our own page, with the token of this very session.
import { operations } from "@atelier/contract";
import { type IdentityPrincipal, isScope, type Session } from "../../capabilities/identity/index.ts";
import { Fault } from "../../foundation/fault.ts";
import type { Answer, Incoming, Route } from "../../foundation/http/area.ts";
import { parseId } from "../../foundation/ids.ts";
import { type ApiKeysView, apiKeysPage, expiryDays, noWorkspacePage } from "./api-keys-page.ts";
import { createKey } from "./create-key.ts";
import { type FormBody, formBytesMax, readForm } from "./form-body.ts";
import { pageAnswer, seeOther, wantsJson } from "./page.ts";
import { requireOwnPage } from "./request-origin.ts";
import { revokeKey } from "./revoke-key.ts";
import type { SignInPagesDeps } from "./sign-in.route.ts";
import { sessionPage, type Visitor } from "./visitor.ts";

const bodyBytesMax = formBytesMax;
const home = "/profile/api-keys";
const dayMs = 86_400_000;
const subjectOf = (session: Session) => `session ${session.id}`;

export function apiKeyPages(deps: SignInPagesDeps): Route<Visitor>[] {
  return [
    showApiKeysRoute(deps),
    submitNewKeyRoute(deps),
    submitRevocationRoute(deps),
    chooseWorkspaceRoute(deps),
    signOutRoute(deps),
  ];
}

export function showApiKeysRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.showApiKeys,
    handle: (_incoming, { session }) => showKeys(deps, session, null),
  });
}

export function submitNewKeyRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.submitNewKey,
    bodyBytesMax,
    async handle(incoming, { session }) {
      const form = await readOwnForm(deps, incoming, session);
      const principal = requirePrincipal(session);
      const created = await createKey(deps, { principal }, readRequest(form, deps.clock.now()), incoming.requestId);
      return showKeys(deps, session, created);
    },
  });
}

export function submitRevocationRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.submitRevocation,
    bodyBytesMax,
    async handle(incoming, { session }) {
      await readOwnForm(deps, incoming, session);
      const principal = requirePrincipal(session);
      await revokeKey(deps.identity, { principal }, incoming.params["keyId"], incoming.requestId);
      return seeOther(home);
    },
  });
}

export function chooseWorkspaceRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.chooseWorkspace,
    bodyBytesMax,
    async handle(incoming, { session }) {
      const form = await readOwnForm(deps, incoming, session);
      const workspaceId = parseId<"workspace">(form.one("workspace_id") ?? "");
      if (workspaceId === null) throw new Fault("not_found", "There is no such workspace.");
      await deps.identity.signIn.chooseWorkspace(session, workspaceId, incoming.requestId);
      return seeOther(home);
    },
  });
}

export function signOutRoute(deps: SignInPagesDeps): Route<Visitor> {
  return sessionPage({
    operation: operations.signOut,
    bodyBytesMax,
    async handle(incoming, { session, cookie }) {
      // A form carries its token; JSON cannot be sent by a page of another site without our leave.
      if (wantsJson(incoming.headers)) requireOwnPage(incoming.headers, deps.isOwnOrigin);
      else await readOwnForm(deps, incoming, session);
      await deps.identity.signIn.signOut(cookie, incoming.requestId);
      const headers = { "set-cookie": deps.cookie.clear() };
      return wantsJson(incoming.headers) ? { status: 204, headers } : seeOther("/sign-in", headers);
    },
  });
}

async function readOwnForm(deps: SignInPagesDeps, incoming: Incoming<Visitor>, session: Session): Promise<FormBody> {
  requireOwnPage(incoming.headers, deps.isOwnOrigin);
  const form = await readForm(incoming);
  deps.formTokens.require(subjectOf(session), form.one("csrf"));
  return form;
}

async function showKeys(deps: SignInPagesDeps, session: Session, created: ApiKeysView["created"]): Promise<Answer> {
  const { person, principal } = session;
  const formToken = deps.formTokens.make(subjectOf(session));
  if (principal === null) return pageAnswer(200, noWorkspacePage(person, formToken));
  const [keys, memberships] = await Promise.all([
    deps.identity.keys.list(principal.workspaceId),
    deps.identity.workspaces.listOf(person.id),
  ]);
  const now = deps.clock.now();
  return pageAnswer(200, apiKeysPage({ person, principal, memberships, keys, formToken, now, created }));
}

function requirePrincipal(session: Session): IdentityPrincipal {
  if (session.principal === null) throw new Fault("forbidden", "You are not a member of any workspace.");
  return session.principal;
}

function readRequest(form: FormBody, now: Date) {
  const wanted = form.all("scopes").filter(isScope);
  const days = expiryDays.find((known) => String(known) === form.one("expires"));
  if (wanted.length === 0) throw new Fault("invalid_request", "Choose at least one thing the key may reach.");
  return {
    name: form.one("name") ?? "",
    scopes: wanted,
    role: undefined,
    expiresAt: days === undefined ? null : new Date(now.getTime() + days * dayMs),
  };
}
