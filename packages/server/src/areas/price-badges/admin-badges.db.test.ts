// The operators' operations from the route inwards, on a real database with the real proof and audit.
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { after, before, beforeEach, describe, test } from "node:test";
import {
  type BadgeRow as BadgeRowBody,
  BadgeRowPage,
  BadgeRow as BadgeRowSchema,
  type operations,
  TriedBadge,
} from "@atelier/contract";
import { type TestDatabase, testDatabase } from "../../../test/support/test-database.ts";
import { createAudit } from "../../capabilities/audit/index.ts";
import { type BadgeProof, badgeProof } from "../../capabilities/badge-proof/index.ts";
import { createCursors } from "../../foundation/cursor.ts";
import { sql } from "../../foundation/database/sql.ts";
import { Fault } from "../../foundation/fault.ts";
import type { FaultCode } from "../../foundation/fault-codes.ts";
import { handClock } from "../../foundation/hand-clock.fixture.ts";
import type { Area } from "../../foundation/http/area.ts";
import { newRequestId } from "../../foundation/ids.ts";
import { requireValid } from "../../foundation/json/schema.ts";
import { silentLog } from "../../foundation/log.ts";
import { priceBadgesAdmin } from "./areas.ts";
import { type BadgeMaps, createBadgeMaps } from "./badge-maps.ts";

const badge = {
  engine: "jsonata",
  depends_on: { widgets: [], inputs: [], input_groups: [] },
  expr: '{"type": "usd", "usd": 0.11}',
};
const input = { node_id: "ANode", platforms: ["cloud", "local"], from_version: "1.0.0", badge };

describe("operators write badges", () => {
  let database: TestDatabase;
  let proof: BadgeProof;
  let maps: BadgeMaps;
  let area: Area;
  const clock = handClock();

  before(async () => {
    database = await testDatabase();
    proof = badgeProof({ creditsPerUsd: 211 });
    maps = createBadgeMaps({ database, cacheControl: "public" });
    await maps.start();
    area = priceBadgesAdmin({
      database,
      proof,
      maps,
      clock,
      log: silentLog,
      audit: createAudit({ database }),
      cursors: createCursors({ secrets: [Buffer.alloc(32, 1)], clock }),
      authenticate: () => "the operator",
      actorOf: (caller: string) => ({ kind: "admin", id: null, name: caller }),
    });
  });
  after(async () => {
    await proof.close();
    await database.close();
  });
  beforeEach(async () => {
    await database.execute(sql`delete from price_badge_rows`);
    await maps.refresh();
  });

  async function call(
    operation: keyof typeof operations,
    request: { id?: string; query?: string; body?: unknown } = {},
  ): Promise<{ status: number; body: unknown }> {
    const route = area.routes.find((one) => one.operation.id === operation);
    assert.ok(route);
    const bytes = Buffer.from(request.body === undefined ? "" : JSON.stringify(request.body));
    const answer = await route.handle({
      requestId: newRequestId(),
      method: route.operation.method,
      path: route.operation.path,
      queryText: request.query ?? "",
      headers: {},
      rawHeaders: [],
      peer: "127.0.0.1",
      caller: "the operator",
      params: { badgeRowId: request.id ?? "" },
      query: new URLSearchParams(request.query ?? ""),
      signal: new AbortController().signal,
      waitSignal: new AbortController().signal,
      bytes: async () => bytes,
      json: async () => JSON.parse(bytes.toString()),
      stream: Readable.from([]),
      waitsForOthers: () => undefined,
    });
    assert.ok("status" in answer);
    return { status: answer.status, body: typeof answer.body === "string" ? JSON.parse(answer.body) : null };
  }

  async function create(change: object = {}): Promise<BadgeRowBody> {
    const { status, body } = await call("createBadgeRow", { body: { ...input, ...change } });
    assert.equal(status, 201);
    return requireValid(BadgeRowSchema, body);
  }

  async function refused(code: FaultCode, promise: Promise<unknown>): Promise<Fault> {
    const outcome = await promise.then(
      () => assert.fail("it was accepted"),
      (thrown: unknown) => thrown,
    );
    assert.ok(outcome instanceof Fault, String(outcome));
    assert.equal(outcome.code, code, outcome.message);
    return outcome;
  }

  const served = () => {
    const { body } = maps.current().find([1, 2, 3], "local").identity.full;
    return Object.keys(JSON.parse(Buffer.from(body instanceof Uint8Array ? body : "").toString()));
  };
  const auditOf = (id: string) =>
    database.query<{ action: string; actor_name: string; before: unknown; after: unknown }>(
      sql`select action, actor_name, before, after from audit_entries where subject_id = ${id} order by at, id`,
    );
  const stored = async () => (await database.query<object>(sql`select id from price_badge_rows`)).length;

  test("a stored badge is served by this process at once, and audited", async () => {
    const row = await create();
    assert.deepEqual(served(), ["ANode"]);
    assert.equal(row.until_version, null);
    const [entry] = await auditOf(row.id);
    assert.equal(entry?.action, "badge.create");
    assert.equal(entry?.actor_name, "the operator");
    assert.deepEqual(entry?.after, {
      node_id: "ANode",
      platforms: ["cloud", "local"],
      from_version: "1.0.0",
      until_version: null,
      ended: false,
      badge,
    });
  });

  test("a broken badge is refused with code, position and reason, and nothing is stored", async () => {
    const fault = await refused("invalid_request", create({ badge: { ...badge, expr: '{"type": "usd" "usd": 1}' } }));
    assert.match(fault.message, /S0202 \(at 20\)/);
    assert.deepEqual(fault.details, {
      findings: [
        { severity: "error", code: "S0202", message: 'Expected "}", got "usd".', position: 20, token: "usd" },
      ].map((finding) => ({ ...finding, message: findingMessage(fault) })),
    });
    assert.equal(await stored(), 0);
    await refused("invalid_request", create({ node_id: "__proto__" }));
    await refused("invalid_request", create({ badge: null }));
    await refused("invalid_request", call("createBadgeRow", { body: [] }));
    assert.equal(await stored(), 0);
  });

  test("an overlap is a conflict that names the row in the way", async () => {
    const row = await create({ until_version: "2.0.0" });
    const fault = await refused("conflict", create({ from_version: "1.9.9", platforms: ["local"] }));
    assert.ok(fault.message.includes(row.id));
    assert.deepEqual(fault.details, { rows: [{ id: row.id, range: "1.0.0 to 2.0.0 on cloud and local" }] });
    await create({ from_version: "2.0.0" });
    assert.equal(await stored(), 2);
  });

  test("of many who create the same badge at once exactly one wins; the others get its conflict", async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 6 }, (_, at) => create({ from_version: `1.0.${at}` })),
    );
    const lost = outcomes.filter((outcome) => outcome.status === "rejected");
    assert.equal(lost.length, 5);
    for (const { reason } of lost) assert.ok(reason instanceof Fault && reason.code === "conflict", String(reason));
    assert.equal(await stored(), 1);
  });

  test("a badge that is replaced keeps its id and may move within its own range", async () => {
    const row = await create();
    const changed = { ...input, from_version: "1.1.0", badge: { ...badge, expr: '{"type": "text", "text": "Free"}' } };
    const { status, body } = await call("replaceBadgeRow", { id: row.id, body: changed });
    assert.equal(status, 200);
    const after = requireValid(BadgeRowSchema, body);
    assert.equal(after.id, row.id);
    assert.equal(after.badge.expr, changed.badge.expr);
    assert.deepEqual(
      (await auditOf(row.id)).map(({ action }) => action),
      ["badge.create", "badge.replace"],
    );
  });

  test("a badge ends at a version for newer clients only", async () => {
    const row = await create();
    const { body } = await call("endBadgeRow", { id: row.id, body: { until_version: "1.2.3" } });
    assert.equal(requireValid(BadgeRowSchema, body).until_version, "1.2.3");
    assert.deepEqual(served(), []);
    await refused("invalid_request", call("endBadgeRow", { id: row.id, body: { until_version: "1.0.0" } }));
    await refused("invalid_request", call("endBadgeRow", { id: row.id, body: { until_version: "soon" } }));
    await refused("conflict", call("endBadgeRow", { id: row.id, body: { until_version: "1.5.0" } }));
  });

  test("a badge that ends at once is gone for everybody, stays for the record, and makes room", async () => {
    const row = await create();
    const { body } = await call("endBadgeRow", { id: row.id });
    assert.equal(requireValid(BadgeRowSchema, body).ended, true);
    assert.deepEqual(served(), []);
    assert.deepEqual((await call("endBadgeRow", { id: row.id })).body, body);
    assert.equal((await auditOf(row.id)).length, 2);
    await refused("conflict", call("replaceBadgeRow", { id: row.id, body: input }));
    await refused("conflict", call("endBadgeRow", { id: row.id, body: { until_version: "1.5.0" } }));
    await create();
    assert.deepEqual(served(), ["ANode"]);
  });

  test("a deleted badge is gone, and the audit remembers it", async () => {
    const row = await create();
    assert.equal((await call("deleteBadgeRow", { id: row.id })).status, 204);
    assert.deepEqual(served(), []);
    assert.equal((await auditOf(row.id)).at(-1)?.action, "badge.delete");
  });

  test("an id that names nothing is 404, whatever its shape and before its body is looked at", async () => {
    for (const id of ["00000000-0000-7000-8000-000000000000", "nonsense", ""]) {
      await refused("not_found", call("replaceBadgeRow", { id, body: {} }));
      await refused("not_found", call("endBadgeRow", { id }));
      await refused("not_found", call("deleteBadgeRow", { id }));
    }
  });

  test("the list is filtered and walked by cursor; a cursor of other filters is refused", async () => {
    for (const node_id of ["C", "A", "B"]) await create({ node_id });
    await call("endBadgeRow", { id: (await create({ node_id: "D", platforms: ["cloud"] })).id });
    const list = async (query: string) => requireValid(BadgeRowPage, (await call("listBadgeRows", { query })).body);
    const nodes = ({ data }: BadgeRowPage) => data.map(({ node_id }) => node_id);
    assert.deepEqual(nodes(await list("")), ["A", "B", "C", "D"]);
    assert.deepEqual(nodes(await list("ended=false")), ["A", "B", "C"]);
    assert.deepEqual(nodes(await list("ended=true&platform=cloud")), ["D"]);
    assert.deepEqual(nodes(await list("node_id=B")), ["B"]);
    assert.equal((await list("limit=1000")).limit, 100);
    const first = await list("limit=3");
    assert.deepEqual([nodes(first), first.has_more], [["A", "B", "C"], true]);
    const second = await list(`limit=3&cursor=${first.next_cursor}`);
    assert.deepEqual([nodes(second), second.has_more, second.next_cursor], [["D"], false, undefined]);
    await refused("invalid_request", list(`ended=true&cursor=${first.next_cursor}`));
    await refused("invalid_request", list("cursor=x"));
    await refused("invalid_request", list("platform=moon"));
    await refused("invalid_request", list("ended=maybe"));
    await refused("invalid_request", list("limit=ten"));
  });

  test("a dry run shows the prices and stores nothing", async () => {
    const expr = '{"type": "usd", "usd": widgets.mode = "fine" ? 0.45 : 0.11}';
    const tried = { ...badge, depends_on: { ...badge.depends_on, widgets: [{ name: "mode", type: "COMBO" }] }, expr };
    const { body } = await call("tryBadge", { body: { badge: tried, probes: [{ widgets: { mode: "FAST" } }] } });
    const { accepted, findings, samples } = requireValid(TriedBadge, body);
    assert.equal(accepted, true);
    assert.deepEqual(findings, []);
    assert.deepEqual(samples[0], {
      probe: { widgets: { mode: "fast" }, inputs: {}, inputGroups: {} },
      price: { type: "usd", usd: 0.11 },
      label: "23.2 credits/Run",
    });
    assert.equal(samples[1]?.label, "95 credits/Run");
    assert.equal(await stored(), 0);
  });

  test("a dry run of something broken is answered with what is wrong", async () => {
    const row = await create();
    const dryRun = async (body: object) => requireValid(TriedBadge, (await call("tryBadge", { body })).body);
    const missing = await dryRun({ badge: { ...badge, expr: '{"type": "usd", "usd": {"a": 1}.b}' } });
    assert.equal(missing.accepted, false);
    assert.equal(missing.samples[0]?.error?.code, "price_missing");
    assert.equal((await dryRun({})).accepted, false);
    assert.equal((await dryRun({ badge, from_version: "soon" })).findings[0]?.path, "/from_version");
    const overlapping = await dryRun({ badge, node_id: "ANode", from_version: "1.0.0" });
    assert.equal(overlapping.findings[0]?.code, "overlap");
    assert.ok(overlapping.findings[0]?.message.includes(row.id));
    await refused("invalid_request", call("tryBadge", { body: [] }));
    await refused("invalid_request", call("tryBadge", { body: { badge, probes: 1 } }));
  });
});

function findingMessage(fault: Fault): string {
  const details: unknown = fault.details;
  const read: { findings?: { message?: string }[] } = JSON.parse(JSON.stringify(details));
  return read.findings?.[0]?.message ?? "";
}
