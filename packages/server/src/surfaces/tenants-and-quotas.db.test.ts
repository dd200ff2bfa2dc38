// One workspace never sees another, by status, body, links or the time a refusal takes; and a quota is exact.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sharedPool } from "../capabilities/pools/index.ts";
import { sql } from "../foundation/database/index.ts";
import { newId } from "../foundation/ids.ts";
import { selfHosted } from "./self-hosted.ts";
import { aClient, aForm, aHouse, type Client, errorCode, type House, textOf, toRecord } from "./surfaces.fixture.ts";

describe("between two workspaces", { timeout: 900_000 }, () => {
  let house: House;
  let owner: Client;
  let stranger: Client;
  before(async () => {
    house = await aHouse();
    owner = aClient(`http://127.0.0.1:${house.cloudPort}`, { "x-api-key": house.key });
    stranger = aClient(`http://127.0.0.1:${house.cloudPort}`, { authorization: `Bearer ${house.stranger.key}` });
  });
  after(async () => {
    await owner.close();
    await stranger.close();
    await house.close();
  });
  const upload = (client: Client, bytes: string, fields: Record<string, string> = {}) =>
    client.ask("/api/v2/assets", { method: "POST", body: aForm(bytes, fields) });

  test("a foreign id answers on every route exactly what an absent one does", async () => {
    const id = textOf((await upload(owner, "private")).json()["id"]);
    for (const path of ["", "/content", "/thumbnail"]) {
      for (const method of ["GET", "DELETE"] as const) {
        if (method === "DELETE" && path !== "") continue;
        const foreign = await stranger.ask(`/api/v2/assets/${id}${path}`, { method });
        const absent = await stranger.ask(`/api/v2/assets/${newId()}${path}`, { method });
        assert.deepEqual([foreign.status, foreign.text], [404, absent.text], `${method} ${path}`);
        const nobody = await stranger.ask(`/api/v2/assets/${id}${path}`, { method }, {});
        assert.deepEqual([nobody.status, errorCode(nobody)], [401, "unauthorized"]);
      }
    }
    assert.equal((await owner.ask(`/api/v2/assets/${id}`)).status, 200);
    assert.deepEqual((await stranger.ask("/api/v2/assets")).json()["data"], []);
  });

  test("a hash that only another one has is unknown: 404 by hash, 404 from hash, 201 by upload", async () => {
    const { hash } = (await upload(owner, "a known hash")).json();
    assert.equal((await stranger.ask(`/api/v2/assets/by-hash/${hash}`, { method: "HEAD" })).status, 404);
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ hash });
    const missing = await stranger.ask("/api/v2/assets/from-hash", { method: "POST", headers, body });
    const nowhere = JSON.stringify({ hash: `blake3:${"9".repeat(64)}` });
    const absent = await stranger.ask("/api/v2/assets/from-hash", { method: "POST", headers, body: nowhere });
    assert.deepEqual([missing.status, missing.text], [404, absent.text]);
    const own = await upload(stranger, "a known hash");
    assert.deepEqual([own.status, own.json()["created_new"]], [201, true]);
    const blobs = await house.db.query(sql`select from blobs where encode(hash, 'hex') = ${textOf(hash).slice(7)}`);
    assert.equal(blobs.length, 1, "stored once all the same");
  });

  test("refusing a hash takes the same work whether another workspace has it or nobody", async () => {
    const { hash } = (await upload(owner, "equal work")).json();
    const explain = async (text: string) => {
      const rows = await house.db.query<Record<string, string>>(sql`
        explain (analyze, buffers, timing off, summary off, costs off)
        select id from assets where workspace_id = ${house.stranger.workspaceId} and hash = decode(${text}, 'hex')`);
      const lines = rows.map((row) => Object.values(row).join(" ")).filter((line) => /Scan|rows|Buffers/.test(line));
      // Compare the pages asked for, from memory or disk. Whether a read also marks a dead row as dead
      // ("dirtied") depends on what else the database is doing, not on the hash.
      return lines.map((line) => {
        const pages = [...line.matchAll(/ (?:hit|read)=(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
        return line.includes("Buffers") ? `pages: ${pages}` : line;
      });
    };
    // The first query also reads the catalog.
    await explain("9".repeat(64));
    assert.deepEqual(await explain(textOf(hash).slice(7)), await explain("9".repeat(64)));
  });

  test("a cursor of one workspace is refused in the other", async () => {
    await upload(owner, "page 1", { file_path: "p1" });
    await upload(owner, "page 2", { file_path: "p2" });
    const cursor = (await owner.ask("/api/v2/assets?limit=1")).json()["next_cursor"];
    assert.equal((await stranger.ask(`/api/v2/assets?limit=1&cursor=${cursor}`)).status, 400);
  });

  test("a quota holds exactly, however many come at once", async () => {
    const { workspaceId } = house.stranger;
    const [row] = await house.db.query<{ assets: string; bytes: string }>(sql`
      select assets, bytes from asset_usage where workspace_id = ${workspaceId}`);
    await house.limits.setOverride(house.db, { workspaceId, name: "assets", value: Number(row?.assets) + 5 });
    await house.limits.drop(workspaceId);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => upload(stranger, `quota ${at}`, { file_path: `q${at}` })),
    );
    const statuses = answers.map(({ status }) => status).sort();
    assert.deepEqual(statuses, [...Array(5).fill(201), ...Array(15).fill(429)]);
    assert.equal(errorCode(answers.find(({ status }) => status === 429) ?? assert.fail()), "quota_exceeded");
    await house.limits.resetOverride(house.db, { workspaceId, name: "assets" });
    await house.limits.setOverride(house.db, { workspaceId, name: "bytes", value: Number(row?.bytes) + 1000 });
    await house.limits.drop(workspaceId);
    const large = await Promise.all(
      Array.from({ length: 8 }, (_, at) => upload(stranger, `${at}`.repeat(400), { file_path: `l${at}` })),
    );
    assert.equal(large.filter(({ status }) => status === 201).length, 2);
    await house.limits.resetOverride(house.db, { workspaceId, name: "bytes" });
    await house.limits.drop(workspaceId);
  });

  test("the usage is the sum of the stored assets, after everything above", async () => {
    const wrong = await house.db.query(sql`
      select used.workspace_id from asset_usage as used
      left join (select workspace_id, sum(size) as bytes, count(*) as assets from assets group by 1) as real
        on real.workspace_id = used.workspace_id
      where used.bytes <> coalesce(real.bytes, 0) or used.assets <> coalesce(real.assets, 0)`);
    assert.deepEqual(wrong, []);
  });

  test("deleting while somebody takes hold ends in exactly one of the two", async () => {
    for (let turn = 0; turn < 10; turn++) {
      const made = (await upload(owner, `hold or delete ${turn}`, { file_path: `h${turn}` })).json();
      const self = textOf(toRecord(made["urls"])["self"]);
      const { assets } = await house.assets.list({
        workspaceId: house.workspaceId,
        tag: null,
        kind: null,
        jobId: null,
        limit: 100,
        cursor: null,
      });
      const asset = assets.find(({ id }) => id === made["id"]) ?? assert.fail();
      const holder = { kind: "job", id: newId() };
      const [held, deleted] = await Promise.all([
        house.db.transaction((tx) =>
          house.assets.hold(tx, { workspaceId: house.workspaceId, assetIds: [asset.id], holder }),
        ),
        owner.ask(self, { method: "DELETE" }),
      ]);
      assert.equal(deleted.status, held.length === 1 ? 409 : 204);
    }
  });

  test("two deletes at once are one 204 and one 404", async () => {
    const self = textOf(toRecord((await upload(owner, "twice deleted", { file_path: "td" })).json()["urls"])["self"]);
    const answers = await Promise.all([owner.ask(self, { method: "DELETE" }), owner.ask(self, { method: "DELETE" })]);
    assert.deepEqual(answers.map(({ status }) => status).sort(), [204, 404]);
  });

  test("twenty equal uploads at once are one record, and one of them says it is new", async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => upload(owner, "all at once", { file_path: "aao" })),
    );
    assert.equal(new Set(answers.map((answer) => answer.json()["id"])).size, 1);
    assert.ok(answers.every(({ status }) => status === 200 || status === 201));
    assert.ok(answers.filter(({ status }) => status === 201).length >= 1);
  });
});

test("a configured static token is required in either header, and a header sent twice is refused", () => {
  const surface = selfHosted({
    workspaceId: newId<"workspace">(),
    token: "right",
    assets: { content: () => assert.fail() },
    publicUrl: () => null,
    poolId: sharedPool,
  });
  const arrivalOf = (rawHeaders: string[]) => ({
    requestId: newId<"request">(),
    method: "GET",
    path: "/",
    queryText: "",
    headers: {},
    rawHeaders,
    peer: "127.0.0.1",
  });
  for (const headers of [
    ["Authorization", "Bearer right"],
    ["Authorization", "BEARER  right"],
    ["X-API-Key", "right"],
    ["authorization", "bearer right"],
  ]) {
    assert.ok(surface.authenticate(arrivalOf(headers)));
  }
  const refused = [
    [],
    ["Authorization", "Bearer wrong"],
    ["Authorization", "right"],
    ["X-API-Key", "wrong", "Authorization", "Bearer right"],
    ["Authorization", "Bearer right", "Authorization", "Bearer right"],
  ];
  for (const headers of refused)
    assert.throws(() => surface.authenticate(arrivalOf(headers)), { code: "unauthorized" });
});
