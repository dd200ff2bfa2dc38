import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { aSite, ownPage, type Site } from "./account.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let site: Site;
before(async () => {
  site = await aSite(3);
});
after(() => site.close());

test("the way from a link to the console: look, press, be signed in, once", async () => {
  const { token } = await site.identity.signIn.createLink(site.ownerId, system);
  const path = `/sign-in/${token}`;
  const look = { path, headers: { accept: "text/html,*/*" } };
  for (let preview = 0; preview < 3; preview += 1) assert.equal((await site.call(look)).text, "the console");
  const press = { method: "POST", path, headers: ownPage, body: "" };
  const done = await site.call(press);
  assert.deepEqual([done.status, done.headers["location"]], [303, "/"]);
  const cookie = String(done.headers["set-cookie"]);
  assert.match(cookie, /^atelier_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=2592000$/);
  const account = await site.call({ path: "/account", headers: { cookie: cookie.split(";")[0] ?? "", ...ownPage } });
  assert.equal(account.status, 200);
  assert.equal((await site.call(press)).status, 404);
});

test("a sign-in that another site sends uses nothing up", async () => {
  const { token } = await site.identity.signIn.createLink(site.ownerId, system);
  const press = (headers: Record<string, string>) =>
    site.call({ method: "POST", path: `/sign-in/${token}`, headers, body: "" });
  assert.equal((await press({})).status, 403);
  assert.equal((await press({ origin: "https://evil.example" })).status, 403);
  assert.equal((await press({ ...ownPage, "sec-fetch-site": "cross-site" })).status, 403);
  assert.equal((await site.identity.signIn.lookAtLink(token))?.state, "good");
});

test("guessing links spends the address's budget", async () => {
  const statuses: number[] = [];
  for (let guess = 0; guess < 7; guess += 1) {
    const headers = { accept: "application/json" };
    statuses.push((await site.call({ path: `/sign-in/guess-${guess}`, headers, peer: "192.0.2.77" })).status);
  }
  assert.deepEqual(statuses, [404, 404, 404, 404, 404, 429, 429]);
});

test("signing in ends the session that the browser had", async () => {
  const old = await site.signIn(site.ownerId);
  const { token } = await site.identity.signIn.createLink(site.ownerId, system);
  const headers = { ...ownPage, cookie: old };
  assert.equal((await site.call({ method: "POST", path: `/sign-in/${token}`, headers, body: {} })).status, 204);
  assert.equal((await site.call({ path: "/account", headers: { cookie: old, ...ownPage } })).status, 401);
});

test("signing out wants a session and our own page, and ends the session", async () => {
  const cookie = await site.signIn(site.ownerId);
  const leave = (headers: Record<string, string>) =>
    site.call({ method: "POST", path: "/profile/sign-out", headers, body: {} });
  assert.equal((await leave({ cookie })).status, 403);
  assert.equal((await leave({ cookie, origin: "null" })).status, 403);
  assert.equal((await leave({ cookie, ...ownPage, "sec-fetch-site": "same-site" })).status, 403);
  assert.equal((await leave(ownPage)).status, 401);
  assert.equal((await site.call({ path: "/account", headers: { cookie, ...ownPage } })).status, 200);
  const out = await leave({ cookie, ...ownPage });
  assert.equal(out.status, 204);
  assert.match(String(out.headers["set-cookie"]), /Max-Age=0/);
  assert.equal((await site.call({ path: "/account", headers: { cookie, ...ownPage } })).status, 401);
});

test("the pages are the console, signed in or not: they hold nothing of their own", async () => {
  const headers = { cookie: await site.signIn(site.ownerId) };
  for (const request of [
    { path: "/profile/api-keys" },
    { path: "/profile/api-keys", headers },
    { path: "/sign-in" },
    { path: "/sign-in/unknown" },
  ]) {
    const page = await site.call(request);
    assert.deepEqual([page.status, page.text], [200, "the console"]);
  }
});

test("an unknown page is a page under the strictest policy", async () => {
  const answer = await site.call({ path: "/profile/nothing" });
  assert.match(String(answer.headers["content-security-policy"]), /^default-src 'none'; style-src 'sha256-/);
  assert.match(answer.text, /^<!doctype html>/);
});
