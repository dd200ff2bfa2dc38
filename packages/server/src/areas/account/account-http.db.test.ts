// The account over real HTTP: what the builder in account.fixture.ts cannot show, such as streamed bodies, repeated headers and
// HEAD.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Agent, request } from "undici";
import { serveAreas } from "../../../test/support/small-server.ts";
import type { RunningServer } from "../../foundation/http/serve.ts";
import { aSite, ownPage, type Site } from "./account.fixture.ts";

let site: Site;
let server: RunningServer;
const agent = new Agent();

before(async () => {
  site = await aSite();
  server = await serveAreas(site.areas);
});
after(async () => {
  await agent.close();
  await server.stop(1);
  await site.close();
});

async function ask(
  path: string,
  options: { method?: string; headers?: string[] | Record<string, string>; body?: string } = {},
) {
  const { method = "GET", headers = {}, body = null } = options;
  const answer = await request(`http://127.0.0.1:${server.port}${path}`, {
    dispatcher: agent,
    method: method === "POST" ? "POST" : method === "HEAD" ? "HEAD" : "GET",
    headers,
    body,
  });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

test("a key is made over HTTP and works in either header", async () => {
  const headers = { "x-api-key": site.key, "content-type": "application/json" };
  const made = await ask("/account/keys", { method: "POST", headers, body: '{"name":"Over HTTP"}' });
  assert.equal(made.status, 201);
  const secret = /"secret":"([^"]+)"/.exec(made.text)?.[1] ?? "";
  assert.equal((await ask("/account", { headers: { authorization: `Bearer ${secret}` } })).status, 200);
  assert.equal((await ask("/account/keys", { headers: { "x-api-key": secret } })).status, 403);
});

test("a credential header sent twice is refused, even when both are good", async () => {
  const twice = await ask("/account", { headers: ["x-api-key", site.key, "x-api-key", site.key] });
  assert.deepEqual([twice.status, twice.headers["www-authenticate"]], [401, "Bearer"]);
});

test("the way in works over HTTP, and HEAD looks like GET without a body", async () => {
  const { token } = await site.identity.signIn.createLink(site.ownerId, { actor: { kind: "system", id: null } });
  const page = await ask(`/sign-in/${token}`);
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
  const head = await ask(`/sign-in/${token}`, { method: "HEAD" });
  assert.deepEqual([head.status, head.text, head.headers["content-length"]], [200, "", page.headers["content-length"]]);
  const headers = { ...ownPage, "content-type": "application/x-www-form-urlencoded" };
  const body = new URLSearchParams({ csrf }).toString();
  const done = await ask(`/sign-in/${token}`, { method: "POST", headers, body });
  assert.equal(done.status, 303);
  const cookie = String(done.headers["set-cookie"]).split(";")[0] ?? "";
  const keys = await ask("/account/keys", { headers: { ...ownPage, cookie } });
  assert.equal(keys.status, 200);
  assert.equal(keys.headers["x-content-type-options"], "nosniff");
  assert.match(keys.text, /Bootstrap key/);
});

test("a form above its cap is 413 and signing out without a session 401, both as pages", async () => {
  const headers = { ...ownPage, "content-type": "application/x-www-form-urlencoded" };
  const large = await ask(`/sign-in/${"A".repeat(43)}`, {
    method: "POST",
    headers,
    body: `csrf=${"x".repeat(20_000)}`,
  });
  assert.equal(large.status, 413);
  const signedOut = await ask("/profile/sign-out", { method: "POST", headers, body: "" });
  assert.equal(signedOut.status, 401);
  for (const answer of [large, signedOut]) assert.match(String(answer.headers["content-type"]), /^text\/html/);
});
