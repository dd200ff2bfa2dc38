// Roles from the groups of an identity provider, from sign-in to sign-in.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AppAnswer, bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { ownPage } from "./support/app-people.ts";
import { type OpenIdIssuer, openIdIssuer, signInAtIssuer } from "./support/openid-issuer.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let issuer: OpenIdIssuer;
let app: TestApp;
before(async () => {
  issuer = await openIdIssuer();
  app = await testApp({
    env: {
      ATELIER_OIDC_ISSUER: issuer.url,
      ATELIER_OIDC_CLIENT_ID: issuer.clientId,
      ATELIER_OIDC_CLIENT_SECRET: issuer.clientSecret,
      ATELIER_OIDC_ALLOWED_DOMAINS: "studio.example",
      ATELIER_OIDC_GROUP_ROLES: "artists=member,finance=billing,leads=owner,security=auditor,it=operator",
    },
  });
  issuer.serveClient(`${app.baseUrl}/sign-in/oidc/callback`);
});
after(async () => {
  await app.close();
  await issuer.close();
});

// Signs in with these groups, and returns the browser's headers.
async function enter(login: string, groups: readonly string[]): Promise<Record<string, string>> {
  issuer.people.set(login, { email: `${login}@studio.example`, email_verified: true, name: login, groups });
  const begun = await app.call({ path: "/sign-in/oidc", headers: { accept: "text/html" } });
  const address = await signInAtIssuer(
    headerOf(begun, "location") ?? "",
    login,
    `${app.baseUrl}/sign-in/oidc/callback`,
  );
  const { pathname, search } = new URL(address);
  const headers = { accept: "text/html", cookie: cookieIn(begun, "atelier_oidc") };
  const answer = await app.call({ path: pathname + search, headers });
  assert.equal(headerOf(answer, "location"), "/", answer.text);
  return ownPage(app, cookieIn(answer, "atelier_session"));
}

const cookieIn = (answer: AppAnswer, name: string) =>
  [answer.headers["set-cookie"]]
    .flat()
    .map(String)
    .find((one) => one.startsWith(`${name}=`))
    ?.split(";", 1)[0] ?? "";

async function rolesOf(login: string, groups: readonly string[]): Promise<unknown[]> {
  const answer = await app.call({ path: "/account", headers: await enter(login, groups) });
  if (answer.status === 403) return ["none"];
  const account = answer.json();
  return [memberOf(account, "role"), memberOf(account, "installation_role")];
}

const members = () => `/account/workspaces/${app.workspaceId}/members`;

test("a group gives its role at each sign-in, and takes it away when it is gone", async () => {
  assert.deepEqual(await rolesOf("ada", ["artists", "unknown"]), ["member", null]);
  assert.deepEqual(await rolesOf("ada", ["finance"]), ["billing", null]);
  assert.deepEqual(await rolesOf("ada", ["finance", "artists", "leads"]), ["owner", null]);
  assert.deepEqual(await rolesOf("ada", ["artists", "security"]), ["member", "auditor"]);
  assert.deepEqual(await rolesOf("ada", ["artists", "security", "it"]), ["member", "operator"]);
  assert.deepEqual(await rolesOf("ada", ["artists"]), ["member", null]);
  assert.deepEqual(await rolesOf("ada", []), ["none"]);
  assert.deepEqual(await rolesOf("ada", ["artists"]), ["member", null]);
});

test("whoever has none of the groups does not get in, and their keys end with the group", async () => {
  assert.deepEqual(await rolesOf("bob", ["guests"]), ["none"]);
  const page = await enter("bob", ["artists"]);
  const made = await app.call({ method: "POST", path: "/account/keys", headers: page, body: { name: "mine" } });
  const key = bearer(textOf(made.json(), "secret"));
  assert.equal((await app.call({ path: "/account", headers: key })).status, 200);
  await enter("bob", []);
  assert.equal((await app.call({ path: "/account", headers: key })).status, 401);
});

test("the last owner of a workspace stays one, whatever the groups say", async () => {
  assert.deepEqual(await rolesOf("leo", ["leads"]), ["owner", null]);
  const first = await app.call({ method: "DELETE", path: `${members()}/${app.personId}`, headers: bearer(app.key) });
  assert.equal(first.status, 200, first.text);
  assert.deepEqual(await rolesOf("leo", ["artists"]), ["owner", null]);
  assert.deepEqual(await rolesOf("leo", []), ["owner", null]);
  assert.deepEqual(await rolesOf("lea", ["leads"]), ["owner", null]);
  assert.deepEqual(await rolesOf("leo", ["artists"]), ["member", null]);
});

test("a member whom an owner removed stays out, and the audit names the provider", async () => {
  const lea = await enter("lea", ["leads"]);
  const page = await enter("eve", ["artists"]);
  const eve = textOf((await app.call({ path: "/account", headers: page })).json(), "person", "id");
  const removed = await app.call({ method: "DELETE", path: `${members()}/${eve}`, headers: lea });
  assert.equal(removed.status, 200, removed.text);
  assert.deepEqual(await rolesOf("eve", ["artists"]), ["none"]);
  const entries = await app.call({ path: `/admin/audit?subject_id=${eve}`, headers: bearer(app.adminToken) });
  const added = listOf(entries.json(), "data").find((entry) => memberOf(entry, "action") === "member.add");
  assert.equal(textOf(added ?? null, "actor", "name"), "OpenID Connect sign-in");
});
