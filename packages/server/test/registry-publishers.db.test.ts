// Publishers, their people and their tokens, over HTTP on a whole app.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { findTokenPublisher } from "../src/capabilities/tokens/index.ts";
import { systemClock } from "../src/foundation/clock.ts";
import { sql } from "../src/foundation/database/sql.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, type Tenant } from "./support/app-people.ts";
import { createPublisher, send, someId } from "./support/registry-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let mine: Tenant;
let theirs: Tenant;
before(async () => {
  app = await testApp({ env: { ATELIER_REGISTRY_PUBLISHERS_MAX: "40" } });
  mine = await owner(app);
  theirs = await addTenant(app, "Eve");
  await app.database.execute(sql`update people set email = 'ada@studio.example' where id = ${mine.personId}`);
});
after(() => app.close());

const as = (tenant: Tenant) => ({ key: bearer(tenant.key), person: bearer(tenant.jwt) });

test("a person who creates a publisher is its owner; a key creates one for its workspace", async () => {
  const byPerson = await createPublisher(app, as(mine).person);
  const member = memberOf(byPerson.json(), "members", 0);
  assert.equal(textOf(member, "role"), "owner");
  assert.equal(textOf(member, "user", "id"), mine.personId);
  const byKey = await createPublisher(app, as(mine).key);
  assert.deepEqual(memberOf(byKey.json(), "members"), []);
  const own = await send(app, "GET", "/users/publishers/", as(mine).key);
  const ids = listOf(own.json()).map((one) => textOf(one, "id"));
  assert.ok(ids.includes(textOf(byPerson.json(), "id")) && ids.includes(textOf(byKey.json(), "id")));
  const ofPerson = await send(app, "GET", "/users/publishers/", as(mine).person);
  assert.deepEqual(
    listOf(ofPerson.json()).map((one) => textOf(one, "id")),
    [textOf(byPerson.json(), "id")],
  );
});

test("400 names every invalid field, and nothing is stored", async () => {
  const id = "Not An Id";
  const body = { id, name: "", description: 7, website: "x".repeat(3000), visibility: "secret" };
  const answer = await send(app, "POST", "/publishers", as(mine).key, body);
  assert.equal(answer.status, 400);
  const paths = listOf(answer.json(), "details").map((one) => textOf(one, "path"));
  assert.deepEqual(paths.sort(), ["/description", "/id", "/name", "/visibility", "/website"]);
  const nul = await send(app, "POST", "/publishers", as(mine).key, { id: someId(), name: "a\u0000b" });
  assert.deepEqual([nul.status, textOf(nul.json(), "details", 0, "path")], [400, "/name"]);
});

test("a reserved, taken or deleted publisher id is unavailable, and asking says so", async () => {
  const reserved = await send(app, "POST", "/publishers", as(mine).key, { id: "validate", name: "x" });
  assert.equal(reserved.status, 400);
  const id = textOf((await createPublisher(app, as(mine).key)).json(), "id");
  assert.equal((await send(app, "POST", "/publishers", as(theirs).key, { id, name: "x" })).status, 409);
  assert.equal((await send(app, "GET", `/publishers/validate?username=${id}`)).status, 400);
  assert.equal((await send(app, "DELETE", `/publishers/${id}`, as(mine).key)).status, 204);
  assert.equal((await send(app, "GET", `/publishers/${id}`)).status, 404);
  assert.equal((await send(app, "GET", `/publishers/validate?username=${id}`)).status, 400);
  assert.equal((await send(app, "POST", "/publishers", as(mine).key, { id, name: "x" })).status, 409);
  const free = await send(app, "GET", `/publishers/validate?username=${someId()}`);
  assert.deepEqual([free.status, free.json()], [200, { isAvailable: true }]);
  for (const wrong of ["", "?username=", "?username=A", "?username=validate", "?username=a&username=b"])
    assert.equal((await send(app, "GET", `/publishers/validate${wrong}`)).status, 400, wrong);
});

test("one person cannot create more publishers than the setting allows", async () => {
  const small = await testApp({ beside: app, env: { ATELIER_REGISTRY_PUBLISHERS_MAX: "1" } });
  try {
    const before = await small.database.query(
      sql`select id from publishers where workspace_id = ${theirs.workspaceId}`,
    );
    assert.equal(before.length, 0);
    assert.equal((await createPublisher(small, as(theirs).key)).status, 201);
    const second = await send(small, "POST", "/publishers", as(theirs).key, { id: someId(), name: "x" });
    assert.equal(second.status, 403);
  } finally {
    await small.close();
  }
});

describe("somebody else", () => {
  test("may change or delete no publisher, see no tokens, add nobody: 403, and nothing changes", async () => {
    const id = textOf((await createPublisher(app, as(mine).person)).json(), "id");
    const before = (await send(app, "GET", `/publishers/${id}`)).text;
    for (const headers of Object.values(as(theirs))) {
      const at = `/publishers/${id}`;
      const calls = [
        await send(app, "PUT", at, headers, { name: "taken over" }),
        await send(app, "DELETE", at, headers),
        await send(app, "GET", `${at}/tokens`, headers),
        await send(app, "POST", `${at}/tokens`, headers, { name: "ci" }),
        await send(app, "GET", `${at}/members`, headers),
        await send(app, "POST", `${at}/members`, headers, { email: "eve@elsewhere.example" }),
        await send(app, "POST", `${at}/nodes`, headers, { id: someId(), name: "x" }),
      ];
      assert.deepEqual(
        calls.map(({ status }) => status),
        calls.map(() => 403),
      );
      const permission = await send(app, "GET", `${at}/permissions`, headers);
      assert.deepEqual([permission.status, permission.json()], [200, { canEdit: false }]);
    }
    assert.equal((await send(app, "GET", `/publishers/${id}`)).text, before);
    assert.deepEqual((await send(app, "GET", `/publishers/${id}/permissions`, as(mine).person)).json(), {
      canEdit: true,
    });
  });

  test("cannot use the ids of their own members and tokens at another publisher, nor invalid ids", async () => {
    const id = textOf((await createPublisher(app, as(mine).person)).json(), "id");
    const other = textOf((await createPublisher(app, as(theirs).person)).json(), "id");
    const token = await send(app, "POST", `/publishers/${id}/tokens`, as(mine).person, { name: "ci" });
    const tokenId = textOf(token.json(), "id");
    const memberId = textOf((await send(app, "GET", `/publishers/${id}`)).json(), "members", 0, "id");
    for (const [kind, foreign] of [
      ["tokens", tokenId],
      ["members", memberId],
    ] as const)
      for (const wrong of [foreign, "nonsense", "%00", "00000000-0000-7000-8000-000000000000"]) {
        const answer = await send(app, "DELETE", `/publishers/${other}/${kind}/${wrong}`, as(theirs).person);
        assert.equal(answer.status, 404, `${kind} ${wrong}: ${answer.text}`);
      }
    assert.equal(listOf((await send(app, "GET", `/publishers/${id}/tokens`, as(mine).person)).json()).length, 1);
    for (const wrong of ["nobody-has-this", "%00", "A%20B", "00000000-0000-7000-8000-000000000000"])
      assert.equal((await send(app, "DELETE", `/publishers/${wrong}`, as(theirs).person)).status, 404, wrong);
  });

  test("never sees an e-mail address; members and operators do", async () => {
    const id = textOf((await createPublisher(app, as(mine).person)).json(), "id");
    const sees = async (path: string, headers: Record<string, string>) =>
      (await send(app, "GET", path, headers)).text.includes("ada@studio.example");
    for (const headers of [{}, as(theirs).key, as(theirs).person, bearer("letmein")])
      assert.equal(await sees(`/publishers/${id}`, headers), false);
    assert.equal(await sees("/publishers", as(theirs).person), false);
    for (const headers of [as(mine).key, as(mine).person, bearer(app.adminToken)])
      assert.equal(await sees(`/publishers/${id}`, headers), true);
    const named = await send(app, "POST", `/publishers/${id}/nodes`, as(mine).person, { id: someId(), name: "x" });
    assert.equal(named.status, 201);
    for (const path of ["/nodes", `/nodes/${textOf(named.json(), "id")}`, "/nodes/search?search=x", "/bulk/nodes"])
      assert.equal(await sees(path, {}), false, path);
  });
});

test("members of the workspace can be added by their address, and the last owner stays", async () => {
  const id = textOf((await createPublisher(app, as(mine).person)).json(), "id");
  const added = await send(app, "POST", `/account/workspaces/${app.workspaceId}/members`, as(mine).key, {
    name: "Grace",
    email: "Grace@studio.example",
  });
  assert.equal(added.status, 201, added.text);
  const at = `/publishers/${id}/members`;
  const member = await send(app, "POST", at, as(mine).person, { email: "grace@studio.example", role: "owner" });
  assert.deepEqual([member.status, textOf(member.json(), "role")], [201, "owner"]);
  assert.equal((await send(app, "POST", at, as(mine).person, { email: "grace@studio.example" })).status, 409);
  assert.equal((await send(app, "POST", at, as(mine).person, { email: "nobody@studio.example" })).status, 400);
  assert.equal((await send(app, "POST", at, as(mine).person, { email: "x", role: "king" })).status, 400);
  const members = listOf((await send(app, "GET", at, as(mine).person)).json());
  assert.equal(members.length, 2);
  assert.equal((await send(app, "DELETE", `${at}/${textOf(members[1], "id")}`, as(mine).person)).status, 204);
  const last = await send(app, "DELETE", `${at}/${textOf(members[0], "id")}`, as(mine).person);
  assert.equal(last.status, 409);
});

test("a token is shown once, stored as a hash, listed masked, and works until it is revoked or expires", async () => {
  const id = textOf((await createPublisher(app, as(mine).key)).json(), "id");
  const at = `/publishers/${id}/tokens`;
  const made = await send(app, "POST", at, as(mine).key, { name: "ci", description: "for releases" });
  assert.equal(made.status, 201, made.text);
  assert.equal(headerOf(made, "cache-control"), "no-store");
  const secret = textOf(made.json(), "token");
  const [shown] = listOf((await send(app, "GET", at, as(mine).key)).json());
  assert.match(textOf(shown, "token"), new RegExp(`^${secret.slice(0, 4)}\\*+$`));
  assert.ok(!JSON.stringify(shown).includes(secret.slice(4)));
  const rows = await app.database.query<object>(sql`select t::text from publisher_tokens as t`);
  assert.ok(!JSON.stringify(rows).includes(secret.slice(4)));
  assert.equal((await findTokenPublisher(app.database, systemClock, secret))?.publisherId, id);
  assert.equal(await findTokenPublisher(app.database, systemClock, secret.slice(1)), null);
  const over = await send(app, "POST", at, as(mine).key, { name: "x", expires_at: "2020-01-01T00:00:00.000Z" });
  assert.equal(over.status, 400);
  const brief = await send(app, "POST", at, as(mine).key, { name: "x", expires_at: "2030-01-01T00:00:00.000Z" });
  const later = { now: () => new Date("2030-01-01T00:00:00.001Z") };
  assert.equal(await findTokenPublisher(app.database, later, textOf(brief.json(), "token")), null);
  assert.equal((await send(app, "DELETE", `${at}/${textOf(made.json(), "id")}`, as(mine).key)).status, 204);
  assert.equal(await findTokenPublisher(app.database, systemClock, secret), null);
  assert.equal((await send(app, "DELETE", `${at}/${textOf(made.json(), "id")}`, as(mine).key)).status, 404);
});

test("a publisher with nodes cannot be deleted; one whose nodes are deleted can", async () => {
  const id = textOf((await createPublisher(app, as(mine).key)).json(), "id");
  const nodeId = someId();
  await send(app, "POST", `/publishers/${id}/nodes`, as(mine).key, { id: nodeId, name: "x" });
  assert.equal((await send(app, "DELETE", `/publishers/${id}`, as(mine).key)).status, 409);
  assert.equal((await send(app, "DELETE", `/publishers/${id}/nodes/${nodeId}`, as(mine).key)).status, 204);
  assert.equal((await send(app, "DELETE", `/publishers/${id}`, as(mine).key)).status, 204);
});

test("every change of a publisher is audited, and no entry contains a token", async () => {
  const rows = await app.database.query<{ action: string; line: string }>(
    sql`select action, e::text as line from audit_entries as e where action like 'publisher%'`,
  );
  const actions = new Set(rows.map(({ action }) => action));
  for (const action of ["publisher.create", "publisher.delete", "publisher_member.add", "publisher_token.create"])
    assert.ok(actions.has(action), action);
  assert.ok(rows.every(({ line }) => !/[A-Za-z0-9_-]{43}/.test(line)));
});
