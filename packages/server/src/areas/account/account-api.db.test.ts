import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Role, Scope } from "../../capabilities/identity/index.ts";
import { sql } from "../../foundation/database/sql.ts";
import { newId, type PersonId, parseId } from "../../foundation/ids.ts";
import { aSite, ownPage, type Site } from "./account.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let site: Site;
before(async () => {
  site = await aSite();
});
after(() => site.close());

const owner = () => ({ "x-api-key": site.key });
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

async function aMember(role: Role = "member"): Promise<PersonId> {
  const request = { name: "Bo", email: null, role };
  return (await site.identity.members.add(site.workspaceId, request, system)).member.person.id;
}

async function keyOf(personId: PersonId | null, role: Role, scopes: readonly Scope[]) {
  const request = { workspaceId: site.workspaceId, name: "Key", role, scopes, expiresAt: null, createdBy: personId };
  const { key, secret } = await site.identity.keys.create(request, system);
  return { id: key.id, headers: { authorization: `Bearer ${secret}` } };
}

describe("who am I", () => {
  test("a key, a token and a session each learn who they are", async () => {
    const members = ["role", "scopes", "session", "workspace"];
    const byKey = (await site.call({ path: "/account", headers: owner() })).json();
    assert.deepEqual(Object.keys(byKey).sort(), ["installation_role", "is_operator", "key", ...members]);
    const cookie = await site.signIn(site.ownerId);
    const bySession = (await site.call({ path: "/account", headers: { cookie } })).json();
    assert.deepEqual(Object.keys(bySession).sort(), ["installation_role", "is_operator", "person", ...members]);
    const token = await site.call({ method: "POST", path: "/account/tokens", headers: { cookie, ...ownPage } });
    assert.equal(token.status, 201);
    const headers = { authorization: `Bearer ${token.json()["token"]}` };
    assert.deepEqual((await site.call({ path: "/account", headers })).json(), bySession);
    assert.equal((await site.call({ method: "POST", path: "/account/tokens", headers })).status, 403);
  });

  test("a key without the scope account sees itself and manages nothing", async () => {
    const { headers } = await keyOf(site.ownerId, "owner", ["models"]);
    assert.equal((await site.call({ path: "/account", headers })).status, 200);
    const forbidden: [string, string][] = [
      ["GET", "/account/keys"],
      ["POST", "/account/keys"],
      ["DELETE", `/account/keys/${newId()}`],
      ["GET", "/account/workspaces"],
      ["POST", "/account/workspaces"],
      ["PATCH", `/account/workspaces/${site.workspaceId}`],
      ["GET", `/account/workspaces/${site.workspaceId}/members`],
      ["POST", `/account/workspaces/${site.workspaceId}/members`],
      ["PATCH", `/account/workspaces/${site.workspaceId}/members/${site.ownerId}`],
      ["DELETE", `/account/workspaces/${site.workspaceId}/members/${site.ownerId}`],
    ];
    for (const [method, path] of forbidden) {
      const answer = await site.call({ method, path, headers, body: { name: "x" } });
      assert.deepEqual([answer.status, answer.json()["error"]], [403, "forbidden"], `${method} ${path}`);
    }
  });
});

describe("keys", () => {
  test("a created key is shown once, listed without its secret, and works until it is revoked", async () => {
    const expires_at = "2026-06-01T00:00:00.000Z";
    const body = { name: " Render farm ", expires_at, unknown: 1 };
    const made = await site.call({ method: "POST", path: "/account/keys", headers: owner(), body });
    assert.equal(made.status, 201);
    assert.equal(made.headers["cache-control"], "no-store");
    const { secret, ...shown } = made.json();
    assert.deepEqual(
      [shown["name"], shown["scopes"], shown["role"], shown["expires_at"]],
      ["Render farm", ["models", "partners", "registry", "workflows"], "member", expires_at],
    );
    const list = await site.call({ path: "/account/keys", headers: owner() });
    assert.deepEqual(
      listOf(list.json()["data"]).find((key) => key["id"] === shown["id"]),
      shown,
    );
    assert.ok(!list.text.includes(String(secret)));
    const headers = { "x-api-key": String(secret) };
    assert.equal((await site.call({ path: "/account", headers })).status, 200);
    const path = `/account/keys/${shown["id"]}`;
    const revoked = await site.call({ method: "DELETE", path, headers: owner() });
    assert.equal(revoked.json()["revoked_at"], site.clock.now().toISOString());
    assert.equal((await site.call({ path: "/account", headers })).status, 401);
    assert.deepEqual((await site.call({ method: "DELETE", path, headers: owner() })).json(), revoked.json());
  });

  test("a key never makes one that reaches further than itself", async () => {
    const { headers } = await keyOf(await aMember(), "member", ["models", "account"]);
    const create = (body: object) => site.call({ method: "POST", path: "/account/keys", headers, body });
    assert.deepEqual((await create({ name: "a" })).json()["scopes"], ["models"]);
    assert.equal((await create({ name: "a", scopes: ["workflows"] })).status, 403);
    assert.equal((await create({ name: "a", role: "owner" })).status, 403);
    const twin = (await create({ name: "a", scopes: ["account"] })).json();
    assert.deepEqual([twin["role"], twin["scopes"]], ["member", ["account"]]);
  });

  test("a member revokes the keys of the same person and no others; an owner revokes all", async () => {
    const bo = await aMember();
    const own = await keyOf(bo, "member", ["models", "account"]);
    const sibling = await keyOf(bo, "member", ["models"]);
    const foreign = await keyOf(site.ownerId, "member", ["models"]);
    const revoke = (id: string, headers: Record<string, string>) =>
      site.call({ method: "DELETE", path: `/account/keys/${id}`, headers });
    assert.equal((await revoke(foreign.id, own.headers)).status, 403);
    assert.equal((await revoke(sibling.id, own.headers)).status, 200);
    assert.equal((await revoke(own.id, owner())).status, 200);
  });

  test("bad input names the field, stores nothing and is 400", async () => {
    const before = (await site.call({ path: "/account/keys", headers: owner() })).text;
    const bodies: unknown[] = [
      null,
      [],
      {},
      { name: "" },
      { name: "  " },
      { name: "a\u0000b" },
      { name: "x".repeat(101) },
      { name: 7 },
      { name: "a", scopes: [] },
      { name: "a", scopes: ["everything"] },
      { name: "a", role: "operator" },
      { name: "a", expires_at: "tomorrow" },
      { name: "a", expires_at: "2020-01-01T00:00:00Z" },
      { name: "a", expires_at: "9999-12-31T23:59:59-23:00" },
    ];
    for (const body of bodies) {
      const request = { method: "POST", path: "/account/keys", headers: owner(), body: Object(body) };
      assert.equal((await site.call(request)).status, 400, JSON.stringify(body));
    }
    assert.equal((await site.call({ path: "/account/keys", headers: owner() })).text, before);
  });

  test("a malformed, unknown or foreign id is the same 404", async () => {
    const stranger = newId<"person">();
    await site.db.execute(sql`insert into people (id, name, created_at) values (${stranger}, 'Eve', now())`);
    const elsewhere = await site.identity.workspaces.create({ name: "Other", ownerId: stranger }, system);
    const request = { name: "Key", role: "member", scopes: ["models"], expiresAt: null, createdBy: null } as const;
    const foreign = await site.identity.keys.create({ ...request, workspaceId: elsewhere.id }, system);
    const answers = await Promise.all(
      ["not-an-id", newId(), foreign.key.id].map((id) =>
        site.call({ method: "DELETE", path: `/account/keys/${id}`, headers: owner() }),
      ),
    );
    assert.deepEqual(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size, 1);
    assert.equal(answers[0]?.status, 404);
    assert.equal((await site.identity.keys.get(elsewhere.id, foreign.key.id)).revokedAt, null);
  });
});

describe("workspaces and members", () => {
  test("a person makes a workspace and owns it; a key cannot", async () => {
    const headers = { cookie: await site.signIn(site.ownerId), ...ownPage };
    const request = { method: "POST", path: "/account/workspaces", body: { name: "Second" } };
    const made = await site.call({ ...request, headers });
    assert.deepEqual([made.status, made.json()["role"]], [201, "owner"]);
    assert.equal((await site.call({ ...request, headers: owner() })).status, 403);
    const all = listOf((await site.call({ path: "/account/workspaces", headers })).json()["data"]);
    assert.deepEqual(all.map((one) => one["name"]).sort(), ["Default workspace", "Second"]);
    const byKey = listOf((await site.call({ path: "/account/workspaces", headers: owner() })).json()["data"]);
    assert.deepEqual(
      byKey.map((one) => one["id"]),
      [site.workspaceId],
    );
    const rename = { method: "PATCH", path: `/account/workspaces/${made.json()["id"]}`, body: { name: "Third" } };
    assert.equal((await site.call({ ...rename, headers })).json()["name"], "Third");
    assert.equal((await site.call({ ...rename, headers: owner() })).status, 404);
  });

  test("a new person gets a link that signs in; the member is listed, changed and removed", async () => {
    const path = `/account/workspaces/${site.workspaceId}/members`;
    const body = { name: "Cleo", email: "cleo@example.org" };
    const added = await site.call({ method: "POST", path, headers: owner(), body });
    assert.equal(added.status, 201);
    const { sign_in, ...member } = added.json();
    assert.ok(typeof sign_in === "object" && sign_in !== null && "url" in sign_in);
    const look = { path: new URL(String(sign_in.url)).pathname, headers: { accept: "application/json" } };
    assert.deepEqual((await site.call(look)).json()["person"], { name: "Cleo" });
    const list = listOf((await site.call({ path, headers: owner() })).json()["data"]);
    assert.deepEqual(
      list.find((one) => one["id"] === member["id"]),
      member,
    );
    const one = `${path}/${member["id"]}`;
    const changed = await site.call({ method: "PATCH", path: one, headers: owner(), body: { role: "owner" } });
    assert.equal(changed.json()["role"], "owner");
    assert.deepEqual((await site.call({ method: "DELETE", path: one, headers: owner() })).json(), { revoked_keys: [] });
    assert.equal((await site.call({ method: "DELETE", path: one, headers: owner() })).status, 404);
    const again = { person_id: member["id"] };
    assert.equal((await site.call({ method: "POST", path, headers: owner(), body: again })).status, 201);
    assert.equal((await site.call({ method: "POST", path, headers: owner(), body: again })).status, 409);
  });

  test("an invitation lives as long as was chosen, and is made again only for a person who never signed in", async () => {
    const path = `/account/workspaces/${site.workspaceId}/members`;
    const hoursOf = (link: unknown) => {
      const { expires_at }: { expires_at?: unknown } = Object(link);
      return Math.round((Date.parse(String(expires_at)) - site.clock.now().getTime()) / 3_600_000);
    };
    const pathOf = (link: unknown) => new URL(String(Reflect.get(Object(link), "url"))).pathname;
    const look = async (link: unknown) =>
      (await site.call({ path: pathOf(link), headers: { accept: "application/json" } })).status;
    const add = async (more: object) =>
      (await site.call({ method: "POST", path, headers: owner(), body: { name: "Dora", ...more } })).json();
    assert.equal(hoursOf((await add({}))["sign_in"]), 72);
    const dora = await add({ link_hours: 24 });
    assert.deepEqual([hoursOf(dora["sign_in"]), dora["has_signed_in"]], [24, false]);
    const again = { method: "POST", path: `${path}/${dora["id"]}/sign-in-link`, headers: owner() };
    const made = await site.call({ ...again, body: { link_hours: 1 } });
    assert.deepEqual([made.status, hoursOf(made.json())], [201, 1]);
    assert.deepEqual([await look(dora["sign_in"]), await look(made.json())], [404, 200], "the earlier one has ended");
    for (const link_hours of [0, 169, 1.5])
      assert.equal((await site.call({ ...again, body: { link_hours } })).status, 400);
    const bo = await aMember();
    const member = { cookie: await site.signIn(bo), ...ownPage };
    assert.equal((await site.call({ ...again, headers: member, body: {} })).status, 403, "only owners invite");
    const known = { ...again, path: `${path}/${bo}/sign-in-link`, body: {} };
    assert.equal((await site.call(known)).status, 409, "a link would be a way into the account of who has signed in");
    assert.equal((await site.call({ ...known, path: `${path}/${site.workspaceId}/sign-in-link` })).status, 404);
  });

  test("the last owner cannot go, a member may leave but not send others away", async () => {
    const path = `/account/workspaces/${site.workspaceId}/members`;
    const last = await site.call({ method: "DELETE", path: `${path}/${site.ownerId}`, headers: owner() });
    assert.deepEqual([last.status, last.json()["error"]], [409, "conflict"]);
    const bo = await aMember();
    const headers = { cookie: await site.signIn(bo), ...ownPage };
    assert.equal((await site.call({ method: "DELETE", path: `${path}/${site.ownerId}`, headers })).status, 403);
    assert.equal(
      (await site.call({ method: "PATCH", path: `${path}/${bo}`, headers, body: { role: "owner" } })).status,
      403,
    );
    assert.equal((await site.call({ method: "POST", path, headers, body: { name: "Eve" } })).status, 403);
    assert.equal((await site.call({ method: "DELETE", path: `${path}/${bo}?keep_keys=maybe`, headers })).status, 400);
    assert.equal((await site.call({ method: "DELETE", path: `${path}/${bo}`, headers })).status, 200);
    const nowhere = await site.call({ path: "/account", headers });
    assert.deepEqual([nowhere.status, nowhere.json()["error"]], [403, "forbidden"]);
  });
});

describe("a cookie", () => {
  test("authorises a change only from our own page, and a refused header never falls back to it", async () => {
    const cookie = await site.signIn(site.ownerId);
    const create = (headers: Record<string, string>) =>
      site.call({ method: "POST", path: "/account/keys", headers, body: { name: "a" } });
    assert.equal((await create({ cookie })).status, 403);
    assert.equal((await create({ cookie, origin: "https://evil.example" })).status, 403);
    assert.equal((await create({ cookie, ...ownPage, "sec-fetch-site": "cross-site" })).status, 403);
    assert.equal((await create({ cookie, ...ownPage })).status, 201);
    assert.equal((await create({ cookie, ...ownPage, "x-api-key": "service-unknown" })).status, 401);
    assert.equal((await create({ cookie: "atelier_session=invented", ...ownPage })).status, 401);
  });
});

test("every change is in the audit with who did it and in which request", async () => {
  const made = await site.call({ method: "POST", path: "/account/keys", headers: owner(), body: { name: "Audited" } });
  const id = parseId<"key">(String(made.json()["id"]));
  const rows = await site.db.query(sql`
    select actor_kind, action, workspace_id, request_id is not null as has_request
    from audit_entries where subject_id = ${id}`);
  assert.deepEqual(rows, [
    { actor_kind: "key", action: "api_key.create", workspace_id: site.workspaceId, has_request: true },
  ]);
});
