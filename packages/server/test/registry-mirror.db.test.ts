// Mirror mode: a second server in front of the first, with separate databases, over loopback; and claiming
// and stars, which ask a code host. Every address here is 127.0.0.1.
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { sql } from "../src/foundation/database/sql.ts";
import { bearer, headerOf, listOf, memberOf, textOf } from "./support/app-client.ts";
import { createNode, createPublisher, send, someId } from "./support/registry-app.ts";
import { collectOutput, runAtelier } from "./support/server-process.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let upstream: TestApp;
let mirror: TestApp;
let publisherId: string;
let ownPublisherId: string;
let codeHost: Server;
const tokensSeen: string[] = [];
before(async () => {
  codeHost = createServer((request, response) => {
    tokensSeen.push(request.headers.authorization ?? "");
    const isThere = request.url === "/repos/ada/light";
    const admin = request.headers.authorization === "Bearer good";
    response.writeHead(request.headers.authorization === "Bearer slow" ? 503 : isThere ? 200 : 404);
    response.end(JSON.stringify({ stargazers_count: 42, permissions: { admin, push: true } }));
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => codeHost.once("listening", resolve));
  const host = `http://127.0.0.1:${(codeHost.address() as AddressInfo).port}`;
  upstream = await testApp();
  publisherId = textOf((await createPublisher(upstream, bearer(upstream.key))).json(), "id");
  await createNode(upstream, bearer(upstream.key), publisherId, {
    id: "Upstream-One",
    name: "Lantern",
    tags: ["light"],
  });
  mirror = await testApp({
    env: {
      ATELIER_REGISTRY_UPSTREAM: upstream.baseUrl,
      ATELIER_REGISTRY_UPSTREAM_SECONDS: "1",
      ATELIER_CODE_HOST_API_URL: host,
      ATELIER_CODE_HOST_NAME: "code.example",
    },
  });
  ownPublisherId = textOf((await createPublisher(mirror, bearer(mirror.key))).json(), "id");
});
after(async () => {
  await mirror.close();
  await upstream.close();
  codeHost.close();
});

const get = (path: string, headers: Record<string, string> = {}) => send(mirror, "GET", path, headers);
const admin = () => bearer(mirror.adminToken);
const listed = async () => listOf((await get("/nodes?limit=100")).json(), "nodes").map((one) => textOf(one, "id"));
async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_400; tries++) {
    if (await look()) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  assert.fail(what);
}

test("lists and searches of a mirror show the nodes of the upstream registry beside its own", async () => {
  await createNode(mirror, bearer(mirror.key), ownPublisherId, { id: "own-one", name: "Own one" });
  await until("the first node arrives", async () => (await listed()).includes("Upstream-One"));
  assert.ok((await listed()).includes("own-one"));
  const found = listOf((await get("/nodes/search?search=lantren")).json(), "nodes");
  assert.equal(textOf(found[0], "id"), "Upstream-One");
  const node = (await get("/nodes/Upstream-One")).json();
  assert.deepEqual([memberOf(node, "name"), textOf(node, "publisher", "id")], ["Lantern", publisherId]);
  assert.equal(headerOf(await get("/nodes/upstream-one"), "location"), "/nodes/Upstream-One");
});

test("changes, bans and deletions follow upstream, and what operators banned here stays banned", async () => {
  for (const id of ["to-ban", "to-delete", "banned-here"]) {
    await createNode(upstream, bearer(upstream.key), publisherId, { id, name: id });
  }
  await until("they arrive", async () => (await listed()).includes("banned-here"));
  assert.equal(
    (await send(mirror, "PUT", "/admin/nodes/banned-here", admin(), { status: "NodeStatusBanned" })).status,
    200,
  );
  const at = `/publishers/${publisherId}/nodes`;
  await send(upstream, "POST", `${at}/to-ban/ban`, bearer(upstream.adminToken));
  await send(upstream, "DELETE", `${at}/to-delete`, bearer(upstream.key));
  for (const id of ["Upstream-One", "banned-here"]) {
    await send(upstream, "PUT", `${at}/${id}`, bearer(upstream.key), { name: "New name" });
  }
  await until("the ban arrives", async () => (await get("/nodes/to-ban")).status === 403);
  await until("the deletion arrives", async () => (await get("/nodes/to-delete")).status === 404);
  await until("the name arrives", async () => (await get("/nodes/Upstream-One")).text.includes("New name"));
  assert.equal((await get("/nodes/banned-here")).status, 403);
});

test("an id of the upstream registry cannot be taken here, and a local id is never overwritten", async () => {
  const path = `/publishers/${ownPublisherId}/nodes`;
  const taken = await send(mirror, "POST", path, bearer(mirror.key), { id: "upstream-ONE", name: "x" });
  assert.equal(taken.status, 409);
  await createNode(mirror, bearer(mirror.key), ownPublisherId, { id: "both", name: "Ours" });
  await createNode(upstream, bearer(upstream.key), publisherId, { id: "Both", name: "Theirs" });
  await createNode(upstream, bearer(upstream.key), publisherId, { id: "after-both", name: "After" });
  await until("the later one arrives", async () => (await listed()).includes("after-both"));
  assert.equal(textOf((await get("/nodes/both")).json(), "name"), "Ours");
});

describe("a node not mirrored yet", () => {
  test("is read through on request, in any spelling, and stays", async () => {
    const slow = await testApp({
      env: { ATELIER_REGISTRY_UPSTREAM: upstream.baseUrl, ATELIER_REGISTRY_UPSTREAM_SECONDS: "86400" },
    });
    try {
      const first = async () => listOf((await send(slow, "GET", "/nodes")).json(), "nodes").length > 0;
      await until("the first reading is over", first);
      const id = await createNode(upstream, bearer(upstream.key), publisherId, { id: someId("Late"), name: "Late" });
      const brought = await send(slow, "GET", `/nodes/${id.toLowerCase()}`);
      assert.deepEqual([brought.status, headerOf(brought, "location")], [302, `/nodes/${id}`]);
      assert.equal((await send(slow, "GET", `/nodes/${id}`)).status, 200);
      assert.equal((await send(slow, "GET", "/nodes/nobody-anywhere")).status, 404);
      const name = someId("Class");
      const preempting = { preempted_svc_node_names: [name] };
      await send(upstream, "PUT", `/admin/nodes/${id}`, bearer(upstream.adminToken), preempting);
      assert.equal(textOf((await send(slow, "GET", `/svc-nodes/${name}/node`)).json(), "id"), id);
      const versions = await send(slow, "GET", `/nodes/${id}/versions`);
      assert.deepEqual([versions.status, versions.json()], [200, []]);
      const held = { "if-none-match": headerOf(versions, "etag") ?? "" };
      assert.equal((await send(slow, "GET", `/nodes/${id}/versions`, held)).status, 304);
    } finally {
      await slow.close();
    }
  });

  test("is 503 while upstream is down, and known nodes are still served", async () => {
    const away = await testApp({
      env: { ATELIER_REGISTRY_UPSTREAM: "http://127.0.0.1:9", ATELIER_REGISTRY_UPSTREAM_SECONDS: "1" },
    });
    try {
      const unknown = await send(away, "GET", "/nodes/nobody-knows");
      assert.deepEqual([unknown.status, headerOf(unknown, "retry-after")], [503, "10"]);
      await away.database.execute(sql`
        insert into registry_upstream_answers (path, status, body, read_at)
        values ('/svc-nodes/Known/node', 200, '{"id":"kept"}', now() - interval '1 day')`);
      const kept = await send(away, "GET", "/svc-nodes/Known/node");
      assert.deepEqual([kept.status, kept.json()], [200, { id: "kept" }]);
      assert.equal(listOf((await send(away, "GET", "/nodes")).json(), "nodes").length, 0);
    } finally {
      await away.close();
    }
  });
});

describe("an unowned node", () => {
  const claim = (id: string, token: string) =>
    send(mirror, "POST", `/publishers/${ownPublisherId}/nodes/${id}/claim-my-node`, bearer(mirror.key), {
      GH_TOKEN: token,
    });
  const unowned = async (repository: string) => {
    const id = someId("n");
    const made = await send(mirror, "POST", "/admin/nodes", admin(), { id, name: "x", repository });
    assert.equal(made.status, 201, made.text);
    return id;
  };

  test("goes to an administrator of its repository, once, and the token is stored nowhere", async () => {
    const id = await unowned("https://code.example/ada/light.git");
    assert.equal((await claim(id, "bad")).status, 403);
    assert.equal((await claim(id, "slow")).status, 503);
    assert.equal((await claim(id, "good")).status, 204);
    assert.ok(tokensSeen.includes("Bearer good"));
    assert.equal(textOf((await get(`/nodes/${id}`)).json(), "publisher", "id"), ownPublisherId);
    assert.equal((await claim(id, "good")).status, 403, "it has a publisher now");
    assert.ok(!mirror.logged.some((line) => line.includes("Bearer good") || line.includes('"good"')));
  });

  test("is not given away when its repository is elsewhere, unknown, or missing", async () => {
    for (const repository of ["https://elsewhere.example/ada/light", "https://code.example/eve/other", ""])
      assert.equal((await claim(await unowned(repository), "good")).status, 403, repository);
    assert.equal((await claim("Upstream-One", "good")).status, 403, "the upstream registry's");
    assert.equal((await claim("nobody", "good")).status, 404);
  });

  test("shows the stars of its repository once they are known", async () => {
    const id = await unowned("https://code.example/ada/light");
    assert.equal((await send(mirror, "POST", "/nodes/update-github-stars?max_batch=50", admin())).status, 204);
    await until("the stars arrive", async () => memberOf((await get(`/nodes/${id}`)).json(), "github_stars") === 42);
    assert.equal((await send(mirror, "POST", "/nodes/update-github-stars?max_batch=0", admin())).status, 400);
  });
});

test("a server whose upstream is a metadata address does not start: exit code 2, and the message names the setting", async () => {
  const home = await mkdtemp(join(tmpdir(), "atelier-upstream-"));
  const env = { ATELIER_HOME: home, ATELIER_PORT: "0", ATELIER_REGISTRY_UPSTREAM: "https://169.254.169.254" };
  const { code, err } = await collectOutput(runAtelier(["serve"], env));
  await rm(home, { recursive: true, force: true });
  assert.equal(code, 2, err);
  assert.match(err, /ATELIER_REGISTRY_UPSTREAM is a loopback, link-local or metadata address/);
});
