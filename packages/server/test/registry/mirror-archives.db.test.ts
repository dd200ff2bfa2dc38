// Archives of an upstream registry on a mirror: two servers over loopback, each with its own database, data
// folder and content origin. The first one goes away, and what was promised is still there. Also a registry that lies.
import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, describe, test } from "node:test";
import { blobInvariants } from "../../src/capabilities/blobs/shared-sql.ts";
import { versionInvariants } from "../../src/capabilities/registry/versions/version-invariants-store.ts";
import { sql } from "../../src/foundation/database/sql.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "../support/app-client.ts";
import { craftZip } from "../support/craft-zip.ts";
import { createPublisher, download, type Publisher, packed, publish } from "../support/publishing.ts";
import { until } from "../support/server-process.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const contentOf = (url: string) => new URL(url).origin;
const install = (app: TestApp, path: string) => app.call({ path: `/nodes/${path}` });
const stateOf = async (app: TestApp, version: string) => {
  const rows = await app.database.query<{ state: string }>(
    sql`select state from registry_upstream_archives where version = ${version}`,
  );
  return rows[0]?.state;
};

async function requireInvariants(app: TestApp): Promise<void> {
  for (const { name, statement } of [...versionInvariants, ...blobInvariants]) {
    assert.deepEqual(await app.database.query(statement), [], name);
  }
}

describe("an upstream that goes away", () => {
  let upstream: TestApp;
  let acme: Publisher;
  let mirror: TestApp;
  let eager: TestApp;
  let isGone = false;
  const big = { name: "noise.bin", bytes: randomBytes(700_000) };
  const first = packed("acme", { nodeId: "Lamp", version: "1.9.0" });
  const latest = packed("acme", { nodeId: "Lamp", version: "1.10.0" }, [{ name: "a.txt", bytes: "light" }]);
  before(async () => {
    upstream = await testApp();
    acme = await createPublisher(upstream, "acme");
    await publish(upstream, acme, { nodeId: "Lamp", version: "1.9.0" }, first);
    await publish(upstream, acme, { nodeId: "Lamp", version: "1.10.0" }, latest);
    for (const nodeId of ["never-asked", "banned-here", "room-1", "room-2"]) {
      await publish(upstream, acme, { nodeId, version: "1.0.0" }, packed("acme", { nodeId, version: "1.0.0" }, [big]));
    }
    const url = textOf((await install(upstream, "Lamp/versions/1.10.0")).json(), "downloadUrl");
    const env = {
      ATELIER_REGISTRY_UPSTREAM: upstream.baseUrl,
      ATELIER_REGISTRY_UPSTREAM_CONTENT: contentOf(url),
      ATELIER_REGISTRY_UPSTREAM_SECONDS: "1",
    };
    [mirror, eager] = await Promise.all([
      testApp({ env: { ...env, ATELIER_REGISTRY_UPSTREAM_ARCHIVE_BYTES: "1000000" } }),
      testApp({ env: { ...env, ATELIER_REGISTRY_UPSTREAM_ARCHIVES: "latest" } }),
    ]);
    const all = async (app: TestApp) =>
      listOf((await app.call({ path: "/nodes?limit=100" })).json(), "nodes").length === 5;
    await until("both have read it", async () => (await all(mirror)) && (await all(eager)));
  });
  after(async () => {
    try {
      for (const app of [mirror, eager]) await requireInvariants(app);
    } finally {
      for (const app of [mirror, eager, ...(isGone ? [] : [upstream])]) await app?.close();
    }
  });

  const downloadFrom = async (app: TestApp, path: string) => {
    const answer = await install(app, path);
    assert.equal(answer.status, 200, answer.text);
    const url = textOf(answer.json(), "downloadUrl");
    // On a slow machine a copy may take longer than a caller waits: then retry, as the answer says.
    return until("it is copied", async () => {
      const got = await download(url);
      return got.status === 503 ? null : got;
    });
  };

  test("every address on the mirror leads to the mirror, and the bytes are upstream's", async () => {
    const answers = [
      (await install(mirror, "lamp/install")).json(),
      memberOf((await install(mirror, "Lamp")).json(), "latest_version"),
      (await install(mirror, "Lamp/versions/1.10.0")).json(),
      memberOf((await install(mirror, "Lamp/versions")).json(), 0),
      memberOf(listOf((await install(mirror, "search?search=lamp")).json(), "nodes")[0], "latest_version"),
    ];
    const urls = new Set(answers.map((answer) => textOf(answer, "downloadUrl")));
    assert.equal(urls.size, 1, [...urls].join(" "));
    const [url = ""] = urls;
    assert.notEqual(contentOf(url), contentOf(textOf((await install(upstream, "Lamp/install")).json(), "downloadUrl")));
    const got = await download(url);
    assert.deepEqual([got.status, got.bytes], [200, latest]);
    const hashes = answers.map((answer) => textOf(answer, "archive_hash"));
    assert.match(hashes[0] ?? "", /^blake3:[0-9a-f]{64}$/);
    assert.equal(new Set(hashes).size, 1);
    assert.equal((await downloadFrom(mirror, "Lamp/install?version=1.9")).bytes.equals(first), true);
  });

  test("one call for many versions mixes upstream's and ours, each answered separately", async () => {
    const node_versions = [
      { node_id: "lamp", version: "1.9.0" },
      { node_id: "Lamp", version: "1.10" },
      { node_id: "Lamp", version: "8.0.0" },
      { node_id: "nobody", version: "1.0.0" },
    ];
    const answer = await mirror.call({ method: "POST", path: "/bulk/nodes/versions", body: { node_versions } });
    const found = listOf(answer.json(), "node_versions");
    assert.deepEqual(
      found.map((one) => textOf(one, "status")),
      ["success", "success", "not_found", "not_found"],
    );
    const { bytes } = await download(textOf(found[1], "node_version", "downloadUrl"));
    assert.ok(bytes.equals(latest));
  });

  test("looking and installing on a mirror counts nothing upstream", async () => {
    const node = await upstream.call({ path: "/nodes/Lamp", headers: bearer(upstream.key) });
    // One, for the address that the test above requested from upstream.
    assert.equal(memberOf(node.json(), "downloads"), 1);
  });

  test("invalid numbers and versions that upstream does not have are told apart", async () => {
    assert.equal((await install(mirror, "Lamp/install?version=x")).status, 400);
    assert.equal((await install(mirror, "Lamp/install?version=7.0.0")).status, 404);
    const url = new URL(textOf((await install(mirror, "Lamp/install")).json(), "downloadUrl"));
    for (const wrong of [
      `${url.origin}/c/archives/${randomUUID()}${url.search}`,
      `${url.origin}/c/archives/${randomUUID()}`,
    ])
      assert.equal((await download(wrong)).status, 404, wrong);
    assert.equal(
      (await download(`${url.origin}${url.pathname}?node=%00&version=1`)).status,
      200,
      "the id is enough by now",
    );
  });

  test("nodes that our operators banned are neither installed nor downloaded, cached or not", async () => {
    const { bytes } = await downloadFrom(mirror, "banned-here/install");
    assert.ok(bytes.length > 700_000);
    const url = textOf((await install(mirror, "banned-here/install")).json(), "downloadUrl");
    const path = "/admin/nodes/banned-here";
    const body = { status: "NodeStatusBanned" };
    assert.equal((await mirror.call({ method: "PUT", path, headers: bearer(mirror.adminToken), body })).status, 200);
    for (const at of ["install", "install?version=1.0.0", "versions", "versions/1.0.0"])
      assert.equal((await install(mirror, `banned-here/${at}`)).status, 403, at);
    assert.equal((await download(url)).status, 403);
  });

  test("copies never take more room than the operator allows: the least recently requested goes first", async () => {
    await downloadFrom(mirror, "room-1/install");
    await downloadFrom(mirror, "room-2/install");
    const kept = await mirror.database.query<{ node_id_folded: string }>(
      sql`select node_id_folded from registry_upstream_archives where state = 'kept'`,
    );
    assert.deepEqual(
      kept.map((row) => row.node_id_folded).filter((id) => id.startsWith("room")),
      ["room-2"],
    );
    const again = await downloadFrom(mirror, "room-1/install");
    assert.equal(again.status, 200, "brought again, and the same bytes");
    assert.equal((await downloadFrom(mirror, "lamp/install")).status, 200);
  });

  test("a version that upstream bans is no longer served", async () => {
    await publish(upstream, acme, { nodeId: "turned", version: "1.0.0" });
    await until("it arrives", async () => (await install(mirror, "turned/install")).status === 200);
    assert.equal((await downloadFrom(mirror, "turned/install")).status, 200);
    const url = textOf((await install(mirror, "turned/install")).json(), "downloadUrl");
    const path = "/admin/nodes/turned/versions/1.0.0";
    const body = { status: "NodeVersionStatusBanned" };
    await upstream.call({ method: "PUT", path, headers: bearer(upstream.adminToken), body });
    await until("the word arrives", async () => (await download(url)).status === 403);
    await until("installs too", async () => (await install(mirror, "turned/install?version=1.0.0")).status === 403);
    await until("none is latest", async () => (await install(mirror, "turned/install")).status === 404);
  });

  test("everything requested once, and the latest of every node if configured, is there when upstream is gone", async () => {
    await until("the background has copied", async () => {
      const rows = await eager.database.query(sql`select from registry_upstream_archives where state = 'kept'`);
      return rows.length >= 5;
    });
    isGone = true;
    await upstream.close();
    for (const path of ["Lamp/install", "lamp/install?version=1.10.0"]) {
      assert.ok((await downloadFrom(mirror, path)).bytes.equals(latest), path);
    }
    assert.ok((await downloadFrom(eager, "Lamp/install")).bytes.equals(latest), "nobody asked for it before");
    assert.equal((await downloadFrom(eager, "never-asked/install")).status, 200);
    const never = await install(mirror, "never-asked/install");
    assert.equal(never.status, 200, "its node is known");
    const missing = await download(textOf(never.json(), "downloadUrl"));
    assert.equal(missing.status, 503, missing.bytes.toString());
    const unknown = await install(eager, "Lamp/install?version=1.9.0");
    assert.deepEqual([unknown.status, headerOf(unknown, "retry-after")], [503, "10"]);
  });
});

describe("an upstream of another kind", () => {
  let server: Server;
  let mirror: TestApp;
  let archive = craftZip([{ name: "a.txt", bytes: "what it was" }]);
  const base = { node_id: "odd", status: "NodeVersionStatusActive", createdAt: "2026-01-01T00:00:00.000Z" };
  const plain = { ...base, id: randomUUID(), version: "1.0.0" };
  const lying = { ...base, id: randomUUID(), version: "2.0.0", archive_hash: `blake3:${"0".repeat(64)}` };
  const flagged = { ...base, id: randomUUID(), version: "3.0.0", status: "NodeVersionStatusFlagged" };
  let cut = false;
  before(async () => {
    server = createServer((request, response) => {
      const url = new URL(request.url ?? "", `http://${request.headers.host}`);
      const withDownload = (version: object) => ({ ...version, downloadUrl: `${url.origin}/archive.zip` });
      const node = { id: "odd", name: "Odd", latest_version: withDownload(flagged) };
      const number = /versions\/(.*)$/.exec(url.pathname)?.[1];
      if (url.pathname === "/archive.zip") {
        response.writeHead(200, { "content-length": archive.length });
        if (!cut) return void response.end(archive);
        response.write(archive.subarray(0, 20));
        return void setTimeout(() => response.destroy(), 20);
      }
      const version = [plain, lying, flagged].find((one) => one.version === number);
      const body = version ? withDownload(version) : { nodes: [node], totalPages: 1 };
      response.writeHead(number !== undefined && !version ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(body));
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    mirror = await testApp({ env: { ATELIER_REGISTRY_UPSTREAM: url, ATELIER_REGISTRY_UPSTREAM_SECONDS: "1" } });
    await until("it is read", async () => (await install(mirror, "odd")).status === 200);
  });
  after(async () => {
    try {
      await requireInvariants(mirror);
    } finally {
      await mirror.close();
      server.close();
    }
  });

  test("bytes that do not match the version are refused, and nothing of them stays", async () => {
    const url = textOf((await install(mirror, "odd/install?version=2.0.0")).json(), "downloadUrl");
    assert.equal((await download(url)).status, 503);
    assert.equal(await stateOf(mirror, "2.0.0"), "refused");
    assert.match((await download(url)).bytes.toString(), /do not match this version's hash/);
    const held = await mirror.database.query(sql`select from blob_references where holder_kind = 'upstream-archive'`);
    assert.equal(held.length, 0);
  });

  test("a broken transfer is no archive, and is retried on the next request", async () => {
    cut = true;
    const url = textOf((await install(mirror, "odd/install?version=1.0.0")).json(), "downloadUrl");
    assert.equal((await download(url)).status, 503);
    cut = false;
    await until("it comes", async () => (await download(url)).status === 200);
  });

  test("without an announced hash the first bytes count: others under the same number are refused", async () => {
    const url = textOf((await install(mirror, "odd/install?version=1.0.0")).json(), "downloadUrl");
    const { bytes } = await download(url);
    await mirror.database.execute(sql`update registry_upstream_archives set state = 'let_go' where version = '1.0.0'`);
    await mirror.database.execute(sql`delete from blob_references where holder_kind = 'upstream-archive'`);
    archive = craftZip([{ name: "a.txt", bytes: "something else" }]);
    assert.equal((await download(url)).status, 503);
    assert.equal(await stateOf(mirror, "1.0.0"), "refused");
    archive = bytes;
    await mirror.database.execute(sql`update registry_upstream_archives set try_after = now()`);
    assert.ok((await download(url)).bytes.equals(bytes));
  });

  test("a latest version that is not active is not installed, even if upstream calls it latest", async () => {
    assert.equal((await install(mirror, "odd/install")).status, 403);
  });
});
