// Roles in use, over HTTP: who may give which, what a key gets from its maker, dangerous steps, and service accounts. Which
// operation takes which role is compared in roles-matrix.db.test.ts.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { type AppAnswer, bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { owner, ownPage, signIn, type Tenant } from "./support/app-people.ts";
import { pushedClock } from "./support/pushed-clock.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

const clock = pushedClock();
let app: TestApp;
let boss: Tenant;
before(async () => {
  app = await testApp({ clock, env: { ATELIER_FRESH_SIGN_IN_MINUTES: "10" } });
  boss = await owner(app);
});
after(() => app.close());

type Headers = Record<string, string>;
const send = (method: string, path: string, headers: Headers, body?: object) =>
  app.call({ method, path, headers, ...(body === undefined ? {} : { body }) });
const members = () => `/account/workspaces/${app.workspaceId}/members`;

function json(answer: AppAnswer, status: number): unknown {
  assert.equal(answer.status, status, answer.text);
  return answer.json();
}

async function invite(role: string) {
  const invited = json(await send("POST", members(), bearer(app.key), { name: `a ${role}`, role }), 201);
  assert.equal(memberOf(invited, "role"), role, "an invitation has a role");
  const signedIn = await signIn(app, textOf(invited, "sign_in", "url").split("/sign-in/")[1] ?? "");
  return { ...signedIn, personId: textOf(invited, "id"), page: ownPage(app, signedIn.cookie) };
}

const newKey = (headers: Headers, more: object) => send("POST", "/account/keys", headers, { name: "a key", ...more });
const roleOfKey = async (headers: Headers) => memberOf(json(await send("GET", "/account", headers), 200), "role");

describe("a key", () => {
  test("has a role that its maker's includes, by default as much as that allows", async () => {
    for (const [role, may, mayNot, usual] of [
      ["viewer", ["viewer"], ["member", "billing", "owner"], "viewer"],
      ["member", ["viewer", "member"], ["billing", "owner"], "member"],
      ["billing", ["viewer", "billing"], ["member", "owner"], "billing"],
      ["owner", ["viewer", "member", "billing", "owner"], [], "member"],
    ] as const) {
      const { page } = await invite(role);
      for (const wanted of may)
        assert.equal(memberOf(json(await newKey(page, { role: wanted }), 201), "role"), wanted, role);
      for (const wanted of mayNot) {
        const refused = json(await newKey(page, { role: wanted }), 403);
        assert.deepEqual(memberOf(refused, "details"), { role, needs_role: wanted });
      }
      assert.equal(memberOf(json(await newKey(page, {}), 201), "role"), usual);
      assert.equal(memberOf(json(await newKey(page, { scopes: ["account"] }), 201), "role"), role);
    }
  });

  test("and the tokens made from it are lowered with the person who made it, at once", async () => {
    const person = await invite("owner");
    const keyWith = async (role: string) => textOf(json(await newKey(person.page, { role }), 201), "secret");
    const [high, low] = [await keyWith("owner"), await keyWith("member")];
    const wanted = { capabilities: ["call_models", "read_models"], models: ["*"], credits_max: "1" };
    const token = textOf(json(await send("POST", "/account/tokens", bearer(low), wanted), 201), "token");
    const demoted = await send("PATCH", `${members()}/${person.personId}`, bearer(app.key), { role: "billing" });
    assert.equal(memberOf(json(demoted, 200), "role"), "billing");
    assert.deepEqual([await roleOfKey(bearer(high)), await roleOfKey(bearer(low))], ["billing", "viewer"]);
    const run = await send("POST", "/v1/models/sandbox/image-1", bearer(token), {});
    assert.equal(run.status, 403, run.text);
    assert.match(run.text, /takes the role/);
    assert.equal((await send("GET", "/v1/models", bearer(token))).status, 200);
  });

  test("of a viewer makes no tokens that could do more", async () => {
    const viewer = await invite("viewer");
    const wanted = { capabilities: ["call_models"], models: ["*"], credits_max: "1" };
    const secret = textOf(json(await newKey(viewer.page, {}), 201), "secret");
    for (const headers of [bearer(secret), viewer.page, bearer(viewer.jwt)])
      assert.equal((await send("POST", "/account/tokens", headers, wanted)).status, 403);
  });
});

test("everyone leaves when they want to, and only owners remove others", async () => {
  const [viewer, billing] = [await invite("viewer"), await invite("billing")];
  assert.equal((await send("DELETE", `${members()}/${billing.personId}`, viewer.page)).status, 403);
  assert.equal((await send("DELETE", `${members()}/${viewer.personId}`, viewer.page)).status, 200);
});

describe("a dangerous step", () => {
  const again = (answer: AppAnswer) => {
    const body = json(answer, 403);
    assert.equal(memberOf(body, "error"), "sign_in_again", answer.text);
    assert.match(textOf(body, "message"), /Sign in again, then repeat it\. Nothing was changed\./);
  };

  test("takes a person who signed in a short while ago; a key is not asked", async () => {
    const old = await invite("owner");
    const other = await invite("owner");
    const member = await invite("member");
    clock.push(11 * 60);
    const jwt = textOf(json(await send("POST", "/account/tokens", old.page), 201), "token");
    for (const headers of [old.page, bearer(jwt)]) {
      again(await send("POST", "/account/webhooks/secrets", headers));
      again(await send("DELETE", `${members()}/${other.personId}`, headers));
      again(await send("PATCH", `${members()}/${other.personId}`, headers, { role: "member" }));
      again(await send("PATCH", `${members()}/${member.personId}`, headers, { role: "owner" }));
      again(await send("POST", members(), headers, { name: "Eve", role: "owner" }));
    }
    // What concerns no owner needs no fresh sign-in.
    assert.equal((await send("PATCH", `${members()}/${member.personId}`, old.page, { role: "viewer" })).status, 200);
    assert.equal((await send("DELETE", `${members()}/${member.personId}`, old.page)).status, 200);
    assert.equal((await send("DELETE", `${members()}/${other.personId}`, bearer(app.key))).status, 200);
    assert.equal((await send("POST", "/account/webhooks/secrets", bearer(app.key))).status, 201);
  });

  test("of an operator as well, and signing in again is enough", async () => {
    const { personId } = await invite("viewer");
    const path = `/admin/people/${personId}/role`;
    const stale = textOf(json(await send("POST", "/account/tokens", ownPage(app, boss.cookie)), 201), "token");
    again(await send("PUT", path, bearer(stale), { role: "auditor" }));
    again(await send("POST", "/admin/tokens", bearer(stale), { name: "mine" }));
    assert.equal((await send("GET", "/admin/audit", bearer(stale))).status, 200);
    const fresh = await freshSessionOf(boss.personId);
    assert.equal(memberOf(json(await send("PUT", path, bearer(fresh), { role: "auditor" }), 200), "role"), "auditor");
    assert.equal((await send("PUT", path, bearer(app.adminToken), { role: null })).status, 200);
  });
});

// Another operator, who has just signed in: only people themselves and the machine's operator make links for those who did before.
async function freshSessionOf(personId: string): Promise<string> {
  const invited = json(await send("POST", members(), bearer(app.key), { name: "second browser", role: "owner" }), 201);
  const id = textOf(invited, "id");
  const operator = await send("PUT", `/admin/people/${id}/role`, bearer(app.adminToken), { role: "operator" });
  assert.equal(operator.status, 200);
  assert.notEqual(id, personId);
  return (await signIn(app, textOf(invited, "sign_in", "url").split("/sign-in/")[1] ?? "")).jwt;
}

describe("a service account", () => {
  const path = "/account/service-accounts";
  const make = async (name: string, role: string) =>
    textOf(json(await send("POST", path, bearer(app.key), { name, role }), 201), "id");

  test("is made by an owner, has keys of at most its role, and is named in the audit and beside its keys", async () => {
    const id = await make("nightly renders", "member");
    const member = await invite("member");
    assert.equal((await send("POST", path, member.page, { name: "mine" })).status, 403);
    assert.equal((await newKey(member.page, { service_account_id: id })).status, 403);
    assert.equal((await newKey(bearer(app.key), { service_account_id: id, role: "billing" })).status, 403);
    const made = json(await newKey(bearer(app.key), { service_account_id: id, scopes: ["models", "account"] }), 201);
    assert.deepEqual(memberOf(made, "service_account"), { id, name: "nightly renders" });
    assert.deepEqual([memberOf(made, "role"), memberOf(made, "created_by")], ["member", null]);
    const key = bearer(textOf(made, "secret"));
    const ownKey = json(await newKey(key, { name: "made by a program" }), 201);
    const query = `/admin/audit?actor_kind=service_account&actor_id=${id}`;
    const [entry] = listOf(json(await send("GET", query, bearer(app.adminToken)), 200), "data");
    assert.deepEqual(memberOf(entry ?? null, "actor"), { kind: "service_account", id, name: "nightly renders" });
    assert.deepEqual(memberOf(entry ?? null, "subject"), { kind: "key", id: memberOf(ownKey, "id") });
    const listed = listOf(json(await send("GET", "/account/keys", bearer(app.key)), 200), "data");
    const shown = listed.find((one) => memberOf(one, "id") === memberOf(made, "id"));
    assert.deepEqual(memberOf(shown, "service_account"), { id, name: "nightly renders" });
    const rotated = json(await send("POST", `/account/keys/${textOf(made, "id")}/rotation`, bearer(app.key)), 201);
    assert.deepEqual(memberOf(rotated, "service_account"), { id, name: "nightly renders" });
  });

  test("has a name that no other one in the workspace has, and no other workspace sees it", async () => {
    const id = await make("one of a kind", "viewer");
    assert.equal((await send("POST", path, bearer(app.key), { name: "One of a Kind" })).status, 409);
    const { page } = await invite("member");
    const elsewhere = json(await send("POST", "/account/workspaces", page, { name: "Elsewhere" }), 201);
    await send("PUT", "/account/session", page, { workspace_id: memberOf(elsewhere, "id") });
    assert.deepEqual(json(await send("GET", path, page), 200), { data: [] });
    assert.equal((await send("DELETE", `${path}/${id}`, page)).status, 404);
    assert.equal((await newKey(page, { service_account_id: id })).status, 404);
  });

  test("loses its keys when it is removed, and its name is free again", async () => {
    const id = await make("leaving", "member");
    const made = json(await newKey(bearer(app.key), { service_account_id: id }), 201);
    const key = bearer(textOf(made, "secret"));
    assert.equal((await send("GET", "/account", key)).status, 200);
    const removed = json(await send("DELETE", `${path}/${id}`, bearer(app.key)), 200);
    assert.deepEqual(removed, { revoked_keys: [memberOf(made, "id")] });
    assert.equal((await send("GET", "/account", key)).status, 401);
    assert.equal((await send("DELETE", `${path}/${id}`, bearer(app.key))).status, 404);
    await make("leaving", "viewer");
  });
});
