// What operators do to nodes, and whom a private publisher shows them.
import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { bearer, listOf, memberOf, textOf } from "./support/app-client.ts";
import { addTenant, owner, type Tenant } from "./support/app-people.ts";
import { createNode, createPublisher, send, someId } from "./support/registry-app.ts";
import { type TestApp, testApp } from "./support/test-app.ts";

let app: TestApp;
let mine: Tenant;
let theirs: Tenant;
let publisherId: string;
before(async () => {
  app = await testApp({ env: { ATELIER_REGISTRY_PUBLISHERS_MAX: "40" } });
  mine = await owner(app);
  theirs = await addTenant(app, "Eve");
  publisherId = textOf((await createPublisher(app, bearer(mine.key))).json(), "id");
});
after(() => app.close());

const own = () => bearer(mine.key);
const admin = () => bearer(app.adminToken);
const get = (path: string, headers: Record<string, string> = {}) => send(app, "GET", path, headers);
const fieldsNamed = (answer: { json(): unknown }) =>
  listOf(answer.json(), "details")
    .map((one) => textOf(one, "path"))
    .sort();

describe("operators", () => {
  test("a banned node is 403 for everybody but its members, hidden from lists, and comes back", async () => {
    const id = await createNode(app, own(), publisherId);
    await get(`/nodes/${id}`);
    const ban = await send(app, "POST", `/publishers/${publisherId}/nodes/${id}/ban`, admin(), { reason: "miner" });
    assert.equal(ban.status, 204, ban.text);
    for (const headers of [{}, bearer(theirs.key)]) assert.equal((await get(`/nodes/${id}`, headers)).status, 403);
    const seen = await get(`/nodes/${id}`, own());
    assert.deepEqual([seen.status, memberOf(seen.json(), "status_detail")], [200, "miner"]);
    const path = `/publishers/${publisherId}/nodes/${id}`;
    assert.equal((await send(app, "PUT", path, own(), { name: "x" })).status, 403);
    assert.equal((await send(app, "DELETE", path, own())).status, 403);
    const listed = async (query: string) => listOf((await get(`/nodes?node_id=${id}${query}`)).json(), "nodes").length;
    assert.deepEqual(
      [await listed(""), await listed("&include_banned=false"), await listed("&include_banned=true")],
      [0, 0, 1],
    );
    const back = await send(app, "PUT", `/admin/nodes/${id}`, admin(), { status: "NodeStatusActive" });
    assert.deepEqual([back.status, memberOf(back.json(), "status_detail")], [200, undefined]);
    assert.equal((await get(`/nodes/${id}`)).status, 200);
  });

  test("a banned publisher takes its nodes along, and lifting the ban brings back only those", async () => {
    const publisher = textOf((await createPublisher(app, own())).json(), "id");
    const [one, two] = [await createNode(app, own(), publisher), await createNode(app, own(), publisher)];
    await send(app, "POST", `/publishers/${publisher}/nodes/${two}/ban`, admin());
    assert.equal((await send(app, "POST", `/publishers/${publisher}/ban`, admin(), { reason: "spam" })).status, 204);
    assert.equal((await get(`/nodes/${one}`)).status, 403);
    assert.equal(memberOf((await get(`/publishers/${publisher}`)).json(), "status"), "PublisherStatusBanned");
    const more = await send(app, "POST", `/publishers/${publisher}/nodes`, own(), { id: someId("n"), name: "x" });
    assert.equal(more.status, 403);
    assert.equal((await send(app, "DELETE", `/publishers/${publisher}`, own())).status, 403);
    assert.equal((await send(app, "DELETE", `/publishers/${publisher}/ban`, admin())).status, 204);
    assert.deepEqual([(await get(`/nodes/${one}`)).status, (await get(`/nodes/${two}`)).status], [200, 403]);
    for (const path of [
      "/publishers/nobody-here/ban",
      `/publishers/${publisher}/nodes/nobody/ban`,
      `/publishers/nobody-here/nodes/${one}/ban`,
    ])
      assert.equal((await send(app, "POST", path, admin())).status, 404, path);
  });

  test("only operators see their tags, everybody sees their warnings, and each of their actions is audited", async () => {
    const id = await createNode(app, own(), publisherId);
    const tags = ["security-warning", "warning: reads the clipboard", "warning:"];
    const body = { tags_admin: tags, search_ranking: 7, preempted_svc_node_names: ["KSamplerX"] };
    const reviewed = await send(app, "PUT", `/admin/nodes/${id}`, admin(), body);
    assert.equal(reviewed.status, 200, reviewed.text);
    assert.deepEqual(memberOf((await get(`/nodes/${id}`, bearer(app.adminToken))).json(), "tags_admin"), tags);
    for (const headers of [own(), {}, bearer(theirs.key), bearer("letmein")]) {
      assert.deepEqual(memberOf((await get(`/nodes/${id}`, headers)).json(), "warnings"), ["reads the clipboard"]);
      for (const path of [`/nodes/${id}`, `/nodes?node_id=${id}`, "/bulk/nodes"])
        assert.ok(!(await get(path, headers)).text.includes("security-warning"), path);
    }
    assert.equal(memberOf((await get(`/nodes/${id}`)).json(), "search_ranking"), 7);
    const audit = await get("/admin/audit?action=node.review&limit=100", admin());
    assert.ok(listOf(audit.json(), "data").some((entry) => textOf(entry, "subject", "id") === id));
  });

  test("a node without a publisher can be created, and a taken id is 409", async () => {
    const id = someId("n");
    assert.equal((await send(app, "POST", "/admin/nodes", admin(), { id, name: "x" })).status, 201);
    assert.equal((await send(app, "POST", "/admin/nodes", admin(), { id: id.toUpperCase(), name: "x" })).status, 409);
    assert.deepEqual(fieldsNamed(await send(app, "POST", "/admin/nodes", admin(), { id: "v2" })), ["/id", "/name"]);
    assert.equal(memberOf((await get(`/nodes/${id}`)).json(), "publisher"), undefined);
    const made = await send(app, "POST", "/admin/generate-token", admin());
    const token = textOf(made.json(), "token");
    assert.equal((await send(app, "POST", "/nodes/reindex", bearer(token))).status, 204);
    assert.equal((await send(app, "PUT", "/admin/nodes/nobody", bearer(token), {})).status, 404);
  });
});

test("a workspace's own publisher and its nodes exist for nobody else, and become public when it does", async () => {
  const hidden = await createPublisher(app, own(), { visibility: "workspace" });
  const publisher = textOf(hidden.json(), "id");
  assert.equal(textOf(hidden.json(), "visibility"), "workspace");
  const id = await createNode(app, own(), publisher, { name: "Zanzibar secret" });
  const look = async (headers: Record<string, string>) => {
    const statuses = [`/nodes/${id}`, `/publishers/${publisher}`, `/publishers/${publisher}/nodes`].map(
      async (path) => (await get(path, headers)).status,
    );
    const lists = [`/nodes?node_id=${id}`, "/nodes/search?search=zanzibar"].map(
      async (path) => listOf((await get(path, headers)).json(), "nodes").length,
    );
    const dumped = (await get("/bulk/nodes", headers)).text.includes(`"${id}"`);
    return [...(await Promise.all(statuses)), ...(await Promise.all(lists)), dumped];
  };
  const unknown = [404, 404, 404, 0, 0, false];
  for (const headers of [{}, bearer(theirs.key), bearer(theirs.jwt)]) assert.deepEqual(await look(headers), unknown);
  for (const headers of [own(), admin()]) assert.deepEqual(await look(headers), [200, 200, 200, 1, 1, true]);
  assert.equal((await send(app, "PUT", `/publishers/${publisher}`, bearer(theirs.key), { name: "x" })).status, 404);
  assert.equal((await send(app, "POST", `/nodes/${id}/reviews?star=1`, bearer(theirs.key))).status, 404);
  const opened = await send(app, "PUT", `/publishers/${publisher}`, own(), { visibility: "public" });
  assert.equal(opened.status, 200, opened.text);
  assert.deepEqual(await look({}), [200, 200, 200, 1, 1, true]);
  await send(app, "PUT", `/publishers/${publisher}`, own(), { visibility: "workspace" });
  assert.deepEqual(await look({}), unknown);
});
