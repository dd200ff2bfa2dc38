import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aSite, ownPage, type Site, type TestAnswer } from "./account.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let site: Site;
before(async () => {
  site = await aSite(3);
});
after(() => site.close());

const formTokenIn = (answer: TestAnswer): string => /name="csrf" value="([^"]+)"/.exec(answer.text)?.[1] ?? "";
const encoded = (fields: Record<string, string>) => new URLSearchParams(fields).toString();

async function anOwner() {
  const cookie = await site.signIn(site.ownerId);
  const page = await site.call({ path: "/profile/api-keys", headers: { cookie } });
  assert.equal(page.status, 200);
  return { headers: { cookie, ...ownPage }, csrf: formTokenIn(page), cookie };
}

test("the way from a link to the keys page: look, press, be signed in, once", async () => {
  const { token } = await site.identity.signIn.createLink(site.ownerId, system);
  const path = `/sign-in/${token}`;
  for (let preview = 0; preview < 3; preview += 1) assert.equal((await site.call({ path })).status, 200);
  const csrf = formTokenIn(await site.call({ path }));
  const press = { method: "POST", path, headers: ownPage, body: encoded({ csrf }) };
  const done = await site.call(press);
  assert.deepEqual([done.status, done.headers["location"]], [303, "/profile/api-keys"]);
  const cookie = String(done.headers["set-cookie"]);
  assert.match(cookie, /^atelier_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
  const page = await site.call({ path: "/profile/api-keys", headers: { cookie: cookie.split(";")[0] ?? "" } });
  assert.match(page.text, /<h1>API keys<\/h1>/);
  assert.equal((await site.call(press)).status, 404);
  assert.equal((await site.call({ path })).status, 404);
});

test("a sign-in that another site sends, or with another link's form, uses nothing up", async () => {
  const { token } = await site.identity.signIn.createLink(site.ownerId, system);
  const other = await site.identity.signIn.createLink(site.ownerId, system);
  const path = `/sign-in/${token}`;
  const csrf = formTokenIn(await site.call({ path }));
  const otherCsrf = formTokenIn(await site.call({ path: `/sign-in/${other.token}` }));
  const press = (headers: Record<string, string>, body: string) => site.call({ method: "POST", path, headers, body });
  assert.equal((await press({}, encoded({ csrf }))).status, 403);
  assert.equal((await press({ origin: "https://evil.example" }, encoded({ csrf }))).status, 403);
  assert.equal((await press(ownPage, encoded({ csrf: otherCsrf }))).status, 403);
  assert.equal((await press(ownPage, "")).status, 403);
  assert.ok(await site.identity.signIn.readLink(token));
});

test("guessing links spends the address's budget", async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess += 1) {
    statuses.push((await site.call({ path: `/sign-in/guess-${guess}`, peer: "192.0.2.77" })).status);
  }
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429]);
});

test("signing in ends the session that the browser had", async () => {
  const old = await site.signIn(site.ownerId);
  const { token } = await site.identity.signIn.createLink(site.ownerId, system);
  const path = `/sign-in/${token}`;
  const csrf = formTokenIn(await site.call({ path, headers: { cookie: old } }));
  const headers = { ...ownPage, cookie: old };
  assert.equal((await site.call({ method: "POST", path, headers, body: encoded({ csrf }) })).status, 303);
  assert.equal((await site.call({ path: "/profile/api-keys", headers: { cookie: old } })).status, 401);
});

test("a key made on the page is shown there once and works; revoked there it stops", async () => {
  const { headers, csrf } = await anOwner();
  const form = new URLSearchParams({ csrf, name: "<b>Farm</b>", expires: "30" });
  for (const scope of ["models", "workflows"]) form.append("scopes", scope);
  const request = { method: "POST", path: "/profile/api-keys", headers, body: form.toString() };
  const made = await site.call(request);
  assert.deepEqual([made.status, made.headers["cache-control"]], [200, "no-store"]);
  const secret = /service-\w{8}_\w{38}/.exec(made.text)?.[0] ?? "";
  assert.match(made.text, /&lt;b&gt;Farm&lt;\/b&gt; is ready/);
  assert.doesNotMatch(made.text, /<b>Farm|<script/);
  const account = await site.call({ path: "/account", headers: { "x-api-key": secret } });
  const { key } = account.json();
  assert.ok(typeof key === "object" && key !== null && "id" in key && "expires_at" in key);
  assert.equal(key.expires_at, "2026-01-31T00:00:00.000Z");
  assert.deepEqual(account.json()["scopes"], ["models", "workflows"]);
  const later = await site.call({ path: "/profile/api-keys", headers });
  assert.ok(!later.text.includes(secret) && later.text.includes(secret.slice(0, 16)));
  const revoke = { method: "POST", path: `/profile/api-keys/${key.id}/revoke`, headers, body: encoded({ csrf }) };
  assert.equal((await site.call(revoke)).status, 303);
  assert.equal((await site.call({ path: "/account", headers: { "x-api-key": secret } })).status, 401);
});

test("no form is believed without this session's token, or from another site", async () => {
  const { headers, csrf, cookie } = await anOwner();
  const stranger = await anOwner();
  const paths = [
    "/profile/api-keys",
    `/profile/api-keys/${site.ownerId}/revoke`,
    "/profile/workspace",
    "/profile/sign-out",
  ];
  const fields = { name: "a", scopes: "models", workspace_id: site.workspaceId };
  for (const path of paths) {
    const post = (using: Record<string, string>, body: string) =>
      site.call({ method: "POST", path, headers: using, body });
    assert.equal((await post(headers, encoded(fields))).status, 403, path);
    assert.equal((await post(headers, encoded({ ...fields, csrf: stranger.csrf }))).status, 403, path);
    assert.equal((await post(headers, encoded({ ...fields, csrf: `${csrf}x` }))).status, 403, path);
    assert.equal((await post({ cookie }, encoded({ ...fields, csrf }))).status, 403, path);
    assert.equal((await post({ cookie, origin: "null" }, encoded({ ...fields, csrf }))).status, 403, path);
    assert.equal((await post({ ...headers, "sec-fetch-site": "same-site" }, encoded({ ...fields, csrf }))).status, 403);
    assert.equal((await post(ownPage, encoded({ ...fields, csrf }))).status, 401, path);
  }
  assert.equal((await site.call({ path: "/profile/api-keys", headers })).status, 200);
});

test("a form that is not complete is told so, and the limit of keys is a page too", async () => {
  const { headers, csrf } = await anOwner();
  const post = (fields: Record<string, string>) =>
    site.call({ method: "POST", path: "/profile/api-keys", headers, body: encoded({ csrf, ...fields }) });
  assert.equal((await post({ name: "a" })).status, 400);
  assert.equal((await post({ name: "", scopes: "models" })).status, 400);
  assert.equal((await post({ name: "a", scopes: "everything" })).status, 400);
  assert.equal((await post({ name: "a", scopes: "models", csrf: csrf })).status, 200);
  await post({ name: "b", scopes: "models" });
  const full = await post({ name: "c", scopes: "models" });
  assert.equal(full.status, 429);
  assert.match(full.text, /The limit is reached/);
});

test("somebody changes workspaces, and out of all of them still can sign out", async () => {
  const added = await site.identity.members.add(site.workspaceId, { name: "Dot", email: null, role: "member" }, system);
  const personId = added.member.person.id;
  const own = await site.identity.workspaces.create({ name: "Dot's own", ownerId: personId }, system);
  const headers = { cookie: await site.signIn(personId), ...ownPage };
  const csrf = formTokenIn(await site.call({ path: "/profile/api-keys", headers }));
  const choose = (workspace_id: string) =>
    site.call({ method: "POST", path: "/profile/workspace", headers, body: encoded({ csrf, workspace_id }) });
  assert.equal((await choose(own.id)).status, 303);
  const page = await site.call({ path: "/profile/api-keys", headers });
  assert.match(page.text, new RegExp(`<option value="${own.id}" selected>Dot&#39;s own</option>`));
  assert.equal((await choose("nonsense")).status, 404);
  await site.identity.members.add(own.id, { personId: site.ownerId, role: "owner" }, system);
  for (const workspaceId of [own.id, site.workspaceId]) {
    await site.identity.members.remove(workspaceId, { personId, keepKeys: false }, system);
  }
  assert.match((await site.call({ path: "/profile/api-keys", headers })).text, /No workspace yet/);
  const out = await site.call({ method: "POST", path: "/profile/sign-out", headers, body: encoded({ csrf }) });
  assert.deepEqual([out.status, out.headers["location"]], [303, "/sign-in"]);
  assert.match(String(out.headers["set-cookie"]), /Max-Age=0/);
  assert.equal((await site.call({ path: "/profile/api-keys", headers })).status, 401);
});

test("an unknown page and a signed-out one are pages under the same policy", async () => {
  for (const path of ["/profile/nothing", "/profile/api-keys", "/sign-in"]) {
    const answer = await site.call({ path });
    assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/);
    assert.match(answer.text, /^<!doctype html>/);
  }
});
