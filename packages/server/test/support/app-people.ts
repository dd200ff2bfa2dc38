// People of a test app, created over HTTP like real ones: a sign-in link is used up on its page, and the session gets a
// token. A tenant is a second person with a separate workspace, session, token and key.
import assert from "node:assert/strict";
import { bearer, headerOf, textOf } from "./app-client.ts";
import type { TestApp } from "./test-app.ts";

export interface SignedIn {
  readonly cookie: string;
  readonly jwt: string;
}

export interface Tenant extends SignedIn {
  readonly workspaceId: string;
  readonly personId: string;
  readonly key: string;
  readonly keyId: string;
}

// The headers a browser adds to a request from one of our own pages.
export function ownPage(app: Pick<TestApp, "baseUrl">, cookie?: string): Record<string, string> {
  return {
    origin: app.baseUrl,
    "sec-fetch-site": "same-origin",
    ...(cookie === undefined ? {} : { cookie }),
  };
}

export function form(fields: Readonly<Record<string, string>>) {
  return {
    text: new URLSearchParams(fields).toString(),
    type: { "content-type": "application/x-www-form-urlencoded" },
  };
}

export async function signIn(app: TestApp, token: string): Promise<SignedIn> {
  const entered = await app.call({ method: "POST", path: `/sign-in/${token}`, headers: ownPage(app), body: {} });
  assert.equal(entered.status, 204, entered.text);
  const cookie = headerOf(entered, "set-cookie")?.split(";", 1)[0] ?? "";
  const issued = await app.call({ method: "POST", path: "/account/tokens", headers: ownPage(app, cookie) });
  assert.equal(issued.status, 201, issued.text);
  return { cookie, jwt: textOf(issued.json(), "token") };
}

export async function owner(app: TestApp): Promise<Tenant> {
  const signedIn = await signIn(app, app.signInToken);
  const account = await app.call({ path: "/account", headers: bearer(app.key) });
  const keyId = textOf(account.json(), "key", "id");
  return { ...signedIn, workspaceId: app.workspaceId, personId: app.personId, key: app.key, keyId };
}

// A person in a separate workspace, unrelated to the first one.
export async function addTenant(app: TestApp, name: string): Promise<Tenant> {
  const members = `/account/workspaces/${app.workspaceId}/members`;
  const invited = await app.call({ method: "POST", path: members, headers: bearer(app.key), body: { name } });
  assert.equal(invited.status, 201, invited.text);
  const personId = textOf(invited.json(), "id");
  const removed = await app.call({ method: "DELETE", path: `${members}/${personId}`, headers: bearer(app.key) });
  assert.equal(removed.status, 200, removed.text);
  const made = await app.call({
    method: "POST",
    path: "/admin/workspaces",
    headers: bearer(app.adminToken),
    body: { name: `${name}'s`, owner_id: personId },
  });
  assert.equal(made.status, 201, made.text);
  const signedIn = await signIn(app, textOf(invited.json(), "sign_in", "url").split("/sign-in/")[1] ?? "");
  const key = await app.call({
    method: "POST",
    path: "/account/keys",
    headers: ownPage(app, signedIn.cookie),
    body: { name: `key of ${name}`, scopes: ["models", "partners", "registry", "workflows", "account"] },
  });
  assert.equal(key.status, 201, key.text);
  return {
    ...signedIn,
    workspaceId: textOf(made.json(), "id"),
    personId,
    key: textOf(key.json(), "secret"),
    keyId: textOf(key.json(), "id"),
  };
}

// Raises the limits for a test that sends more than a workspace normally may.
export async function raiseRates(app: TestApp, workspaceId: string): Promise<void> {
  for (const name of ["router_and_partner_requests_per_minute", "workflow_and_registry_requests_per_minute"]) {
    const answer = await app.call({
      method: "PUT",
      path: `/admin/workspaces/${workspaceId}/limits/${name}`,
      headers: bearer(app.adminToken),
      body: { value: 100_000_000 },
    });
    assert.equal(answer.status, 200, answer.text);
  }
}

// Another member of the app's workspace.
export async function addMember(app: TestApp, name: string): Promise<SignedIn & { readonly personId: string }> {
  const members = `/account/workspaces/${app.workspaceId}/members`;
  const invited = await app.call({ method: "POST", path: members, headers: bearer(app.key), body: { name } });
  assert.equal(invited.status, 201, invited.text);
  const signedIn = await signIn(app, textOf(invited.json(), "sign_in", "url").split("/sign-in/")[1] ?? "");
  return { ...signedIn, personId: textOf(invited.json(), "id") };
}
