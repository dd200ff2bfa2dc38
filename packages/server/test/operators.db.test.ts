// Operators over HTTP: who is let in, who is not, and what the audit says about it.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, ownPage, type Tenant } from "./support/app-people.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let first: Tenant;
let other: Tenant;
before(async () => {
  app = await testApp();
  first = await owner(app);
  other = await addTenant(app, "Eve");
});
after(() => app.close());

const get = (path: string, headers: Record<string, string>) => app.call({ path, headers });
const setOperator = (personId: string, is_operator: boolean, headers = bearer(app.adminToken)) =>
  app.call({ method: "PUT", path: `/admin/people/${personId}/operator`, headers, body: { is_operator } });

describe("an operator who is a person", () => {
  test("is the first person of the installation, and reaches the admin side and the metrics with an identity token", async () => {
    assert.equal((await get("/admin/workspaces", bearer(first.jwt))).status, 200);
    assert.equal((await get("/metrics", bearer(first.jwt))).status, 200);
    const [known] = listOf((await get("/admin/people?is_operator=true", bearer(first.jwt))).json(), "data");
    assert.equal(textOf(known ?? null, "id"), first.personId);
  });

  test("is named in the audit as that person", async () => {
    const body = { name: "by a person" };
    const headers = bearer(first.jwt);
    assert.equal((await app.call({ method: "POST", path: "/admin/tokens", headers, body })).status, 201);
    const [entry] = listOf((await get("/admin/audit?action=admin_token.create&limit=1", headers)).json(), "data");
    assert.deepEqual(
      [textOf(entry ?? null, "actor", "kind"), textOf(entry ?? null, "actor", "id")],
      ["person", first.personId],
    );
  });

  test("is nobody else: another person is 403, and neither keys nor cookies nor broken tokens get in", async () => {
    const refused = await get("/admin/workspaces", bearer(other.jwt));
    assert.deepEqual([refused.status, textOf(refused.json(), "error")], [403, "forbidden"]);
    assert.equal((await get("/metrics", bearer(other.jwt))).status, 403);
    for (const headers of [
      bearer(first.key),
      ownPage(app, first.cookie),
      bearer(`${first.jwt.slice(0, -4)}AAAA`),
      { ...bearer(first.jwt), "x-api-key": first.key },
      { "x-api-key": first.jwt },
    ])
      assert.equal((await get("/admin/workspaces", headers)).status, 401, JSON.stringify(headers));
  });

  test("is made and unmade by an operator, with effect on the next request", async () => {
    assert.equal((await setOperator(other.personId, true, bearer(other.jwt))).status, 403);
    assert.equal((await setOperator(other.personId, true)).status, 200);
    assert.equal((await get("/admin/workspaces", bearer(other.jwt))).status, 200);
    const account = await get("/account", bearer(other.jwt));
    assert.equal(JSON.parse(account.text).is_operator, true);
    assert.equal((await setOperator(other.personId, false, bearer(first.jwt))).status, 200);
    assert.equal((await get("/admin/workspaces", bearer(other.jwt))).status, 403);
    assert.equal((await setOperator(app.workspaceId, true)).status, 404);
  });

  test("loses access as soon as the session behind the token ends", async () => {
    assert.equal((await setOperator(other.personId, true)).status, 200);
    const headers = ownPage(app, other.cookie);
    const [session] = listOf((await get("/account/sessions", headers)).json(), "data");
    const path = `/account/sessions/${textOf(session ?? null, "id")}`;
    assert.equal((await app.call({ method: "DELETE", path, headers })).status, 204);
    assert.equal((await get("/admin/workspaces", bearer(other.jwt))).status, 401);
  });
});
