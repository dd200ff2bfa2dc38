// Who may end whose key, and who sees whose address, over HTTP on a whole app.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, ownPage, type Tenant } from "./support/app-people.ts";
import { createPublisher, send } from "./support/registry-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let boss: Tenant;
before(async () => {
  app = await testApp();
  boss = await owner(app);
});
after(() => app.close());

const members = () => `/account/workspaces/${app.workspaceId}/members`;

async function newKey(
  headers: Record<string, string>,
  more: object,
): Promise<{ id: string; headers: Record<string, string> }> {
  const made = await send(app, "POST", "/account/keys", headers, { name: "a key", ...more });
  assert.equal(made.status, 201, made.text);
  return { id: textOf(made.json(), "id"), headers: bearer(textOf(made.json(), "secret")) };
}

describe("a key of a member's role with the scope account", () => {
  test("cannot revoke the keys of the owner who made it, nor remove that owner; it can end itself", async () => {
    const session = ownPage(app, boss.cookie);
    const low = await newKey(session, { role: "member", scopes: ["models", "account"] });
    const [ofOwner, ofMember] = [
      await newKey(session, { role: "owner", scopes: ["account"] }),
      await newKey(session, { role: "member", scopes: ["models"] }),
    ];
    for (const { id } of [ofOwner, ofMember, { id: boss.keyId }]) {
      const refused = await send(app, "DELETE", `/account/keys/${id}`, low.headers);
      assert.deepEqual([refused.status, textOf(refused.json(), "error")], [403, "forbidden"]);
    }
    const caps = { daily_credits_max: "1", monthly_credits_max: null };
    assert.equal((await send(app, "PUT", `/account/keys/${ofMember.id}/caps`, low.headers, caps)).status, 403);
    assert.equal((await send(app, "DELETE", `${members()}/${boss.personId}`, low.headers)).status, 403);
    for (const { headers } of [ofOwner, ofMember])
      assert.equal((await send(app, "GET", "/account", headers)).status, 200);
    assert.equal((await send(app, "DELETE", `/account/keys/${low.id}`, low.headers)).status, 200);
    assert.equal((await send(app, "GET", "/account", low.headers)).status, 401);
    assert.equal((await send(app, "DELETE", `/account/keys/${ofMember.id}`, ofOwner.headers)).status, 200);
  });
});

describe("somebody added to a workspace by their id", () => {
  test("is listed without their address until they choose that workspace, and is not found by it", async () => {
    const email = "eve@private.example";
    const invited = await send(app, "POST", members(), bearer(app.key), { name: "Eve", email });
    assert.equal(textOf(invited.json(), "email"), email, "who typed the address knows it");
    const eve = textOf(invited.json(), "id");
    const mallory = await addTenant(app, "Mallory");
    const theirs = `/account/workspaces/${mallory.workspaceId}/members`;
    const added = await send(app, "POST", theirs, bearer(mallory.key), { person_id: eve });
    assert.equal(added.status, 201, added.text);
    const shown = async (headers: Record<string, string>) => (await send(app, "GET", theirs, headers)).json();
    const ofEve = async () =>
      listOf(await shown(bearer(mallory.key)), "data").find((one) => memberOf(one, "id") === eve);
    const updated = await send(app, "PATCH", `${theirs}/${eve}`, bearer(mallory.key), { role: "owner" });
    for (const one of [added.json(), updated.json(), await ofEve()]) assert.equal(memberOf(one, "email"), null);
    const publisherId = textOf((await createPublisher(app, bearer(mallory.key))).json(), "id");
    const invite = () => send(app, "POST", `/publishers/${publisherId}/members`, bearer(mallory.key), { email });
    assert.equal((await invite()).status, 400);
    // Eve chooses it herself.
    const link = textOf(invited.json(), "sign_in", "url").split("/sign-in/")[1] ?? "";
    const entered = await app.call({ method: "POST", path: `/sign-in/${link}`, headers: ownPage(app), body: {} });
    const cookie = String(entered.headers["set-cookie"]).split(";", 1)[0] ?? "";
    const choice = { workspace_id: mallory.workspaceId };
    const chosen = await send(app, "PUT", "/account/session", ownPage(app, cookie), choice);
    assert.equal(chosen.status, 200, chosen.text);
    assert.equal(memberOf(await ofEve(), "email"), email);
    assert.equal((await invite()).status, 201);
  });
});
