// Usage, credits and caps over HTTP, checked against the contract.
import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { type OperationId, operations } from "@atelier/contract";
import { request } from "undici";
import { serveAreas } from "../../../test/support/small-server.ts";
import { createCredits } from "../../capabilities/calls/index.ts";
import { sql } from "../../foundation/database/sql.ts";
import type { RunningServer } from "../../foundation/http/serve.ts";
import { newId, trustedId, type WorkspaceId } from "../../foundation/ids.ts";
import { compileSchema } from "../../foundation/json/schema.ts";
import { aSite, type Site } from "./account.fixture.ts";

const system = { actor: { kind: "system", id: null } } as const;
let site: Site;
let server: RunningServer;
before(async () => {
  site = await aSite();
  server = await serveAreas(site.areas);
});
after(async () => {
  await server.stop(1);
  await site.close();
});
beforeEach(() => site.db.execute(sql`delete from usage`));

interface Sent {
  readonly key?: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

async function call(id: OperationId, sent: Sent = {}) {
  const operation = operations[id];
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => sent.params?.[name] ?? "");
  const answered = await request(`http://127.0.0.1:${server.port}${path}${sent.query ?? ""}`, {
    method: operation.method,
    headers: {
      "x-api-key": sent.key ?? site.key,
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  const text = await answered.body.text();
  const shape = Object.entries(operation.answers).find(([status]) => Number(status) === answered.statusCode)?.[1];
  assert.ok(shape, `${id} answers ${answered.statusCode}, which the contract does not know: ${text}`);
  const isJson = String(answered.headers["content-type"]).startsWith("application/json");
  const body: unknown = isJson ? JSON.parse(text) : {};
  if (isJson && "schema" in shape) assert.deepEqual(compileSchema(shape.schema).violations(body), [], text);
  return {
    status: answered.statusCode,
    headers: answered.headers,
    text,
    body: Object.fromEntries(Object.entries(Object(body))),
  };
}

const dataOf = (answered: { body: Record<string, unknown> }): Record<string, unknown>[] => {
  const data = answered.body["data"];
  return Array.isArray(data) ? data : [];
};

async function use(workspaceId: WorkspaceId, count: number, changes: { subject?: string; day?: string } = {}) {
  const { subject = "model:sandbox/image-1", day = "2026-01-10" } = changes;
  await site.db.execute(sql`
    insert into usage (id, workspace_id, subject, outcome, status, credits, is_replay, at, total_ms, provider_ms)
    select gen_random_uuid(), ${workspaceId}, ${subject}, 'succeeded', 200, 250000, false,
           ${`${day}T00:00:00Z`}::timestamptz + n * interval '1 second', 10, 9
    from generate_series(1, ${count}::int) n`);
}

async function aNeighbour() {
  const personId = newId<"person">();
  await site.db.execute(sql`insert into people (id, name, created_at) values (${personId}, 'Eve', now())`);
  const { id } = await site.identity.workspaces.create({ name: "Other", ownerId: personId }, system);
  const request = {
    name: "k",
    role: "owner",
    scopes: ["account", "models"],
    expiresAt: null,
    createdBy: null,
  } as const;
  const { key, secret } = await site.identity.keys.create({ ...request, workspaceId: id }, system);
  return { workspaceId: id, key: secret, keyId: key.id };
}

async function aKey(role: "owner" | "member", scopes: readonly ("account" | "models")[]) {
  const request = { workspaceId: site.workspaceId, name: "k", role, scopes, expiresAt: null, createdBy: null };
  const { key, secret } = await site.identity.keys.create(request, system);
  return { id: key.id, secret };
}

describe("usage", () => {
  test("is walked by cursor, and a cursor of other filters, another workspace or nobody is refused", async () => {
    await use(site.workspaceId, 45);
    const seen = new Set<unknown>();
    let query = "?limit=20&outcome=succeeded";
    for (const expected of [20, 20, 5]) {
      const page = await call("listUsage", { query });
      assert.equal(dataOf(page).length, expected);
      for (const row of dataOf(page)) seen.add(row["id"]);
      assert.equal(page.body["has_more"], expected === 20);
      query = `?limit=20&outcome=succeeded&cursor=${page.body["next_cursor"]}`;
    }
    assert.equal(seen.size, 45);
    const { body } = await call("listUsage", { query: "?limit=20" });
    const cursor = String(body["next_cursor"]);
    const neighbour = await aNeighbour();
    for (const [sent, what] of [
      [{ query: `?cursor=${cursor}&outcome=x` }, "other filters"],
      [{ query: `?cursor=${cursor}`, key: neighbour.key }, "another workspace"],
      [{ query: "?cursor=v1.abc.def" }, "nobody's"],
    ] as const) {
      assert.equal((await call("listUsage", sent)).status, 400, what);
    }
    assert.equal((await call("listUsage", { query: `?cursor=${cursor}` })).status, 200);
  });

  test("a page is clamped at 100 and defaults to 20; every bad parameter is named", async () => {
    await use(site.workspaceId, 120);
    assert.equal(dataOf(await call("listUsage", { query: "?limit=1000" })).length, 100);
    assert.equal(dataOf(await call("listUsage")).length, 20);
    const bad = await call("listUsage", { query: "?limit=x&from=yesterday&replayed=maybe&api_key_id=7&to=1&to=2" });
    assert.equal(bad.status, 400);
    for (const name of ["limit", "from", "replayed", "api_key_id", "to"]) assert.match(bad.text, new RegExp(name));
  });

  test("is summed by the day and by subject, and the total equals the days", async () => {
    await use(site.workspaceId, 3);
    await use(site.workspaceId, 2, { subject: "partner:upscale" });
    await use(site.workspaceId, 1, { day: "2026-01-12" });
    const days = await call("sumUsage", { query: "?from=2026-01-10&to=2026-01-12" });
    assert.deepEqual(dataOf(days), [
      { day: "2026-01-12", calls: 1, failures: 0, replays: 0, credits: "0.25" },
      { day: "2026-01-10", calls: 5, failures: 0, replays: 0, credits: "1.25" },
    ]);
    assert.deepEqual(days.body["total"], { calls: 6, failures: 0, replays: 0, credits: "1.5" });
    const bySubject = await call("sumUsage", { query: "?from=2026-01-10&to=2026-01-10&by=subject" });
    assert.deepEqual(
      dataOf(bySubject).map(({ subject, credits }) => [subject, credits]),
      [
        ["model:sandbox/image-1", "0.75"],
        ["partner:upscale", "0.5"],
      ],
    );
    for (const query of [
      "?from=2025-01-01&to=2026-02-05",
      "?from=2026-01-02&to=2026-01-01",
      "?to=2026-02-31",
      "?by=key",
    ]) {
      assert.equal((await call("sumUsage", { query })).status, 400, query);
    }
    assert.equal((await call("sumUsage", { query: "?from=2025-01-01&to=2026-02-04" })).status, 200, "400 days");
  });

  test("is exported whole, over many pages, as CSV and as JSON lines; HEAD has the headers and no body", async () => {
    await use(site.workspaceId, 2_500);
    await use(site.workspaceId, 1, { subject: '=HYPERLINK("http://127.0.0.1")', day: "2026-01-11" });
    const csv = await call("exportUsage");
    const lines = csv.text.split("\r\n");
    assert.equal(lines.length, 2_501 + 2);
    assert.ok(lines[0]?.startsWith("id,at,request_id"));
    assert.match(lines[1] ?? "", /,"'=HYPERLINK\(""http:\/\/127\.0\.0\.1""\)",/);
    assert.equal(csv.headers["content-disposition"], 'attachment; filename="usage.csv"');
    const jsonl = await call("exportUsage", { query: "?format=jsonl&to=2026-01-11T00:00:00Z" });
    const rows = jsonl.text.trimEnd().split("\n");
    assert.equal(rows.length, 2_500);
    assert.match(String(jsonl.headers["content-type"]), /^application\/x-ndjson/);
    assert.equal(JSON.parse(rows[0] ?? "")["credits"], "0.25");
    assert.equal((await call("exportUsage", { query: "?format=xml" })).status, 400);
    const none = await call("exportUsage", { query: "?format=jsonl&subject=nothing" });
    assert.deepEqual([none.status, none.text], [200, ""]);
    const head = await request(`http://127.0.0.1:${server.port}/account/usage/export`, {
      method: "HEAD",
      headers: { "x-api-key": site.key },
    });
    assert.deepEqual([head.statusCode, await head.body.text()], [200, ""]);
  });

  test("of another workspace is never shown", async () => {
    const neighbour = await aNeighbour();
    await use(neighbour.workspaceId, 3);
    assert.deepEqual(dataOf(await call("listUsage")), []);
    assert.deepEqual(dataOf(await call("sumUsage", { query: "?from=2026-01-01&to=2026-01-31" })), []);
    assert.equal((await call("exportUsage", { query: "?format=jsonl" })).text, "");
    assert.equal(dataOf(await call("listUsage", { key: neighbour.key })).length, 3);
  });
});

describe("credits", () => {
  test("show the balance and the lines behind it; a neighbour sees neither", async () => {
    const credits = createCredits({ database: site.db, audit: { append: async () => undefined } });
    const transactionId = trustedId<"credit-transaction">(newId());
    await credits.topUp({ transactionId, workspaceId: site.workspaceId, amount: 2_500_000n }, system);
    assert.deepEqual((await call("getCredits")).body, { available: "2.5", held: "0", in_flight: 0 });
    const [line] = dataOf(await call("listCreditLines"));
    assert.deepEqual([line?.["kind"], line?.["amount"], line?.["change"]], ["fund", "2.5", "2.5"]);
    const query = `?transaction_id=${transactionId}`;
    assert.equal(dataOf(await call("listCreditLines", { query })).length, 1);
    const { key } = await aNeighbour();
    assert.deepEqual((await call("getCredits", { key })).body, { available: "0", held: "0", in_flight: 0 });
    for (const asked of ["", query]) assert.deepEqual(dataOf(await call("listCreditLines", { key, query: asked })), []);
    for (const bad of ["?cursor=nobody", "?transaction_id=7", "?limit=x"]) {
      assert.equal((await call("listCreditLines", { query: bad })).status, 400, bad);
    }
  });
});

describe("caps of a key", () => {
  const caps = (daily: unknown, monthly: unknown) => ({ daily_credits_max: daily, monthly_credits_max: monthly });

  test("are set by an owner, shown with the spending, audited, and removed again", async () => {
    const { id } = await aKey("member", ["models"]);
    const params = { keyId: id };
    const set = await call("setKeyCaps", { params, body: caps("10.5", null) });
    assert.deepEqual(set.body, {
      key_id: id,
      ...caps("10.5", null),
      spent_today: "0",
      spent_this_month: "0",
      held: "0",
    });
    assert.deepEqual((await call("getKeyCaps", { params })).body, set.body);
    const gone = await call("setKeyCaps", { params, body: caps(null, null) });
    assert.equal(gone.body["daily_credits_max"], null);
    const rows = await site.db.query(sql`select action from audit_entries where subject_id = ${id} order by id`);
    assert.deepEqual(rows, [{ action: "api_key.create" }, { action: "api_key.cap" }, { action: "api_key.cap" }]);
  });

  test("are refused from members, with bad input, and for foreign keys", async () => {
    const { id } = await aKey("member", ["models"]);
    const member = await aKey("member", ["account"]);
    assert.equal(
      (await call("setKeyCaps", { key: member.secret, params: { keyId: id }, body: caps("1", null) })).status,
      403,
    );
    for (const body of [caps("-1", null), caps(1, null), caps("1.0000001", null), {}, caps("9".repeat(20), null)]) {
      assert.equal((await call("setKeyCaps", { params: { keyId: id }, body })).status, 400, JSON.stringify(body));
    }
    const neighbour = await aNeighbour();
    const texts = new Set<string>();
    for (const keyId of [neighbour.keyId, newId(), "nonsense"]) {
      for (const operation of ["getKeyCaps", "setKeyCaps"] as const) {
        const sent = operation === "setKeyCaps" ? { body: caps("1", null) } : {};
        const answered = await call(operation, { params: { keyId }, ...sent });
        assert.equal(answered.status, 404);
        texts.add(answered.text);
      }
    }
    assert.equal(texts.size, 1, "foreign, absent and impossible keys answer the same");
  });
});

test("a key without the scope account sees none of it", async () => {
  const { id, secret: key } = await aKey("owner", ["models"]);
  const operationIds = ["listUsage", "sumUsage", "exportUsage", "getCredits", "listCreditLines", "getKeyCaps"] as const;
  for (const operation of operationIds) {
    assert.equal((await call(operation, { key, params: { keyId: id } })).status, 403, operation);
  }
});
