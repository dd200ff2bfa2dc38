import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../../foundation/database/index.ts";
import { aSite, type Site } from "../account.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let site: Site;
before(async () => {
  site = await aSite();
});
after(() => site.close());

const owner = () => ({ "x-api-key": site.key });
const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
const statusOf = async (secret: string) => (await site.call({ path: "/account", headers: as(secret) })).status;

async function aKey(name: string) {
  const body = { name, scopes: ["models", "account"] };
  const made = await site.call({ method: "POST", path: "/account/keys", headers: owner(), body });
  return { id: String(made.json()["id"]), secret: String(made.json()["secret"]) };
}

// A key of a member who owns nothing.
async function bosKey() {
  const person = { name: "Bo", email: null, role: "member" } as const;
  const { member } = await site.identity.members.add(site.workspaceId, person, system);
  const request = { workspaceId: site.workspaceId, name: "Bo's", role: "member", expiresAt: null } as const;
  const scopes = ["models", "account"] as const;
  return site.identity.keys.create({ ...request, scopes, createdBy: member.person.id }, system);
}

const rotate = (id: string, body: object, headers: Record<string, string> = owner()) =>
  site.call({ method: "POST", path: `/account/keys/${id}/rotation`, headers, body });

describe("renaming a key", () => {
  const rename = (id: string, name: string, headers: Record<string, string> = owner()) =>
    site.call({ method: "PATCH", path: `/account/keys/${id}`, headers, body: { name } });

  test("200: only its name changes, the key keeps working, and the audit has both names", async () => {
    const { id, secret } = await aKey("CI");
    const answer = await rename(id, "  CI, website  ");
    assert.deepEqual([answer.status, answer.json()["name"]], [200, "CI, website"], answer.text);
    const listed = (await site.call({ path: "/account/keys", headers: owner() })).json()["data"];
    assert.ok(Array.isArray(listed));
    assert.deepEqual(
      listed.find((key) => key.id === id),
      answer.json(),
    );
    assert.equal(await statusOf(secret), 200);
    const entries = await site.db.query<{ before: unknown; after: unknown }>(
      sql`select before, after from audit_entries where action = 'api_key.rename' and subject_id = ${id}`,
    );
    const prefix = String(answer.json()["hint"]);
    assert.deepEqual(entries, [{ before: { name: "CI", prefix }, after: { name: "CI, website", prefix } }]);
  });

  test("400: no name; 403: another's key; 404: an unknown key", async () => {
    const { id } = await aKey("mine");
    for (const name of ["", "two\nlines", "x".repeat(101)]) assert.equal((await rename(id, name)).status, 400, name);
    assert.equal((await rename(id, "theirs", as((await bosKey()).secret))).status, 403);
    assert.equal((await rename("01a1e468-0000-7000-8000-000000000000", "none")).status, 404);
  });
});

describe("rotating a key", () => {
  test("201: the new one has name, reach and caps of the old one, which goes on until the overlap is over", async () => {
    const old = await aKey("CI");
    const caps = { daily_credits_max: null, monthly_credits_max: "25" };
    await site.call({ method: "PUT", path: `/account/keys/${old.id}/caps`, headers: owner(), body: caps });
    const answer = await rotate(old.id, { overlap_seconds: 3_600 });
    assert.equal(answer.status, 201, answer.text);
    const made = answer.json();
    assert.deepEqual([made["name"], made["scopes"], made["expires_at"]], ["CI", ["models", "account"], null]);
    const capsNow = await site.call({ path: `/account/keys/${made["id"]}/caps`, headers: owner() });
    assert.equal(capsNow.json()["monthly_credits_max"], "25");
    const secret = String(made["secret"]);
    assert.deepEqual([await statusOf(old.secret), await statusOf(secret)], [200, 200]);
    await site.clock.advance(3_601_000);
    assert.deepEqual([await statusOf(old.secret), await statusOf(secret)], [401, 200]);
  });

  test("with an overlap of zero the old key ends at once; without one it has a day", async () => {
    const [one, other] = [await aKey("one"), await aKey("other")];
    assert.equal((await rotate(one.id, { overlap_seconds: 0 })).status, 201);
    assert.equal((await rotate(other.id, {})).status, 201);
    assert.deepEqual([await statusOf(one.secret), await statusOf(other.secret)], [401, 200]);
    await site.clock.advance(86_401_000);
    assert.equal(await statusOf(other.secret), 401);
  });

  test("a key that ends sooner anyway is not made to last longer", async () => {
    const request = { workspaceId: site.workspaceId, name: "short", role: "member", scopes: ["models"] } as const;
    const expiresAt = new Date(site.clock.now().getTime() + 60_000);
    const { key, secret } = await site.identity.keys.create({ ...request, expiresAt, createdBy: null }, system);
    assert.equal((await rotate(key.id, { overlap_seconds: 86_400 })).status, 201);
    await site.clock.advance(61_000);
    assert.equal(await statusOf(secret), 401);
  });

  test("400: an overlap too long; 403: another's key; 404: an unknown key; 409: an ended key", async () => {
    const { id } = await aKey("ended");
    assert.equal((await rotate(id, { overlap_seconds: 31 * 86_400 })).status, 400);
    assert.equal((await rotate(id, {}, as((await bosKey()).secret))).status, 403);
    assert.equal((await rotate("01a1e468-0000-7000-8000-000000000000", {})).status, 404);
    await site.call({ method: "DELETE", path: `/account/keys/${id}`, headers: owner() });
    assert.equal((await rotate(id, {})).status, 409);
  });
});
