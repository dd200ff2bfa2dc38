// The whole way through an OpenID provider that is not ours, over HTTP.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, headerOf, listOf, textOf } from "./support/app-client.ts";
import { ownPage } from "./support/app-people.ts";
import { type OpenIdIssuer, openIdIssuer, signInAtIssuer } from "./support/openid-issuer.ts";
import { until } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let issuer: OpenIdIssuer;
let app: TestApp;
let redirectUrl: string;
before(async () => {
  issuer = await openIdIssuer();
  app = await testApp({
    env: {
      ATELIER_OIDC_ISSUER: issuer.url,
      ATELIER_OIDC_CLIENT_ID: issuer.clientId,
      ATELIER_OIDC_CLIENT_SECRET: issuer.clientSecret,
      ATELIER_OIDC_NAME: "Studio",
      ATELIER_OIDC_ALLOWED_DOMAINS: "studio.example",
    },
  });
  redirectUrl = `${app.baseUrl}/sign-in/oidc/callback`;
});
after(async () => {
  await app.close();
  await issuer.close();
});

const browser = { accept: "text/html,application/xhtml+xml" };
const cookieIn = (answer: { headers: Record<string, unknown> }, name: string) =>
  [answer.headers["set-cookie"]]
    .flat()
    .map(String)
    .find((one) => one.startsWith(`${name}=`))
    ?.split(";", 1)[0] ?? "";

async function begin(query = "") {
  const answer = await app.call({ path: `/sign-in/oidc${query}`, headers: browser });
  assert.equal(answer.status, 302, answer.text);
  const set = String(answer.headers["set-cookie"]);
  return { url: headerOf(answer, "location") ?? "", cookie: cookieIn(answer, "atelier_oidc"), set };
}

const back = (address: string, cookie: string, headers: Record<string, string> = browser) => {
  const { pathname, search } = new URL(address);
  return app.call({ path: pathname + search, headers: { ...headers, ...(cookie === "" ? {} : { cookie }) } });
};

async function enter(login: string, query = "") {
  const { url, cookie } = await begin(query);
  const address = await signInAtIssuer(url, login, redirectUrl);
  return { address, cookie, answer: await back(address, cookie) };
}

const problemIn = (answer: Parameters<typeof headerOf>[0]) =>
  new URL(headerOf(answer, "location") ?? "/", app.baseUrl).searchParams.get("problem");

test("an issuer that does not answer leads a browser to the sign-in page, and is 503 to a program", async () => {
  const led = await app.call({ path: "/sign-in/oidc", headers: browser });
  assert.deepEqual([led.status, problemIn(led)], [303, "issuer_away"]);
  const answer = await app.call({ path: "/sign-in/oidc", headers: { accept: "application/json" } });
  assert.equal(answer.status, 503);
  assert.match(textOf(answer.json(), "message"), /sign in with a link/);
  issuer.serveClient(redirectUrl);
});

test("forty sign-ins at a hanging issuer hold up nothing else: eight wait, the others learn why", async () => {
  const release = issuer.hang();
  const messages: string[] = [];
  const headers = { accept: "application/json" };
  const signIns = Array.from({ length: 40 }, async () => {
    const answer = await app.call({ path: "/sign-in/oidc", headers });
    assert.equal(answer.status, 503, answer.text);
    messages.push(textOf(answer.json(), "message"));
  });
  const health = await app.call({ path: "/health" });
  assert.equal(health.status, 200);
  assert.ok(
    messages.every((text) => refusedPattern.test(text)),
    "those that wait for the issuer still wait",
  );
  await until("all but eight are told", async () => messages.length >= 32);
  assert.equal(messages.length, 32);
  assert.equal((await app.call({ path: "/health" })).status, 200);
  assert.equal(messages.length, 32, "the eight still wait");
  release();
  await Promise.all(signIns);
  assert.deepEqual([32, 8], [messages.filter((text) => refusedPattern.test(text)).length, messages.length - 32]);
});
const refusedPattern = /too many sign-ins are waiting for it.*sign in with a link/;

describe("a person of an allowed domain", () => {
  before(() => {
    issuer.people.set("ada", { email: "ada@studio.example", email_verified: true, name: "Ada" });
  });

  test("signs in, continues where they were going, and is a member of the first workspace", async () => {
    const { set } = await begin();
    assert.match(set, /^atelier_oidc=[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/);
    const { answer } = await enter("ada", "?return_to=%2Fconsole%2Fjobs%3Fstatus%3Dfailed");
    assert.deepEqual([answer.status, headerOf(answer, "location")], [303, "/console/jobs?status=failed"]);
    assert.match(cookieIn(answer, "atelier_oidc"), /^atelier_oidc=$/);
    const headers = ownPage(app, cookieIn(answer, "atelier_session"));
    const account = (await app.call({ path: "/account", headers })).json();
    assert.deepEqual(
      [textOf(account, "person", "name"), textOf(account, "person", "email"), textOf(account, "role")],
      ["Ada", "ada@studio.example", "member"],
    );
    assert.equal(textOf(account, "workspace", "id"), app.workspaceId);
    assert.equal(JSON.stringify(account).includes('"is_operator":false'), true);
    const [session] = listOf((await app.call({ path: "/account/sessions", headers })).json(), "data");
    assert.equal(textOf(session ?? null, "signed_in_by"), "oidc");
  });

  test("is the same person the next time, and stays out of a workspace that removed them", async () => {
    const idOf = async () => {
      const { answer } = await enter("ada");
      const headers = ownPage(app, cookieIn(answer, "atelier_session"));
      return { headers, account: await app.call({ path: "/account", headers }) };
    };
    const first = await idOf();
    const personId = textOf(first.account.json(), "person", "id");
    assert.equal(textOf((await idOf()).account.json(), "person", "id"), personId);
    const path = `/account/workspaces/${app.workspaceId}/members/${personId}`;
    const removed = await app.call({ method: "DELETE", path, headers: bearer(app.key) });
    assert.equal(removed.status, 200, removed.text);
    assert.equal((await idOf()).account.status, 403);
  });
});

describe("an answer is refused", () => {
  before(() => {
    issuer.people.set("bo", { email: "bo@studio.example", email_verified: true, name: "Bo" });
  });

  test("in another browser, with another state, and a second time", async () => {
    const { url, cookie } = await begin();
    const address = await signInAtIssuer(url, "bo", redirectUrl);
    assert.equal(problemIn(await back(address, "")), "began_elsewhere");
    const other = await begin();
    assert.equal(problemIn(await back(address, other.cookie)), "began_elsewhere");
    const forged = new URL(address);
    forged.searchParams.set("iss", "https://evil.example");
    assert.equal(problemIn(await back(forged.href, cookie)), "invalid");
    assert.equal(headerOf(await back(address, cookie), "location"), "/");
    // The code is used up; the issuer says so.
    const again = await back(address, cookie);
    assert.deepEqual([problemIn(again), cookieIn(again, "atelier_session")], ["invalid", ""]);
  });

  test("for a person whose address is of another domain or not verified, and creates nobody", async () => {
    issuer.people.set("eve", { email: "eve@evil.example", email_verified: true, name: "Eve" });
    issuer.people.set("cy", { email: "cy@studio.example", email_verified: false, name: "Cy" });
    assert.equal(problemIn((await enter("eve")).answer), "not_allowed");
    assert.equal(problemIn((await enter("cy")).answer), "unverified");
    const people = await app.call({ path: "/admin/people?limit=100", headers: bearer(app.adminToken) });
    assert.doesNotMatch(people.text, /"(Eve|Cy)"/);
  });

  test("with its reason as JSON for a program", async () => {
    const answer = await back(`${redirectUrl}?code=x&state=x`, "", { accept: "application/json" });
    assert.deepEqual([answer.status, JSON.parse(answer.text).details], [403, { sign_in: "began_elsewhere" }]);
  });
});

test("the console gets the issuer's name and the address where signing in begins", async () => {
  const config = (await app.call({ path: "/console/config.json" })).json();
  assert.deepEqual(
    [textOf(config, "sign_in", "oidc", "name"), textOf(config, "sign_in", "oidc", "url")],
    ["Studio", "/sign-in/oidc"],
  );
});

test("a server does not start with an issuer and no rule about who may enter", async () => {
  const env = { ATELIER_OIDC_ISSUER: issuer.url, ATELIER_OIDC_CLIENT_ID: "atelier" };
  await assert.rejects(testApp({ beside: app, env }), /ATELIER_OIDC_ALLOWED_DOMAINS/);
  const plain = { ...env, ATELIER_OIDC_ISSUER: "http://issuer.example", ATELIER_OIDC_ALLOWED_DOMAINS: "*" };
  await assert.rejects(testApp({ beside: app, env: plain }), /must start with https/);
});
