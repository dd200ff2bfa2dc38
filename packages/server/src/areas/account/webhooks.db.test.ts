// The webhook routes. Deliveries go to a port of this machine without a listener, and the sender does not run.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "../../foundation/database/sql.ts";
import { newId } from "../../foundation/ids.ts";
import { aSite, type Site } from "./account.fixture.ts";

const url = "http://127.0.0.1:9/hook";
let site: Site;
before(async () => {
  site = await aSite();
});
after(() => site.close());

const owner = () => ({ "x-api-key": site.key });
const post = (path: string, body?: object, headers = owner()) =>
  site.call({ method: "POST", path, headers, ...(body === undefined ? {} : { body }) });
const listOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value : []);

async function memberKey(scopes: readonly ("models" | "account")[]) {
  const request = {
    workspaceId: site.workspaceId,
    name: "Key",
    role: "member",
    scopes,
    expiresAt: null,
    createdBy: null,
  };
  const made = await site.identity.keys.create({ ...request, role: "member" }, { actor: { kind: "system", id: null } });
  return { "x-api-key": made.secret };
}

describe("a test event", () => {
  test("is accepted, appears in the log, and can be read with its body", async () => {
    const sent = await post("/account/webhooks/test", { url });
    assert.equal(sent.status, 202);
    const { id } = sent.json();
    const read = await site.call({ path: `/account/webhooks/deliveries/${id}`, headers: owner() });
    assert.deepEqual([read.status, read.json()["status"], read.json()["attempts"]], [200, "pending", 0]);
    assert.deepEqual(read.json()["attempt_log"], []);
    assert.equal(JSON.parse(String(read.json()["body"])).type, "webhook.test");
    const list = await site.call({ path: "/account/webhooks/deliveries?status=pending", headers: owner() });
    assert.ok(listOf(list.json()["data"]).some((delivery) => delivery["id"] === id));
  });

  test("to a forbidden address is 400, names the field and stores nothing", async () => {
    const before = (await site.call({ path: "/account/webhooks/deliveries", headers: owner() })).text;
    const refused = ["https://10.0.0.1", "http://example.com", "https://localhost/a", "https://a@example.com", "x", ""];
    for (const bad of [...refused, "http://127.0.0.1:10/hook", `https://example.com/${"a".repeat(3000)}`]) {
      const answer = await post("/account/webhooks/test", { url: bad });
      assert.equal(answer.status, 400, bad);
      assert.match(answer.text, /url/);
    }
    assert.equal((await post("/account/webhooks/test", {})).status, 400);
    assert.equal((await site.call({ path: "/account/webhooks/deliveries", headers: owner() })).text, before);
  });
});

describe("the log", () => {
  test("is narrowed by kind and by receiver, and its cursor belongs to that", async () => {
    for (let index = 0; index < 2; index++) await post("/account/webhooks/test", { url });
    const ask = (query: string) => site.call({ path: `/account/webhooks/deliveries?${query}`, headers: owner() });
    const count = async (query: string) => listOf((await ask(query)).json()["data"]).length;
    assert.ok((await count("type=webhook.test&receiver=http://127.0.0.1:9")) >= 2);
    assert.equal(await count("type=job.succeeded"), 0);
    assert.equal(await count("receiver=https://127.0.0.1:9"), 0);
    assert.equal(await count("receiver=127.0.0.1"), 0);
    const { next_cursor } = (await ask("type=webhook.test&limit=1")).json();
    assert.equal((await ask(`type=webhook.test&limit=1&cursor=${next_cursor}`)).status, 200);
    assert.equal((await ask(`limit=1&cursor=${next_cursor}`)).status, 400);
    for (const bad of ["type=", "receiver=%00", `type=${"a".repeat(256)}`])
      assert.equal((await ask(bad)).status, 400, bad);
  });

  test("is walked in pages, and a cursor counts only for the list it came from", async () => {
    for (let index = 0; index < 3; index++) await post("/account/webhooks/test", { url });
    const page = await site.call({ path: "/account/webhooks/deliveries?limit=2", headers: owner() });
    const { next_cursor, has_more } = page.json();
    assert.equal(has_more, true);
    const next = (query: string) => site.call({ path: `/account/webhooks/deliveries?${query}`, headers: owner() });
    const second = await next(`limit=2&cursor=${next_cursor}`);
    assert.equal(second.status, 200);
    const ids = [page, second].flatMap((answer) => listOf(answer.json()["data"]).map((delivery) => delivery["id"]));
    assert.equal(new Set(ids).size, ids.length);
    assert.equal((await next(`limit=2&status=dead&cursor=${next_cursor}`)).status, 400);
    assert.equal((await next("cursor=mine")).status, 400);
    assert.equal((await next("status=lost")).status, 400);
  });

  test("a malformed, unknown or foreign id is the same 404", async () => {
    const stranger = newId<"person">();
    await site.db.execute(sql`insert into people (id, name, created_at) values (${stranger}, 'Eve', now())`);
    const system = { actor: { kind: "system", id: null } } as const;
    const elsewhere = await site.identity.workspaces.create({ name: "Other", ownerId: stranger }, system);
    const request = { name: "K", role: "owner", scopes: ["account"], expiresAt: null, createdBy: null } as const;
    const foreign = await site.identity.keys.create({ ...request, workspaceId: elsewhere.id }, system);
    const { id } = (await post("/account/webhooks/test", { url }, { "x-api-key": foreign.secret })).json();
    for (const end of ["", "/redeliver"]) {
      const answers = await Promise.all(
        ["nonsense", newId(), String(id)].map((each) =>
          site.call({
            method: end === "" ? "GET" : "POST",
            path: `/account/webhooks/deliveries/${each}${end}`,
            headers: owner(),
          }),
        ),
      );
      assert.deepEqual([answers[0]?.status, new Set(answers.map(({ text }) => text)).size], [404, 1]);
    }
  });

  test("a delivery is sent again by hand: accepted, pending", async () => {
    const { id } = (await post("/account/webhooks/test", { url })).json();
    const again = await post(`/account/webhooks/deliveries/${id}/redeliver`);
    assert.deepEqual([again.status, again.json()["status"], again.json()["id"]], [202, "pending", id]);
  });
});

describe("secrets", () => {
  test("one is shown when it is made and never again; the rotation is in the audit, without it", async () => {
    const made = await post("/account/webhooks/secrets", {});
    assert.deepEqual([made.status, made.headers["cache-control"]], [201, "no-store"]);
    const { id, secret } = made.json();
    assert.match(String(secret), /^whsec_[A-Za-z0-9+/]{43}=$/);
    const again = await post("/account/webhooks/secrets", { overlap_seconds: 60 });
    const list = await site.call({ path: "/account/webhooks/secrets", headers: owner() });
    assert.ok(!list.text.includes(String(secret)) && !list.text.includes(String(again.json()["secret"])));
    const old = listOf(list.json()["data"]).find((each) => each["id"] === id);
    assert.equal(old?.["signs_until"], new Date(site.clock.now().getTime() + 60_000).toISOString());
    const entries = await site.db.query<{ text: string }>(
      sql`select to_jsonb(a)::text as text from audit_entries a where action = 'webhook_secret.rotate'`,
    );
    assert.equal(entries.length, 2);
    for (const { text } of entries) assert.ok(!text.includes(String(secret).slice(6)));
  });

  test("are an owner's to make, and an overlap beyond a week is refused", async () => {
    const headers = await memberKey(["account"]);
    assert.equal((await post("/account/webhooks/secrets", {}, headers)).status, 403);
    assert.equal((await site.call({ path: "/account/webhooks/secrets", headers })).status, 200);
    for (const overlap_seconds of [-1, 604_801, 0.5, "1"])
      assert.equal((await post("/account/webhooks/secrets", { overlap_seconds })).status, 400);
  });
});

test("without the scope account all of it is refused", async () => {
  const headers = await memberKey(["models"]);
  for (const path of ["deliveries", `deliveries/${newId()}`, "receivers", "secrets"])
    assert.equal((await site.call({ path: `/account/webhooks/${path}`, headers })).status, 403, path);
  for (const path of ["secrets", "test", `deliveries/${newId()}/redeliver`])
    assert.equal((await post(`/account/webhooks/${path}`, { url }, headers)).status, 403, path);
  assert.deepEqual((await site.call({ path: "/account/webhooks/receivers", headers: owner() })).json(), { data: [] });
});
