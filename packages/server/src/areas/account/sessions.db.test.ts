import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { newId, type PersonId } from "../../foundation/ids.ts";
import { aSite, ownPage, type Site } from "./account.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let site: Site;
before(async () => {
  site = await aSite();
});
after(() => site.close());

const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

async function aBrowser(personId: PersonId = site.ownerId) {
  // Later than the previous one, because the list is sorted by time.
  await site.clock.advance(1);
  const cookie = await site.signIn(personId);
  const headers = { cookie, ...ownPage };
  const answer = await site.call({ method: "POST", path: "/account/tokens", headers });
  return { headers, bearer: { authorization: `Bearer ${answer.json()["token"]}` } };
}

async function sessionsOf(headers: Record<string, string>) {
  return listOf((await site.call({ path: "/account/sessions", headers })).json()["data"]);
}

async function aMember(): Promise<PersonId> {
  const request = { name: "Bo", email: null, role: "member" } as const;
  return (await site.identity.members.add(site.workspaceId, request, system)).member.person.id;
}

describe("a person's sessions", () => {
  test("are listed with the one that asks, by cookie and by its token alike", async () => {
    const bo = await aMember();
    const [first, second] = [await aBrowser(bo), await aBrowser(bo)];
    const seen = await sessionsOf(second.headers);
    assert.deepEqual(
      seen.map((one) => [one["is_current"], one["signed_in_by"]]),
      [
        [true, "link"],
        [false, "link"],
      ],
    );
    assert.deepEqual(await sessionsOf(second.bearer), seen);
    const [, own] = await sessionsOf(first.bearer);
    assert.deepEqual([own?.["is_current"], own?.["id"]], [true, seen[1]?.["id"]]);
    const account = (await site.call({ path: "/account", headers: first.bearer })).json();
    const { id, created_at, expires_at } = own ?? {};
    assert.deepEqual([account["session"], account["is_operator"]], [{ id, created_at, expires_at }, false]);
  });

  test("give tokens that live 15 minutes at most, and the next one before", async () => {
    const issuedAt = site.clock.now().getTime();
    const { headers, bearer } = await aBrowser(await aMember());
    const statusWith = async (using: Record<string, string>) =>
      (await site.call({ path: "/account", headers: using, peer: "192.0.2.15" })).status;
    await site.clock.advance(14 * 60_000);
    assert.equal(await statusWith(bearer), 200, "after 14 minutes");
    const next = (await site.call({ method: "POST", path: "/account/tokens", headers })).json();
    assert.ok(Date.parse(String(next["expires_at"])) <= site.clock.now().getTime() + 15 * 60_000);
    await site.clock.advance(issuedAt + 1 + 15 * 60_000 - site.clock.now().getTime());
    assert.equal(await statusWith(bearer), 401, "after 15 minutes");
    assert.equal(await statusWith({ authorization: `Bearer ${next["token"]}` }), 200, "the one that followed it");
    assert.equal(await statusWith(headers), 200, "the session itself goes on");
    await site.clock.advance(14 * 60_000);
    assert.equal(await statusWith({ authorization: `Bearer ${next["token"]}` }), 401);
  });

  test("say which browser it is, and never hold more of it than fits", async () => {
    const bo = await aMember();
    const { token } = await site.identity.signIn.createLink(bo, system);
    const headers = {
      ...ownPage,
      "user-agent": `Browser\u0007 ${"x".repeat(1000)}`,
      "content-type": "application/json",
    };
    const entered = await site.call({ method: "POST", path: `/sign-in/${token}`, headers, body: {} });
    assert.equal(entered.status, 204);
    const cookie = String(entered.headers["set-cookie"]).split(";")[0] ?? "";
    const [session] = await sessionsOf({ cookie });
    assert.equal(session?.["address"], "192.0.2.1");
    assert.match(String(session?.["user_agent"]), /^Browser x{392}$/);
  });

  test("end one by one, and the tokens made from them end at once; the own one clears the cookie", async () => {
    const bo = await aMember();
    const [gone, kept] = [await aBrowser(bo), await aBrowser(bo)];
    const [own, other] = await sessionsOf(kept.headers);
    const end = (id: unknown) =>
      site.call({ method: "DELETE", path: `/account/sessions/${id}`, headers: kept.headers });
    const ended = await end(other?.["id"]);
    assert.deepEqual([ended.status, ended.headers["set-cookie"]], [204, undefined]);
    assert.equal((await site.call({ path: "/account", headers: gone.bearer })).status, 401);
    assert.equal((await site.call({ path: "/account", headers: gone.headers })).status, 401);
    assert.equal((await end(other?.["id"])).status, 404);
    assert.match(String((await end(own?.["id"])).headers["set-cookie"]), /^atelier_session=; .*Max-Age=0$/);
    assert.equal((await site.call({ path: "/account", headers: kept.bearer })).status, 401);
  });

  test("all others end at once; a token leads no browser to another workspace", async () => {
    const bo = await aMember();
    const [one, two, kept] = [await aBrowser(bo), await aBrowser(bo), await aBrowser(bo)];
    const ended = await site.call({ method: "DELETE", path: "/account/sessions", headers: kept.bearer });
    assert.deepEqual([ended.status, ended.json()], [200, { ended: 2 }]);
    for (const { bearer } of [one, two])
      assert.equal((await site.call({ path: "/account", headers: bearer })).status, 401);
    assert.equal((await sessionsOf(kept.bearer)).length, 1);
    const own = await site.identity.workspaces.create({ name: "Own", ownerId: bo }, system);
    const choose = (headers: Record<string, string>, workspace_id: string) =>
      site.call({ method: "PUT", path: "/account/session", headers, body: { workspace_id } });
    assert.equal((await choose(kept.bearer, own.id)).status, 403);
    assert.equal((await choose(kept.headers, newId())).status, 404);
    const chosen = await choose(kept.headers, own.id);
    assert.deepEqual([chosen.status, chosen.json()["id"], chosen.json()["role"]], [200, own.id, "owner"]);
    const { workspace } = (await site.call({ path: "/account", headers: kept.headers })).json();
    assert.equal(Object(workspace)["id"], own.id);
  });

  test("are not open to keys, and another person's is the same 404 as an unknown one", async () => {
    const [mine, theirs] = [await aBrowser(await aMember()), await aBrowser(await aMember())];
    const key = { "x-api-key": site.key };
    assert.equal((await site.call({ path: "/account/sessions", headers: key })).status, 403);
    assert.equal((await site.call({ method: "DELETE", path: "/account/sessions", headers: key })).status, 403);
    const [foreign] = await sessionsOf(theirs.headers);
    const answers = await Promise.all(
      [foreign?.["id"], newId(), "nonsense"].map((id) =>
        site.call({ method: "DELETE", path: `/account/sessions/${id}`, headers: mine.headers }),
      ),
    );
    assert.deepEqual(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assert.equal((await site.call({ path: "/account", headers: theirs.headers })).status, 200);
  });
});

describe("a sign-in link for a program of ours", () => {
  const json = { accept: "application/json" };

  test("says who would sign in, is used up by our own page only, and then reports the outcome", async () => {
    const { token, expiresAt } = await site.identity.signIn.createLink(site.ownerId, system);
    const path = `/sign-in/${token}`;
    const look = await site.call({ path, headers: json });
    assert.deepEqual(look.json(), { person: { name: "Owner" }, expires_at: expiresAt.toISOString() });
    assert.equal(look.headers["cache-control"], "no-store");
    const post = (headers: Record<string, string>) => site.call({ method: "POST", path, headers, body: {} });
    assert.equal((await post(json)).status, 403);
    assert.equal((await post({ origin: "https://evil.example" })).status, 403);
    const entered = await post(ownPage);
    assert.equal(entered.status, 204);
    assert.match(String(entered.headers["set-cookie"]), /^atelier_session=[\w-]{43}; .*SameSite=Strict/);
    const again = await post(ownPage);
    assert.deepEqual([again.status, again.json()["details"]], [404, { link: "used" }]);
  });

  test("distinguishes an expired link from an unknown one", async () => {
    const { token } = await site.identity.signIn.createLink(site.ownerId, system);
    await site.clock.advance(10 * 60_000);
    for (const [text, link] of [
      [token, "expired"],
      ["never-made", "unknown"],
    ]) {
      const answer = await site.call({ path: `/sign-in/${text}`, headers: json, peer: "192.0.2.9" });
      assert.deepEqual([answer.status, answer.json()["details"]], [404, { link }]);
    }
  });

  test("a browser signs out with JSON too, from our own page only", async () => {
    const { headers } = await aBrowser(await aMember());
    const out = (using: Record<string, string>) =>
      site.call({ method: "POST", path: "/profile/sign-out", headers: using, body: {} });
    assert.equal((await out({ cookie: headers.cookie })).status, 403);
    const done = await out(headers);
    assert.deepEqual([done.status, /Max-Age=0/.test(String(done.headers["set-cookie"]))], [204, true]);
    assert.equal((await site.call({ path: "/account", headers })).status, 401);
  });
});
